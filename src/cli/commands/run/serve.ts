import { SIMULATED } from '../../../config/services.ts';
import { webhookPath } from '../../../collect/inbox/webhook-address.ts';
import { AppError, EXIT, messageOf } from '../../../runtime/errors.ts';
import type { Store } from '../../../store/port.ts';
import { defineCommand, type CommonArgs } from '../../args/command.ts';
import { openToDial, requireMayCreate } from '../../../app/places/databases.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption, logOf, serviceOptions } from '../../args/options.ts';
import { keepStack, printJson, say, warn } from '../../terminal/output.ts';
import { asSentence } from '../../../text/plural.ts';
import {
  chooseService,
  knownServices,
  openService,
  type OpenService,
  type ServiceRequest,
} from '../../../app/services/service.ts';
import { serveCampaigns } from '../../../app/run/serve-campaigns.ts';
import { messageOptions } from '../../args/message-options.ts';
import type { MessageKind } from '../../../app/world.ts';
import { tellNotices } from '../../print/notice-teller.ts';
import { listenerOptions, readListener, type ListenerFlags } from '../../args/listener-options.ts';
import { listenForStop } from '../../terminal/stop.ts';
import {
  addressLines,
  startListener,
  type Listener,
} from '../../../app/webhooks/webhook-listener.ts';
import { testWebhook } from '../../../app/webhooks/webhook-test.ts';
import { locateDatabase } from '../../../app/places/database-place.ts';

type Flags = CommonArgs &
  ServiceRequest &
  ListenerFlags & { db?: string | undefined; json: boolean; testWebhook: boolean };

export const serve = defineCommand({
  arguments: {},
  options: {
    ...serviceOptions,
    ...databaseOptions,
    ...listenerOptions,
    'test-webhook': {
      type: 'switch',
      describe: 'send a delivery through --public-url and say where it gets lost; then end',
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
      'does a delivery come through, from outside, the proxy and the signature included',
    ],
  ],
  notes: `A campaign is called once \`callsheet start NAME\` was confirmed; one with \`schedule\` at those times only, and
times that pass while nothing serves are told, not made up for. Webhooks are received for every service of
services.yaml whose key is there, for those of started campaigns, and for --service or --service-url.
It ends with Ctrl-C: no new call, calls in progress are collected for up to a minute; the second leaves at once.`,
  run: async (args, io) => {
    readListener(args);
    const place = locateDatabase(args, io, args.service === SIMULATED);
    requireMayCreate(place, io, args.service !== SIMULATED);
    const store = await openToDial(place, io, { onThread: true });
    const pool = new Map<string, Promise<OpenService | undefined>>();
    try {
      const services = await servicesOf(args, store, io);
      const open = (name: string) => {
        const known = pool.get(name) ?? openNamed(name, args, io);
        pool.set(name, known);
        return known;
      };
      if (args.testWebhook) return await tryWay(args, store, open, services, io);
      return await listenAndServe(args, store, open, services, io);
    } finally {
      for (const opened of pool.values()) await (await opened)?.close();
      await store.close();
    }
  },
});

type Open = (name: string) => Promise<OpenService | undefined>;

async function listenAndServe(
  args: Flags,
  store: Store,
  open: Open,
  services: readonly string[],
  io: CommandIo,
) {
  const log = logOf(args, io);
  const tell = (sentence: string, kind?: MessageKind) => {
    say(io, sentence, kind);
  };
  const notices = tellNotices({ campaign: '', log, tell }, io.clock);
  const listener = await startListener({ store, flags: args, notices }, io);
  const stop = listenForStop(io, {
    tell,
    rest: 'nothing is lost.',
    onSecond: () => {
      io.leave(EXIT.interrupted);
    },
  });
  try {
    for (const name of services) await addTo(listener, open, name);
    if (args.json) printJson(io, { webhooks: listener.addresses });
    for (const line of addressLines(listener)) say(io, line);
    if (listener.addresses.length === 0)
      say(io, 'No service has webhooks: only calling and collecting.');
    const tried = new Set(services);
    const openAndAdd: Open = async (name) => {
      if (tried.has(name)) return open(name);
      tried.add(name);
      try {
        return await addTo(listener, open, name);
      } catch (error) {
        warn(io, `No webhooks of ${name}: ${asSentence(messageOf(error))}`);
        keepStack(io, error);
        return open(name);
      }
    };
    await serveCampaigns(
      {
        store,
        feed: listener.feed,
        open: openAndAdd,
        log,
        stopDialling: stop.dialling,
        stop: stop.all,
      },
      io,
    );
  } finally {
    stop.forget();
    await listener.close();
  }
  const counts = Object.entries(listener.counts.toJSON()).map(
    ([end, count]) => `${count} ${end.replaceAll('_', ' ')}`,
  );
  say(
    io,
    `Stopped. Deliveries: ${counts.length === 0 ? 'none' : counts.join(', ')}.`,
    'end',
    EXIT.ok,
  );
  return EXIT.ok;
}

/** A service of a campaign that was begun meanwhile gets its address, too. */
async function addTo(
  listener: Listener,
  open: Open,
  name: string,
): Promise<OpenService | undefined> {
  const opened = await open(name);
  if (opened !== undefined) await listener.add(opened);
  return opened;
}

/** With a listener of its own, unless one is there already. */
async function tryWay(
  args: Flags,
  store: Store,
  open: Open,
  services: readonly string[],
  io: CommandIo,
) {
  const listener = await startListener({ store, flags: args, notices: null }, io).catch(
    (error: unknown) => {
      // Somebody listens there already: the delivery goes to that one.
      if (error instanceof AppError && error.code === 'WEBHOOK_PORT_UNAVAILABLE') return undefined;
      throw error;
    },
  );
  const publicUrl = args.publicUrl ?? `http://${args.host}:${args.port}`;
  try {
    const name = args.service ?? services[0] ?? '';
    const opened = await open(name);
    if (opened === undefined) return EXIT.usage;
    await listener?.add(opened);
    const token = await store.webhookToken(name, io.newId('hook'), io.clock.now());
    const own = listener?.addresses.find(({ service }) => service === name)?.url;
    const url = own ?? publicUrl.replace(/\/+$/, '') + webhookPath(name, token);
    await testWebhook(url, opened, store, io);
    return EXIT.ok;
  } finally {
    await listener?.close();
  }
}

/** The one that is named first, those of services.yaml, those of campaigns. */
async function servicesOf(args: Flags, store: Store, io: CommandIo): Promise<string[]> {
  const given = args.service ?? args.serviceUrl;
  const named = [...knownServices(args, io).entries.keys()];
  const campaigns = await store.listCampaigns();
  const all = [
    ...(given === undefined ? [] : [given]),
    ...named.filter((name) => name !== SIMULATED),
    ...campaigns.filter(({ state }) => state === 'running').map(({ service }) => service),
  ];
  return [...new Set(all)];
}

async function openNamed(
  name: string,
  args: Flags,
  io: CommandIo,
): Promise<OpenService | undefined> {
  try {
    const own = name === (args.service ?? args.serviceUrl);
    const flags = own ? args : { ...args, keyFile: undefined };
    const choice = own ? undefined : {};
    const config = chooseService(flags, io, { choice, stored: name, keyUrl: args.serviceUrl });
    return await openService(config, args, io);
  } catch (error) {
    warn(io, `Service ${name} is left out: ${asSentence(messageOf(error))}`);
    keepStack(io, error);
    return undefined;
  }
}
