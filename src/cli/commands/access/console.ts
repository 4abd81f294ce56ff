import { signInToRunning } from '../../../app/access/listening.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { consoleListenerOptions, readConsoleListener } from '../../args/console-options.ts';
import { version } from '../../args/help.ts';
import { messageOptions } from '../../args/message-options.ts';
import { databaseOptions, jsonOption, logOf, serviceOptions } from '../../args/options.ts';
import { printJson } from '../../terminal/output.ts';
import { createStop } from '../../terminal/stop.ts';
import { addressesOf, tellAddress } from './console-address.ts';

export const openConsole = defineCommand({
  arguments: {},
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
take the results. While there are no users, a link lets in whoever opens it first; once there are, name and
password are asked for. Addresses that other machines reach need users, and https or --behind-proxy.
Campaigns that are started in it are called by this process, until it is stopped; it goes on by itself when
hours open again. \`callsheet serve --console\` is for machines that serve day and night.
Programs use the same addresses with a token (\`callsheet tokens add\`): /api/v1/openapi.json has every one.
It ends with Ctrl-C: no new call, calls in progress are collected for up to a minute; the second leaves at once.`,
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
    stop.signals.left.addEventListener('abort', () => {
      io.leave(EXIT.interrupted);
    });
    const running = await startConsole(
      { ...listener, db, services, dials: 'here', version: version() },
      { log: logOf(args, io), stop: stop.signals },
      io,
    );
    try {
      stop.listen(io.tell, 'nothing is lost.');
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
  return new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
  });
}
