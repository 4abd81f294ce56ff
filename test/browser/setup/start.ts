import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import build from '../../helpers/build.ts';
import { unpackedBrowser } from './unpacked.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser that all tests share: where it is connected to, and its process. */
    browser: { endpoint: string; pid: number };
  }
}

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  // A proxy of this machine must not see the made-up names, nor answer for them.
  '--no-proxy-server',
  // Names that end so are this machine, for pages of other sites; no other host is found at all.
  '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/**
 * Before the first test: builds the program and its pages, and starts the one browser. It has a new profile, which is
 * removed when it ends, and contacts nobody by itself: playwright turns off updates, synchronisation and the like.
 */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  build();
  const { executablePath, env } = unpackedBrowser();
  const server = await chromium
    .launchServer({
      host: '127.0.0.1',
      executablePath,
      env: { ...process.env, ...env },
      args: FLAGS,
    })
    .catch((error: unknown) => {
      throw new Error(
        `${executablePath} does not start here; CALLSHEET_BROWSER may name another Chromium or Chrome.`,
        { cause: error },
      );
    });
  project.provide('browser', {
    endpoint: server.wsEndpoint(),
    pid: server.process().pid ?? 0,
  });
  return () => server.close();
}
