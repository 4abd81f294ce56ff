import { chromium, type Browser } from 'playwright-core';
import { inject } from 'vitest';

let browser: Promise<Browser> | undefined;

/** The browser of all tests; a process connects once, and the connection ends with it. */
export async function connectedBrowser(): Promise<Browser> {
  browser ??= chromium.connect(inject('browser').endpoint);
  return browser;
}
