import { serve as runServer } from '../../../app/serve/serve.ts';
import type { ServeEvent } from '../../../app/serve/serve-options.ts';
import { testDelivery } from '../../../app/webhooks/webhook-test.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand, type CommonArgs } from '../../args/command.ts';
import {
  listenerOptions,
  readListener,
  readMetricsAt,
  readServeConsole,
  serveConsoleOptions,
} from '../../args/console-options.ts';
import {
  databaseOptions,
  jsonOption,
  logOf,
  messageOptions,
  serviceOptions,
} from '../../args/options.ts';
import { tellNotice } from '../../../app/sentences/notices.ts';
import { localTime } from '../../../text/times.ts';
import { served } from '../../../views/access.ts';
import { runLine } from '../../print/calls.ts';
import { printJson } from '../../terminal/output.ts';
import { createStop } from '../../terminal/stop.ts';
import { outwait } from '../../../app/places/databases.ts';
import { locateDatabase, nameOf, withOnlyRehearsals } from '../../../app/places/home.ts';
import type { StopSignals } from '../../../app/run/run-events.ts';
import { SIMULATED } from '../../../config/services-file.ts';
import type { RunningConsole } from '../../../console/console.ts';
import { version } from '../../args/help.ts';
import type { CommandIo } from '../../io.ts';
import { addressesOf, tellAddress } from '../access/console.ts';

export const serve = defineCommand({
  options: {
    ...serviceOptions,
    ...databaseOptions,
    ...listenerOptions,
    ...serveConsoleOptions,
    'test-webhook': {
      type: 'switch',
      describe: 'send a delivery through --public-url and say where it gets lost; then end',
    },
    metrics: {
      describe: 'serve metrics for Prometheus on [HOST:]PORT of this machine; default nowhere',
    },
    ...jsonOption,
    ...messageOptions,
  },
  examples: [
    [
      'serve --public-url https://calls.example.com',
      'receive webhooks, call every campaign that was started, collect results, until Ctrl-C',
    ],
    [
      'serve --test-webhook --service main --public-url https://calls.example.com',
      'check that a delivery comes through from outside, proxy and signature included',
    ],
    ['serve --console', 'the console besides; campaigns that are started in it are called at once'],
  ],
  notes: `A campaign is called once \`callsheet resume NAME\` was confirmed; one with \`schedule\` from those times to
the end of their nights. A time that nothing served is made up for while its night lasts, else told. Webhooks are received for every service of
services.yaml whose key is there, for those of started campaigns, and for --service or --service-url.
/healthz on the same port tells monitors whether it works; --metrics adds a port of this machine for Prometheus.
It ends with Ctrl-C: no new call, calls in progress are collected for up to a minute; the second leaves at once.`,
  json: served,
  run: async (given, io) => {
    // Without a person there, a database of real calls that is missing is never made up for.
    const args = io.attended ? withOnlyRehearsals(given, io) : given;
    if (args !== given)
      io.tell(
        'Only rehearsals are here: they are served by the embedded service; nobody is called.',
      );
    const listenAt = readListener(args);
    const consoleAt = readServeConsole(args, listenAt.port, io.cwd);
    const metrics = args.metrics === undefined ? null : readMetricsAt(args.metrics);
    const request = { ...args, listenAt, metrics };
    if (args.testWebhook) return { code: await testDelivery(request, io) };
    const stop = createStop(io);
    stop.signals.left.addEventListener('abort', () => io.leave(EXIT.interrupted));
    const beside = consoleAt && (await startServeConsole(consoleAt, args, stop.signals, io));
    const onEvent = (event: ServeEvent) => {
      if (event.is === 'begun') stop.listen(io.tell, 'nothing is lost.');
      else if (event.is === 'listening') {
        const webhooks = event.addresses;
        io.keepHeapSmall();
        if (args.json) printJson(io, { webhooks, console: beside?.addresses ?? null });
        else void beside?.tell();
      } else if (event.is === 'calling') {
        const { campaign, bounds, opensAt } = event;
        const from =
          opensAt === null
            ? 'calling'
            : `calls from ${localTime(opensAt, campaign.settings.timezone)} on`;
        io.tell(`${campaign.name}: ${from}. ${runLine(campaign, bounds, io)}`);
      } else {
        const { campaign } = event;
        tellNotice(event, campaign, (sentence, kind) =>
          io.tell(campaign === '' ? sentence : `${campaign}: ${sentence}`, kind),
        );
      }
    };
    try {
      const watch = { log: logOf(args, io), stop: stop.signals, onEvent };
      const counts = Object.entries(await runServer(request, watch, io)).map(
        ([end, count]) => `${count} ${end.replaceAll('_', ' ')}`,
      );
      const came = counts.length === 0 ? 'none' : counts.join(', ');
      io.tell(`Stopped. Deliveries: ${came}.`, 'end', EXIT.ok);
      return {};
    } finally {
      await beside?.close();
      stop.forget();
    }
  },
});

type ServeArgs = CommonArgs & Record<'db' | 'service' | 'services', string | undefined>;
type Listener = NonNullable<ReturnType<typeof readServeConsole>>;

/**
 * Starts the console within `serve`; what is started in it is called by `serve`.
 *
 * @param stop ends `serve`
 */
async function startServeConsole(
  listener: Listener,
  args: ServeArgs,
  stop: StopSignals,
  io: CommandIo,
) {
  const { startConsole } = await import('../../../console/console.ts');
  const { service, services } = args;
  // The database that is served: without --db, rehearsals have their own.
  const place = locateDatabase(args, io, service === SIMULATED);
  const db = service === SIMULATED ? nameOf(place) : args.db;
  // A server that fails ends the console's own work, too.
  const over = new AbortController();
  const watch = {
    log: logOf(args, io),
    stop: {
      dialling: AbortSignal.any([stop.dialling, over.signal]),
      all: AbortSignal.any([stop.all, over.signal]),
      left: stop.left,
    },
  };
  const request = { ...listener, db, services, dials: 'serve', version: version() } as const;
  // As `serve` itself waits for a server that is away.
  const running = await outwait(place, io, () => startConsole(request, watch, io));
  return {
    addresses: addressesOf(running),
    tell: () => tellServed(running, io),
    close: () => {
      over.abort();
      return running.close();
    },
  };
}

/** A service that nobody looks at prints no link: its output is kept. */
async function tellServed(running: RunningConsole, io: CommandIo): Promise<void> {
  if (running.link === null || io.attended) {
    await tellAddress(running, { opens: false }, io);
    return;
  }
  io.tell(
    `The console is at ${running.url}; \`callsheet console --link\` prints a link that lets you in.`,
  );
}
