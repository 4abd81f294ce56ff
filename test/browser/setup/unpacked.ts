import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

/** A browser that can be started. */
export interface Browser {
  executablePath: string;
  /** What its process needs beside the environment of this one. */
  env: Record<string, string>;
}

const PACKAGE = 'node_modules/@sparticuz/chromium';

/** Only on that host it unpacks its copies of system libraries too. */
const AS_ON = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };

/** Its own folder of fonts, wherever it was unpacked; a machine without a screen may have none. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/**
 * The browser of the npm package, unpacked once (200 MB) for as long as `node_modules` is there; or the one that
 * `CALLSHEET_BROWSER` names, a path of Chromium or Chrome.
 */
export function unpackedBrowser(): Browser {
  const named = process.env['CALLSHEET_BROWSER'];
  if (named !== undefined && named !== '') return { executablePath: resolve(named), env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `The browser of the tests is for Linux on x64, and this is ${process.platform} on ${process.arch}: set CALLSHEET_BROWSER to the path of a Chromium or Chrome.`,
    );
  }
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8')) as {
    version: string;
  };
  const folder = resolve('node_modules/.cache', `chromium-${version}`);
  if (!existsSync(folder)) unpack(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

/** Into a folder beside it, which is then renamed: whoever finds the folder finds it whole, also when two begin at once. */
function unpack(folder: string): void {
  mkdirSync(resolve(folder, '..'), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  try {
    const { status, stderr } = spawnSync(process.execPath, ['test/browser/setup/unpack.mjs'], {
      env: { ...process.env, ...AS_ON, TMPDIR: partial },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The browser could not be unpacked: ${stderr}`);
    writeFileSync(join(partial, 'fonts/fonts.conf'), FONTS);
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another run was faster.
    if (!existsSync(folder)) throw error;
  }
}
