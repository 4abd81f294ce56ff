import { existsSync } from 'node:fs';
import { withIso } from '../../../text/iso-times.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  type KeptDelivery,
} from '../../../store/deliveries.ts';
import type { Store } from '../../../store/port.ts';
import { openSqliteStore } from '../../../store/sqlite/open.ts';
import { defineCommand } from '../../args/command.ts';
import type { CommandIo } from '../../io.ts';
import { applyReceived } from '../../../app/run/leftover-deliveries.ts';
import { localTime } from '../../../text/local-time.ts';
import { databaseOptions, jsonOption, serviceOptions, wholeNumber } from '../../args/options.ts';
import { printJson, printTable, say } from '../../terminal/output.ts';
import { put } from '../../terminal/terminal.ts';
import { asSentence, counted } from '../../../text/plural.ts';
import { invalidFlag } from '../../../config/mend.ts';
import { locateDatabase } from '../../../app/places/database-place.ts';

const stateOption = {
  type: 'text',
  describe: 'only those in this state',
  choices: DELIVERY_STATES,
} as const;

export const list = defineCommand({
  arguments: {},
  options: {
    ...databaseOptions,
    service: { type: 'text', describe: 'only those of this service' },
    state: stateOption,
    limit: { type: 'text', describe: 'so many, the newest first', default: '50' },
    ...jsonOption,
  },
  examples: [
    ['inbox list', 'what services have sent, the newest first, and what became of it'],
    ['inbox list --state unmatched', 'deliveries that no call is known for'],
  ],
  notes: `received: not looked at yet. applied: it is in the results. hint: unsigned, so its call was read from the
service instead. unmatched: no call is known for it, and it is looked for again. contradicted: it says what
cannot be true. ignored, unknown: by the profile its type means nothing, or is not named there. unreadable:
it is not what the profile expects. Bodies are dropped 30 days after they came, of those that came to nothing
after 90; the line stays.`,
  run: (args, io) =>
    withStore(args, io, 'read', async (store) => {
      const deliveries = await store.listDeliveries({
        state: (args.state as DeliveryState | undefined) ?? null,
        service: args.service ?? null,
        limit: wholeNumber('--limit', args.limit, { min: 1, max: 100_000 }),
      });
      if (args.json) {
        printJson(
          io,
          deliveries.map((each) => withIso(each, ['receivedAt'], io.timezone)),
        );
        return EXIT.ok;
      }
      printTable(
        io,
        ['id', 'received', 'service', 'type', 'state', 'call', 'number', 'why'],
        deliveries.map((each) => [
          each.id,
          localTime(each.receivedAt, io.timezone),
          each.service,
          `${each.type ?? '-'}${each.times > 1 ? ` (${each.times} times)` : ''}`,
          `${each.state}${each.signed ? '' : ', unsigned'}${each.bodyDropped ? ', body dropped' : ''}`,
          each.callId,
          each.phone,
          each.reason,
        ]),
      );
      const counts = await store.countDeliveries();
      const byState = counts.map(({ service, state, count }) => `${service} ${count} ${state}`);
      say(
        io,
        byState.length === 0 ? 'No delivery has come yet.' : `In all: ${byState.join(', ')}.`,
      );
      return EXIT.ok;
    }),
});

export const show = defineCommand({
  arguments: {
    id: { describe: 'the id of a delivery; see `callsheet inbox list`', required: true },
  },
  options: { ...databaseOptions, ...jsonOption },
  examples: [['inbox show dlv_5f0c', 'one delivery with its headers and its body as it came']],
  run: (args, io) =>
    withStore(args, io, 'read', async (store) => {
      const found = await store.findDelivery(args.id);
      if (found === undefined) throw unknownDelivery(args.id, store);
      const { body, headers, ...rest } = found;
      const text = Buffer.from(body).toString('utf8');
      if (args.json) {
        printJson(io, { ...withIso(rest, ['receivedAt'], io.timezone), headers, body: text });
        return EXIT.ok;
      }
      printTable(io, ['', ''], facts(found, io));
      if (found.bodyDropped) say(io, `Its body was dropped: ${whyDropped(found.state)}.`);
      else put(io, 'out', `\n${pretty(text)}\n`);
      return EXIT.ok;
    }),
});

export const replay = defineCommand({
  arguments: { id: { describe: 'the id of a delivery; or give --state' } },
  options: { ...serviceOptions, ...databaseOptions, state: stateOption, ...jsonOption },
  examples: [
    ['inbox replay dlv_5f0c', 'look at a delivery again, e.g. after the profile was mended'],
    ['inbox replay --state unreadable', 'all that could not be read'],
  ],
  run: (args, io) =>
    withStore(args, io, 'write', async (store) => {
      const { id, state } = args;
      if ((id === undefined) === (state === undefined)) {
        throw invalidFlag(
          'inbox replay takes the id of one delivery, or --state for all of a state.',
        );
      }
      const which = id === undefined ? { state: state as DeliveryState } : { ids: [id] };
      const count = await store.replayDeliveries(which, io.clock.now());
      if (count === 0 && id !== undefined) throw await cannotReplay(id, store);
      const services = (await store.countDeliveries()).filter((each) => each.state === 'received');
      for (const service of new Set(services.map((each) => each.service))) {
        await applyReceived(service, store, args, io);
      }
      if (id === undefined) {
        if (args.json) printJson(io, { replayed: count });
        say(
          io,
          `${counted(count, 'delivery').replace('deliverys', 'deliveries')} looked at again; \`callsheet inbox list\` shows what became of them.`,
        );
        return EXIT.ok;
      }
      const now = await store.findDelivery(id);
      if (args.json) {
        printJson(io, { id, state: now?.state ?? null, reason: now?.reason ?? null });
      }
      const why = now?.reason == null ? '' : `: ${now.reason}`;
      say(io, asSentence(`${id} is ${now?.state ?? 'gone'}${why}`));
      return EXIT.ok;
    }),
});

async function withStore<T>(
  flags: { db?: string | undefined },
  io: CommandIo,
  mode: 'read' | 'write',
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const { path } = locateDatabase(flags, io, false);
  // To write would make a missing database, and a new one knows nobody who was called before.
  const store = openSqliteStore({ path, mode: existsSync(path) ? mode : 'read' });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function cannotReplay(id: string, store: Store): Promise<AppError> {
  const found = await store.findDelivery(id);
  if (found?.bodyDropped !== true) return unknownDelivery(id, store);
  return new AppError(
    'DELIVERY_UNKNOWN',
    `The body of delivery "${id}" was dropped: ${whyDropped(found.state)}.`,
    { hint: `\`callsheet inbox show ${id}\` tells what became of it`, exitCode: EXIT.usage },
  );
}

/** See `InboxPruning`. */
function whyDropped(state: DeliveryState): string {
  return ['applied', 'hint', 'ignored'].includes(state)
    ? 'it did its part more than 30 days ago'
    : 'it came more than 90 days ago, and to nothing';
}

function unknownDelivery(id: string, store: Store): AppError {
  return new AppError('DELIVERY_UNKNOWN', `No delivery "${id}" is in ${store.location}.`, {
    hint: '`callsheet inbox list` shows them',
    exitCode: EXIT.usage,
  });
}

function facts(delivery: KeptDelivery, io: CommandIo): [string, string | null][] {
  const { headers } = delivery;
  return [
    ['id', delivery.id],
    ['received', localTime(delivery.receivedAt, io.timezone)],
    ['times', String(delivery.times)],
    ['service', delivery.service],
    ['its name there', delivery.key],
    ['signed', delivery.signed ? 'yes' : 'no'],
    ['type', delivery.type],
    ['state', delivery.state],
    ['why', delivery.reason],
    ['call', delivery.callId],
    ['number', delivery.phone],
    ['campaign', delivery.campaign],
    ...Object.entries(headers),
  ];
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
