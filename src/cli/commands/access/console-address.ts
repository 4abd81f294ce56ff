import type { SignIn } from '../../../app/access/listening.ts';
import type { CommandIo } from '../../io.ts';
import { hasBrowser } from '../../terminal/browser.ts';
import { printLines } from '../../terminal/output.ts';

/** What programs are told of a console: its addresses. */
export function addressesOf({ url, link }: SignIn) {
  return { url, link, openapi: `${url}/api/v1/openapi.json` };
}

/**
 * Says where the console is. What lets in goes to the standard output alone: messages are kept in log files.
 *
 * @param opens shows it in the browser, if there is one before the person; when that fails, they have the address
 */
export async function tellAddress(
  { url, link }: SignIn,
  { opens }: { opens: boolean },
  io: CommandIo,
): Promise<void> {
  const inBrowser = opens && hasBrowser(io);
  const opening = inBrowser ? ' and opens in your browser' : '';
  const how =
    link === null
      ? 'it asks for name and password.'
      : `${inBrowser ? 'if it does not, open this link yourself' : 'open this link in a browser'}. It lets one person in, once, within 5 minutes; \`callsheet console --link\` prints another.`;
  io.tell(`The console is at ${url}${opening}; ${how}`);
  printLines(io, [link ?? url]);
  if (inBrowser) await io.openBrowser(link ?? url).catch(() => undefined);
}
