import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { AtEnd } from '../../helpers/files/temp.ts';
import { PASSWORD } from '../../helpers/console.ts';
import { photographFailure } from './screenshots.ts';
import { startedBrowser } from '../setup/started.ts';
import { watchForFaults } from './watch-for-faults.ts';

/** What a browser needs to know of a console. */
export interface Address {
  /** Its base address without a trailing slash. */
  url: string;
  /** The one-time link; null where there are users. */
  link: string | null;
}

interface Visit extends Pick<BrowserContextOptions, 'viewport' | 'timezoneId'> {
  /** Signs in as this user, with the usual password of tests. */
  as?: string;
  /** Signs in: by the one-time link, or as `as`. Default: true. */
  isSignedIn?: boolean;
  /** Lines of the browser's console that belong to the test, e.g. of a connection that it cuts, and addresses elsewhere. */
  expected?: readonly RegExp[];
  /** Closes it; default: at the end of the test. */
  atEnd?: AtEnd;
}

/** Longer than any page needs, shorter than a test may take, so that the message names what was waited for. */
const PATIENCE_MS = 25_000;

/**
 * A page of a browser of its own (cookies, storage, cache), signed in and not yet anywhere: `page.goto('/')` is the
 * first page. The test fails when the page throws, writes an error to its console, breaks its content security
 * policy, is answered with a 5xx, or asks any other host. With the test, the browser is closed; before the console is,
 * if that was started earlier. With `atEnd` a page serves several tests, and such faults are told after the last one.
 */
export async function aPage(console: Address, visit: Visit = {}): Promise<Page> {
  const { as, isSignedIn = true, expected = [], atEnd = onTestFinished, ...options } = visit;
  const context = await aContext({ baseURL: console.url, ...options }, atEnd);
  const faults = await watchForFaults(context, console.url, expected);
  if (isSignedIn) await signIn(context, console, as);
  const page = await context.newPage();
  atEnd(() => {
    expect(faults, 'what the page must never do').toEqual([]);
  });
  if (atEnd === onTestFinished)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await photographFailure(page, task.name);
    });
  return page;
}

/**
 * Goes to another address of the console as the browser's way back does: the program stays loaded, as loading it takes
 * most of the time of a short test. What it shows has begun to change afterwards.
 */
export async function moveTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)});
    dispatchEvent(new PopStateEvent('popstate'));
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
}

/** A browser of its own that nobody watches: for pages that are not the console's. */
export async function aContext(
  options: BrowserContextOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<BrowserContext> {
  const browser = await startedBrowser();
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  atEnd(() => context.close());
  return context;
}

/** Without a page, which takes no time; the ways through the pages have tests of their own. */
async function signIn(context: BrowserContext, { url, link }: Address, as?: string) {
  if (as === undefined && link === null)
    throw new Error('this console has users: say as whom the page is opened');
  const answer =
    as === undefined
      ? await context.request.get(link ?? '', { maxRedirects: 0 })
      : await context.request.post('/api/v1/session', {
          data: { name: as, password: PASSWORD },
          headers: { origin: url },
        });
  if (answer.status() >= 400) throw new Error(`signing in: ${await answer.text()}`);
}
