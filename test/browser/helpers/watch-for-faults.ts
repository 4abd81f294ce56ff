import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/** The browser's own line about an answer like 401 or 409; what the page then says is looked at by the test. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d /;

/** A violation of the policy is told by the browser too, but not of one that only reports. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('content security policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;

/**
 * Notes all that a page of the console must never do.
 *
 * @param url the console's base address, the only one that may be asked
 * @param expected lines of the browser's console, and addresses elsewhere, that belong to the test
 * @returns a list that grows, empty while all is well
 */
export async function watchForFaults(
  context: BrowserContext,
  url: string,
  expected: readonly RegExp[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  const told = (message: ConsoleMessage) => {
    const text = message.text();
    if (message.type() !== 'error' || expected.some((one) => one.test(text))) return;
    if (REFUSED.test(text) && message.location().url.startsWith(`${url}/api/`)) return;
    faults.push(`console: ${text} (${message.location().url})`);
  };
  context.on('console', told);
  context.on('weberror', (error) => faults.push(`thrown: ${error.error().stack ?? ''}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOwn = origin === url || ['blob:', 'data:'].includes(protocol);
    const isMeant = expected.some((one) => one.test(request.url()));
    if (!isOwn && !isMeant) faults.push(`another host was asked: ${request.url()}`);
  });
  await context.addInitScript(TELL_VIOLATIONS);
  return faults;
}
