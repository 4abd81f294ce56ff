import { z } from 'zod';

import { callOneNumber, collectCalls } from '../../../app/run/call-one-number.ts';
import { EXIT, type ExitCode } from '../../../runtime/errors.ts';
import { runEnd } from '../../../views/campaigns.ts';
import { calledPerson } from '../../../views/calls.ts';
import { givenIn, settingOptions } from '../../args/campaign-options.ts';
import { defineCommand } from '../../args/command.ts';
import {
  databaseOptions,
  jsonOption,
  logOf,
  messageOptions,
  newDbOption,
  serviceOptions,
} from '../../args/options.ts';
import { callOutcome, runOutcome } from '../../print/calls.ts';
import { printOutcome } from '../../print/outcome.ts';
import { watchRun } from '../../terminal/stop.ts';

const { agent, country, requests, rules, timezone, set } = settingOptions;

export const call = defineCommand({
  arguments: {
    number: { describe: 'the number to call, with + and country code', required: true },
  },
  options: {
    agent,
    country,
    requests,
    rules,
    timezone,
    set,
    ...serviceOptions,
    ...databaseOptions,
    ...newDbOption,
    ...jsonOption,
    yes: {
      type: 'switch',
      describe: 'call a real person without asking; needed without a terminal',
    },
  },
  examples: [
    [
      'call +12125550123 --agent ag_123 --service simulated',
      'one test call: waits, prints transcript, duration and sentiment',
    ],
  ],
  json: calledPerson,
  run: async (args, io) => {
    const extras = { log: logOf(args, io), watch: watchRun(io) };
    return callOutcome(await callOneNumber({ ...args, given: givenIn(args) }, extras, io));
  },
});

export const collect = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign, or its file; default all with open calls' },
  },
  options: {
    ...serviceOptions,
    all: {
      type: 'switch',
      describe: 'ask again for every call without a result, not only for those of the last week',
    },
    ...databaseOptions,
    ...jsonOption,
    ...messageOptions,
  },
  notes: `A call that was given up without a result (no_result) is asked for again for a week, at most once an hour; with
--all whenever you want, for instance after you have mended the profile. Nobody is dialled for a result that comes late.`,
  examples: [
    ['collect spring', 'fetch outstanding analytics and write the results again; never dials'],
    ['collect spring --all', 'after the profile was mended: what the service still has comes in'],
  ],
  json: z.union([runEnd, calledPerson]),
  run: async (args, io) => {
    let worst: ExitCode = EXIT.ok;
    await collectCalls(
      args,
      {
        log: logOf(args, io),
        watch: () => watchRun(io),
        onReport: ({ kind, report }) => {
          const outcome = kind === 'list' ? runOutcome(report) : callOutcome(report);
          const code = printOutcome(outcome, args.json, io);
          if (ORDER.indexOf(code) > ORDER.indexOf(worst)) worst = code;
        },
      },
      io,
    );
    return { code: worst };
  },
});

/** With several campaigns, the exit code is the one that is last in this order. */
const ORDER: readonly ExitCode[] = [
  EXIT.ok,
  EXIT.waiting,
  EXIT.person,
  EXIT.key,
  EXIT.usage,
  EXIT.failed,
  EXIT.interrupted,
];
