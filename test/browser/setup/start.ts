import { unpackedBrowser } from './unpacked.ts';

/** Unpacks the browser once, before the first test. Where there is none, the tests that open it say so. */
export default function start(): void {
  try {
    unpackedBrowser();
  } catch {
    // Told by each test that opens it.
  }
}
