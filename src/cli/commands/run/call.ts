import { callOneNumber } from '../../../app/run/call-one-number.ts';
import { defineCommand } from '../../args/command.ts';
import {
  databaseOptions,
  jsonOption,
  logOf,
  newDbOption,
  serviceOptions,
} from '../../args/options.ts';
import { givenIn, settingOptions } from '../../args/campaign-options.ts';
import { calledPerson } from '../../../views/calls.ts';
import { callOutcome } from '../../print/calls.ts';
import { watchRun } from '../../terminal/watch-run.ts';

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
