import type { z } from 'zod';

import { signInToRunning, type SignIn } from '../../../app/access/listening.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { consoleAddresses } from '../../../views/access.ts';
import { defineCommand } from '../../args/command.ts';
import { consoleListenerOptions, readConsoleListener } from '../../args/console-options.ts';
import { version } from '../../args/help.ts';
import {
  databaseOptions,
  jsonOption,
  logOf,
  messageOptions,
  serviceOptions,
} from '../../args/options.ts';
import type { CommandIo, Io } from '../../io.ts';
import { printJson, printLines } from '../../terminal/output.ts';
import { createStop } from '../../terminal/stop.ts';

export function addressesOf({ url, link }: SignIn): z.infer<typeof consoleAddresses> {
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

/**
 * Whether the operator sits before a browser of this machine: on a terminal, not in a build, and with a
 * screen. Over SSH the screen is elsewhere, unless one is named.
 */
function hasBrowser({
  env,
  platform,
  stdinIsTty,
  stderrIsTty,
}: Pick<Io, 'env' | 'platform' | 'stdinIsTty' | 'stderrIsTty'>): boolean {
  const { CI, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = env;
  if (!stdinIsTty || !stderrIsTty || isSet(CI)) return false;
  if (platform === 'darwin' || platform === 'win32') return !isSet(SSH_CONNECTION);
  return [DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME].some(isSet);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

export const openConsole = defineCommand({
  options: {
    link: {
      type: 'switch',
      describe: 'print a link that lets one person into the console that runs; then end',
    },
    'no-open': { type: 'switch', describe: 'do not open it in the browser' },
    ...consoleListenerOptions,
    services: serviceOptions.services,
    ...databaseOptions,
    ...jsonOption,
    ...messageOptions,
  },
  examples: [
    ['console', 'opens it in your browser, or prints the link to open'],
    ['console --link', 'another link, when the first was used or is older than 5 minutes'],
    [
      'console --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --allow-host calls.example.com',
      'for a team; `callsheet users add NAME --role admin` comes first',
    ],
  ],
  notes: `A page for the browser: upload a list, see what would happen, start it, watch it, read every call,
take the results. While there are no users, a link lets in the first who opens it; once there are, name and
password are asked for. Addresses that other machines reach need users, and https or --behind-proxy.
Campaigns that are started in it are called by this process, until it is stopped; it goes on by itself when
hours open again. \`callsheet serve --console\` is for machines that serve day and night.
Programs use the same addresses with a token (\`callsheet tokens add\`): /api/v1/openapi.json has every one.
It ends with Ctrl-C: no new call, calls in progress are collected for up to a minute; the second leaves at once.`,
  json: consoleAddresses,
  run: async (args, io) => {
    if (args.link) {
      const found = await signInToRunning(args, io);
      if (args.json) printJson(io, addressesOf(found));
      else await tellAddress(found, { opens: false }, io);
      return {};
    }
    const { db, services } = args;
    const listener = readConsoleListener(args, io.cwd);
    const { startConsole } = await import('../../../console/console.ts');
    const stop = createStop(io);
    stop.signals.left.addEventListener('abort', () => io.leave(EXIT.interrupted));
    const running = await startConsole(
      { ...listener, db, services, dials: 'here', version: version() },
      { log: logOf(args, io), stop: stop.signals },
      io,
    );
    try {
      stop.listen(io.tell, 'nothing is lost.');
      io.keepHeapSmall();
      if (args.json) printJson(io, addressesOf(running));
      else {
        await tellAddress(running, { opens: !args.noOpen }, io);
        io.tell('What is started in it is called by this process: it runs until Ctrl-C.');
      }
      await aborted(stop.signals.dialling);
    } finally {
      await running.close();
      stop.forget();
    }
    io.tell('Stopped.', 'end', EXIT.ok);
    return {};
  },
});

/** Also where that was while the browser was opened. */
function aborted(signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', resolve));
}
