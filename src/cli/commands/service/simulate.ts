import { simulateService, type SimulateRequest } from '../../../app/services/profiles.ts';
import { invalidFlag } from '../../../config/campaign-file.ts';
import { perBegunMinute, type Price } from '../../../domain/nights/budget.ts';
import { usageError } from '../../../runtime/errors.ts';
import { MIXES, type MixName } from '../../../simulator/calls/timeline.ts';
import { UNANSWERED, type Unanswered } from '../../../simulator/options.ts';
import {
  DIAL_FAULTS,
  parseFaults,
  READ_FAULTS,
  WEBHOOK_FAULTS,
} from '../../../simulator/wire/faults.ts';
import { shellWord } from '../../../text/wording.ts';
import { simulated } from '../../../views/services.ts';
import { defineCommand } from '../../args/command.ts';
import { positiveNumber, wholeNumber } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import { printOutcome } from '../../print/outcome.ts';

export const simulate = defineCommand({
  options: {
    port: { describe: 'port on 127.0.0.1; 0 takes a free one', default: '8787' },
    key: {
      type: 'texts',
      describe: 'API key it accepts; each is an account of its own; default one made up',
    },
    seed: { describe: 'everything drawn follows from it', default: 'callsheet' },
    'time-scale': {
      describe: 'simulated seconds per second; 60: a minute a second',
      default: '1',
    },
    mix: {
      describe: 'how people answer',
      choices: Object.keys(MIXES),
      default: 'warm',
    },
    capacity: { describe: 'calls in progress at once per key; default no limit' },
    rate: { describe: 'requests per second per key; default no limit' },
    unanswered: {
      describe:
        'analytics of calls that nobody answered: empty, with a status, with an outcome (as all calls then), or never',
      choices: UNANSWERED,
      default: 'outcome',
    },
    'opt-outs': {
      describe: 'share of conversations in which people want no more calls, 0 to 1',
      default: '0.015',
    },
    callbacks: {
      describe: 'share of conversations in which people ask to be called again, 0 to 1',
      default: '0',
    },
    cost: {
      describe:
        'price of each begun minute of a call that is taken: 0.12; with a fee per call: 0.5+0.12; default none is named',
    },
    state: {
      describe: 'file that keeps agents and calls over a restart; default memory',
    },
    faults: { describe: 'probability of faults, e.g. drop-response=0.01,429=0.05' },
    'webhook-url': {
      describe: 'address that gets finished calls and captured leads; default none',
    },
    'webhook-secret': {
      describe: 'its own secret to sign events with, whsec_ and base64; default one made up',
    },
    idempotency: { type: 'switch', describe: 'honour Idempotency-Key: a repeated dial rings once' },
  },
  examples: [
    ['simulate', 'a service in real time; prints how to use it'],
    [
      'simulate --port 8787 --key demo --time-scale 60',
      'a minute passes in a second, with a known key',
    ],
    ['simulate --faults drop-response=0.02,503=0.01 --seed 7', 'a service that fails, repeatably'],
    [
      'simulate --webhook-url http://127.0.0.1:4280/webhooks/main/TOKEN --faults webhook-lost=0.03,webhook-repeat=0.05',
      'events besides, some of them lost or sent twice',
    ],
  ],
  notes: `Faults of dials:
  ${DIAL_FAULTS.join(', ')}.
Faults of reads:
  ${READ_FAULTS.join(', ')}.
Faults of events:
  ${WEBHOOK_FAULTS.join(', ')}.
Events (call.finished, lead.captured) are signed after Standard Webhooks and repeated, with growing waits,
until they are answered with a 2xx; --state keeps those that were not. Which phone rang when, what was
captured and what was told is at /ledger, read with the key.
It runs until Ctrl-C.`,
  json: simulated,
  run: async (args, io) => {
    const { rate, capacity } = args;
    const { url, keys, webhooks, close } = await simulateService(
      {
        port: wholeNumber('--port', args.port, { min: 0, max: 65_535 }),
        keys: args.key,
        seed: args.seed,
        timeScale: positiveNumber('--time-scale', args.timeScale),
        mix: args.mix as MixName,
        capacity:
          capacity === undefined
            ? null
            : wholeNumber('--capacity', capacity, { min: 1, max: 100_000 }),
        rate: rate === undefined ? null : positiveNumber('--rate', rate),
        unanswered: args.unanswered as Unanswered,
        optOuts: shareOf('--opt-outs', args.optOuts),
        callbacks: shareOf('--callbacks', args.callbacks),
        price: args.cost === undefined ? null : priceOf(args.cost),
        state: args.state ?? null,
        faults: parseFaults(args.faults ?? ''),
        idempotency: args.idempotency,
        webhooks: webhooksOf(args),
      },
      io,
    );
    // Listens for Ctrl-C before the address is printed: a program that reads the address may stop this one at once.
    const stopped = interrupted(io);
    const name = keys.join(' or ');
    const outcome = {
      json: {
        url,
        keys,
        ledger: `${url}/ledger`,
        webhooks,
      },
      lines: [url],
      hints: [
        `The embedded voice service listens on ${url}, key ${name}. Nobody is called.`,
        'In another terminal:',
        `  export VOICE_API_URL=${url} VOICE_API_KEY=${shellWord(keys[0] ?? '')}`,
        '  callsheet agents create --name Test --system-prompt-file PROMPT.txt',
        '  callsheet run LIST.csv --agent ID --country US',
        `Which phones rang: ${url}/ledger. Stop it with Ctrl-C.`,
        ...(webhooks === null
          ? []
          : [`Events go to ${webhooks.url}, signed with ${webhooks.secret}.`]),
      ],
    };
    printOutcome(outcome, args.json, io);
    await stopped;
    await close();
    return { told: ['The embedded service has stopped.'] };
  },
});

function shareOf(flag: string, text: string): number {
  return /^0(\.0+)?$/.test(text) ? 0 : positiveNumber(flag, text);
}

function priceOf(text: string): Price {
  const [fee = '', perMinute, ...more] = text.includes('+') ? text.split('+') : ['0', text];
  const amounts = [fee, perMinute ?? ''];
  const isRead = amounts.every((each) => /^\d{1,9}(\.\d{1,9})?$/.test(each)) && more.length === 0;
  if (isRead && Number(perMinute) > 0) return perBegunMinute(Number(perMinute), Number(fee));
  throw invalidFlag(
    `--cost "${text}" is not possible; allowed is what a begun minute costs, such as 0.12, or a fee for each call before it: 0.5+0.12.`,
  );
}

function webhooksOf({
  webhookUrl: url,
  webhookSecret: secret,
}: Record<'webhookUrl' | 'webhookSecret', string | undefined>): SimulateRequest['webhooks'] {
  if (url !== undefined) return { url, secret };
  if (secret === undefined) return null;
  throw usageError(
    'FLAG_INVALID',
    '--webhook-secret signs events, and there is no --webhook-url to send them to.',
    'Add --webhook-url, or leave --webhook-secret out.',
  );
}

function interrupted(io: CommandIo): Promise<void> {
  return new Promise((resolve) => {
    const stop = io.onSignal(() => {
      stop();
      resolve();
    });
  });
}
