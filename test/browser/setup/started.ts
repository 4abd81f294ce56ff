import { chromium, type Browser } from 'playwright-core';
import { unpackedBrowser } from './unpacked.ts';

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  // A proxy of this machine must not see the made-up names, nor answer for them.
  '--no-proxy-server',
  // Names that end so are this machine, for pages of other sites; no other host is found at all.
  '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

let browser: Promise<Browser> | undefined;

/**
 * The browser of all tests of this process, which ends with it: one for all processes would take a server between them that
 * reads and writes each message twice. It has a new profile and contacts nobody by itself: playwright turns off updates,
 * synchronisation and the like.
 */
export async function startedBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

async function launch(): Promise<Browser> {
  const { executablePath, env } = unpackedBrowser();
  return chromium
    .launch({ executablePath, env: { ...process.env, ...env }, args: FLAGS })
    .catch((error: unknown) => {
      throw new Error(
        `${executablePath} does not start here; CALLSHEET_BROWSER may name another Chromium or Chrome.`,
        { cause: error },
      );
    });
}
