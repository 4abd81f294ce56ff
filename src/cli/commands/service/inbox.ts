import { findDelivery, listDeliveries, replayDeliveries } from '../../../app/webhooks/inbox.ts';
import {
  DELIVERY_MEANINGS,
  DELIVERY_STATES,
  type DeliveryState,
} from '../../../domain/same-call.ts';
import { localOf } from '../../../text/times.ts';
import { asSentence, counted } from '../../../text/wording.ts';
import { deliveries, deliveryDetail, replayed, type DeliveryDetail } from '../../../views/calls.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, serviceOptions, wholeNumber } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';

const stateOption = {
  describe: 'only those in this state',
  choices: DELIVERY_STATES,
} as const;

export const list = defineCommand({
  options: {
    ...databaseOptions,
    service: { describe: 'only those of this service' },
    state: stateOption,
    limit: { describe: 'how many, the newest first', default: '50' },
  },
  examples: [
    ['inbox list', 'what services have sent, the newest first, and the state of each'],
    ['inbox list --state unmatched', 'deliveries that no call is known for'],
  ],
  notes: `${Object.entries(DELIVERY_MEANINGS)
    .map(([state, means]) => `${state}: ${means}`)
    .join('\n')}
Bodies are dropped 30 days after they came, of those that came to nothing
after 90; the line stays.`,
  json: deliveries,
  run: async ({ db, ...args }, io) => {
    const limit = wholeNumber('--limit', args.limit, { min: 1, max: 100_000 });
    const state = (args.state as DeliveryState | undefined) ?? null;
    const request = { db, state, service: args.service ?? null, limit };
    const found = await listDeliveries(request, io);
    const { items, counts } = found;
    const byState = counts.map(({ service, state, count }) => `${service} ${count} ${state}`);
    return {
      json: found,
      table: [
        ['id', 'received', 'service', 'type', 'state', 'call', 'number', 'why'],
        items.map((each) => [
          each.id,
          `${localOf(each.receivedAt)} ${io.timezone}`,
          each.service,
          `${each.type ?? '-'}${each.times > 1 ? ` (${each.times} times)` : ''}`,
          `${each.state}${each.signed ? '' : ', unsigned'}${each.bodyDropped ? ', body dropped' : ''}`,
          each.callId,
          each.phone,
          each.reason,
        ]),
      ],
      hints: [
        byState.length === 0 ? 'No delivery has come yet.' : `In all: ${byState.join(', ')}.`,
      ],
    };
  },
});

export const show = defineCommand({
  arguments: {
    id: { describe: 'the id of a delivery; see `callsheet inbox list`', required: true },
  },
  options: databaseOptions,
  examples: [['inbox show dlv_5f0c', 'one delivery with its headers and its body as it came']],
  json: deliveryDetail,
  run: async (args, io) => {
    const found = await findDelivery(args, io);
    const { body, whyDropped } = found;
    return {
      json: found,
      table: [['', ''], facts(found, io)],
      ...(body === null
        ? { hints: [`Its body was dropped: ${whyDropped ?? ''}.`] }
        : { text: `\n${pretty(body)}\n` }),
    };
  },
});

export const replay = defineCommand({
  arguments: { id: { describe: 'the id of a delivery; or give --state' } },
  options: { ...serviceOptions, ...databaseOptions, state: stateOption },
  examples: [
    ['inbox replay dlv_5f0c', 'look at a delivery again, e.g. after the profile was mended'],
    ['inbox replay --state unreadable', 'all that could not be read'],
  ],
  json: replayed,
  run: async (args, io) => {
    const state = args.state as DeliveryState | undefined;
    const done = await replayDeliveries({ ...args, state }, io);
    const { count, delivery } = done;
    const { id } = args;
    if (id === undefined) {
      const again = `${counted(count, 'delivery', 'deliveries')} looked at again; \`callsheet inbox list\` shows their states.`;
      return { json: done, told: [again] };
    }
    const { state: now = 'gone', reason = null } = delivery ?? {};
    return {
      json: done,
      told: [asSentence(`${id} is ${now}${reason === null ? '' : `: ${reason}`}`)],
    };
  },
});

function facts(delivery: DeliveryDetail, io: CommandIo): [string, string | null][] {
  return [
    ['id', delivery.id],
    ['received', `${localOf(delivery.receivedAt)} ${io.timezone}`],
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
    ...Object.entries(delivery.headers ?? {}),
  ];
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
