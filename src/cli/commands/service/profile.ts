import { z } from 'zod';

import { pinProfileTo, readProfile, tryProfile } from '../../../app/services/profiles.ts';
import { isPersonField } from '../../../domain/lists/person.ts';
import { EXIT } from '../../../runtime/errors.ts';
import type { SampleReading } from '../../../service/profile/profile-samples.ts';
import type { Profile } from '../../../service/profile/profile.ts';
import { coversBody, pathText } from '../../../service/profile/read-fields.ts';
import { formatDuration } from '../../../text/times.ts';
import { counted, shellWord } from '../../../text/wording.ts';
import { profilePinned, profileRead, sampleReading } from '../../../views/services.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import { printLines, printTable } from '../../terminal/output.ts';

const profileArgument = {
  profile: {
    describe: 'a profile by its path, or by its name in campaigns/profiles',
    required: true,
  },
} as const;

/** `profile check`: checks that a file is a profile, and prints what the profile says. */
export const check = defineCommand({
  arguments: profileArgument,
  examples: [
    ['profile check campaigns/profiles/mine.yaml', 'every key in order, or the line that is not'],
  ],
  json: profileRead,
  run: async (args, io) => {
    const { path, profile } = readProfile(args.profile, io);
    const facts = factsOf(profile);
    const next = `${path} is a profile in order; try it on saved answers: \`callsheet profile try ${shellWord(args.profile)} --samples DIR\`.`;
    return {
      json: { path, says: Object.fromEntries(facts) },
      table: [['WHAT', 'AS THE PROFILE SAYS'], facts],
      told: [next],
    };
  },
});

/** `profile try`: prints what a profile finds in saved answers. */
export const tryOut = defineCommand({
  arguments: profileArgument,
  options: {
    samples: {
      describe: 'a folder with saved answers of the service',
      required: true,
    },
  },
  examples: [
    [
      'profile try mine.yaml --samples answers/',
      'what is found in each answer, by which name, and what is not',
    ],
  ],
  notes: `Answers are files named after what was asked: dial.json, analytics-ended.json, analytics-done.json, agents.json,
calls.json, webhook-finished.json; more-done.json is what is read after analytics-done.json; a status other than 200 goes into the name: dial-429.json, analytics-404.json.`,
  json: z.array(sampleReading),
  run: async (args, io) => {
    const readings = tryProfile(args, io);
    if (!args.json) for (const reading of readings) printReading(reading, io);
    const json = readings.map(withoutPaths);
    const bad = readings.filter(({ ok }) => !ok).map(({ name }) => name);
    const all = counted(readings.length, 'answer');
    return bad.length === 0
      ? { json, told: [`${all} understood.`] }
      : {
          json,
          told: [`${bad.length} of ${all} not understood: ${bad.join(', ')}.`],
          code: EXIT.failed,
        };
  },
});

/** `profile pin`: writes a copy that has only names found in real answers, instead of several possible ones. */
export const pin = defineCommand({
  arguments: profileArgument,
  options: {
    samples: { describe: 'a folder with saved answers, as for `profile try`' },
    campaign: { describe: 'take the analytics of its settled calls' },
    output: { alias: 'o', describe: 'the new profile; - for stdout', required: true },
    ...databaseOptions,
  },
  examples: [
    [
      'profile pin voice-agent --campaign spring -o campaigns/profiles/main.yaml',
      'keep only the names that real answers had',
    ],
  ],
  notes: `With a pinned profile an answer of another shape is an error, not a guess. It counts as another profile: the next
run dials one call at a time until the first is answered as expected.`,
  json: profilePinned,
  run: async (args, io) => {
    const { answers, kept, empty } = await pinProfileTo(args, io);
    const { output } = args;
    const written = `${output} is written, by what ${counted(answers, 'answer')} had.`;
    const gone = `Found in no answer, and no longer looked for: ${empty.join(', ')}.`;
    const told = [
      ...(output === '-' ? [] : [written]),
      ...kept,
      ...(empty.length > 0 ? [gone] : []),
    ];
    return { json: { output, answers, kept, empty }, told };
  },
});

function printReading(reading: SampleReading, io: CommandIo): void {
  const { name, ok, says, found, missed, unused } = reading;
  printLines(io, [`${name}: ${ok ? '' : 'NOT UNDERSTOOD, '}${shortened(says, 500)}`]);
  const rows = [
    ...found.map(({ field, text, value }) => ['  found', field, text, value]),
    ...missed.map(({ field, lookedFor }) => ['  missed', field, shortened(lookedFor), '-']),
    ...unused.map(({ at, value }) => ['  unused', '-', at, value]),
  ];
  if (rows.length > 0) printTable(io, ['', 'FIELD', 'NAME', 'VALUE'], rows);
  printLines(io, ['']);
}

function shortened(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

function withoutPaths(reading: SampleReading) {
  const found = reading.found.map(({ field, text, value }) => ({ field, name: text, value }));
  return { ...reading, found };
}

type Webhooks = NonNullable<Profile['webhooks']>;

const NONE = 'none';

/** What a profile says: a name and a text for each of its sections. */
function factsOf(profile: Profile): [what: string, says: string][] {
  const { url, auth, headers, agents, dial, analytics, calls, slots, limits, webhooks } = profile;
  const constants = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { list, create } = agents;
  const only = list.only === undefined ? '' : `, only ${pathText(list.only)}`;
  return [
    ['url', url ?? 'of services.yaml or --service-url'],
    ['key', auth.basic ? 'user:password as HTTP Basic' : `${auth.header}: ${auth.prefix}KEY`],
    ['headers', constants.join(', ') || NONE],
    ['agents', requestOf(list) + only],
    ['new agents', create === undefined ? NONE : requestOf(create)],
    ['dial', `${requestOf(dial)} with ${dial.body.fields.join(', ')} as ${dial.as}`],
    ['needs', [...dial.body.needs].map((name) => `{{${name}}}`).join(' ')],
    ['of the person', dial.body.slots.filter(isOfPerson).join(' ') || NONE],
    ['variables', dial.variables === 'none' ? 'no field for them' : dial.variables.named],
    ['same key', sameKey(dial)],
    ['call id', callIdOf(dial)],
    ['refusals', refusals(dial)],
    ['analytics', requestOf(analytics) + thenRead(analytics)],
    ['calls', calls === undefined ? NONE : requestOf(calls)],
    [
      'free slots',
      slots === undefined ? NONE : `${requestOf(slots)}: ${slots.free.map(pathText).join(', ')}`,
    ],
    ['webhooks', webhooks === undefined ? NONE : eventsOf(webhooks)],
    ['signature', webhooks === undefined ? NONE : signatureOf(webhooks)],
    ['sent from', webhooks === undefined ? NONE : webhooks.ips.join(', ') || 'any address'],
    ['limits', limitsOf(limits)],
  ];
}

function requestOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** True for a slot that depends on the lead's row: `{{firstName|there}}`, `{{lead.City}}`, `{{variables?}}`. */
function isOfPerson(slot: string): boolean {
  const name = /^\{\{\s*(\w+)/.exec(slot)?.[1] ?? '';
  return isPersonField(name) || name === 'lead' || name === 'variables';
}

function sameKey({ idempotencyKey, idempotentFor, body }: Profile['dial']): string {
  const places = [idempotencyKey ?? [], body.uses.has('attempt') ? '{{attempt}}' : []].flat();
  if (places.length === 0) return NONE;
  const promise =
    idempotentFor === undefined
      ? 'nothing is promised for it'
      : `one key is one call for ${formatDuration(idempotentFor)}`;
  return `${places.join(' and ')}; ${promise}`;
}

function callIdOf({ callId, location, callIdInRefusal }: Profile['dial']): string {
  const told = (paths: Profile['dial']['callId']) => paths.map(pathText).join(', ');
  const places = [
    told(callId),
    location === undefined ? '' : `the header Location (${location})`,
    callIdInRefusal.length === 0 ? '' : `of a refusal: ${told(callIdInRefusal)}`,
  ];
  return places.filter((words) => words !== '').join('; ');
}

function thenRead({ more }: Profile['analytics']): string {
  return more === undefined ? '' : `; once it is over, ${requestOf(more)} into ${more.into}`;
}

function refusals({ answers, errors }: Profile['dial']): string {
  const statuses = Array.from(answers, ([status, meaning]) => `${status} ${meaning}`).join(', ');
  const words = errors === undefined ? '' : `; words at ${errors.at.map(pathText).join(', ')}`;
  return (statuses || 'no status') + words;
}

/** Event types grouped by their meaning, e.g. `ended: call_ended; ignored: all others`. */
function eventsOf({ events }: Webhooks): string {
  const types = new Map<string, string[]>();
  for (const [type, meaning] of events.entries) {
    types.set(meaning, [...(types.get(meaning) ?? []), type === '*' ? 'all others' : type]);
  }
  const said = Array.from(types, ([meaning, names]) => `${meaning}: ${names.join(', ')}`);
  return said.join('; ') || 'no type means anything';
}

function signatureOf({ signature }: Webhooks): string {
  switch (signature.scheme) {
    case 'none':
      return 'none: what they say about a call counts only once the service confirms it';
    case 'standard':
      return 'Standard Webhooks';
    case 'token':
      return `the secret in ${signature.header}`;
    case 'hmac':
    case 'ed25519': {
      const { signed, header } = signature;
      const how = signature.scheme === 'hmac' ? `HMAC ${signature.algorithm}` : 'Ed25519';
      const limit = coversBody(signed) ? '' : ': only that is proved';
      return `${how} of ${signed} in ${header}${limit}`;
    }
  }
}

function limitsOf(limits: Profile['limits']): string {
  const { requestsPerSecond, dialsPerSecond, calls, longestCall, answerWithin } = limits;
  const said = [
    requestsPerSecond === undefined ? '' : `${requestsPerSecond} requests a second`,
    dialsPerSecond === undefined ? '' : `${counted(dialsPerSecond, 'dial')} a second`,
    calls === undefined ? '' : `${calls} calls at once`,
    longestCall === undefined ? '' : `no call longer than ${formatDuration(longestCall)}`,
    answerWithin === undefined ? '' : `answers in full within ${formatDuration(answerWithin)}`,
  ];
  return said.filter((words) => words !== '').join(', ') || NONE;
}
