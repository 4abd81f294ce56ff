import { startConsole } from '../../../console/console.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import {
  consoleListenerOptions,
  readConsoleAt,
  readUploadSize,
} from '../../args/console-options.ts';
import { version } from '../../args/help.ts';
import { messageOptions } from '../../args/message-options.ts';
import { databaseOptions, jsonOption, logOf, serviceOptions } from '../../args/options.ts';
import { printJson } from '../../terminal/output.ts';
import { createStop } from '../../terminal/stop.ts';

export const openConsole = defineCommand({
  arguments: {},
  options: {
    port: { type: 'text', describe: 'port of the console', default: '4281' },
    host: { type: 'text', describe: 'address of the console', default: '127.0.0.1' },
    ...consoleListenerOptions,
    services: serviceOptions.services,
    ...databaseOptions,
    ...jsonOption,
    ...messageOptions,
  },
  examples: [
    ['console', 'an API for programs of this machine; `callsheet tokens add` gives each a token'],
    [
      'console --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem',
      'for other machines; `callsheet users add NAME --role admin` comes first',
    ],
  ],
  notes: `Every route, with what it takes and answers, is in /api/v1/openapi.json. Campaigns that are started by it are called
by this process, until it is stopped; it goes on by itself when hours open again.
It ends with Ctrl-C: no new call, calls in progress are collected for up to a minute; the second leaves at once.`,
  run: async (args, io) => {
    const { db, services, host, port } = args;
    const at = readConsoleAt(host, port, args, io.cwd);
    const mostUploadBytes = readUploadSize(args.maxUpload);
    const stop = createStop(io);
    stop.signals.left.addEventListener('abort', () => {
      io.leave(EXIT.interrupted);
    });
    const running = await startConsole(
      { at, db, services, dials: 'here', mostUploadBytes, version: version() },
      { log: logOf(args, io), stop: stop.signals },
      io,
    );
    const { url } = running;
    try {
      stop.listen(io.tell, 'nothing is lost.');
      const openapi = `${url}/api/v1/openapi.json`;
      if (args.json) printJson(io, { url, openapi });
      else {
        io.tell(
          `The API is at ${url}/api/v1; what it takes and answers is in ${openapi}. Programs need a token: \`callsheet tokens add NAME --role operator\`.`,
        );
      }
      await new Promise((resolve) => {
        stop.signals.dialling.addEventListener('abort', resolve);
      });
    } finally {
      await running.close();
      stop.forget();
    }
    io.tell('Stopped.', 'end', EXIT.ok);
    return {};
  },
});
