// Unpacks the browser of the npm package into the temporary folder, see unpacked.ts.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
