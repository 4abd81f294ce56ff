import { z } from 'zod';
import * as calling from './calling/calling-fields.ts';
import * as field from './fields.ts';
import { orNone } from './field-readers.ts';
import * as stop from './nights/stop-fields.ts';
import { notify } from './notify.ts';
import { nearest } from '../text/nearest.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every key of a campaign file, of `--set` and of the flags that set the same things. */
const campaignKeys = z.strictObject({
  name: field.campaignName,
  agent: field.text('the ID of an agent'),
  /** Lists, folders, globs and addresses. Paths are relative to the file that contains them, or to the working folder if they come from a flag. */
  leads: field.texts('the path of a list'),
  watch: calling.yesOrNo,
  after: field.moveOrKeep,
  leadsMode: field.addOrSync,
  leadsKeyEnv: field.listKeyName,
  leadsMaxMegabytes: field.whole(1, 10_000),
  /** A name of services.yaml, or `simulated`. */
  service: field.serviceName,
  'service.url': field.serviceUrl,
  'service.profile': field.text('the name or path of a profile'),
  country: field.country,
  timezone: field.timezone,
  concurrency: field.whole(1, 10_000),
  pace: field.pace,
  requests: field.whole(1, 256),
  rules: calling.rules,
  hours: calling.noHours,
  'hours.from': calling.timeOfDay('23:59'),
  'hours.to': calling.timeOfDay('24:00'),
  'hours.days': calling.days,
  holidays: calling.holidays,
  'zones.unknown': calling.unknownZones,
  ringTime: field.duration(5 * SECOND, 5 * MINUTE),
  retry: calling.noRetry,
  'retry.attempts': field.whole(1, 20),
  'retry.perDay': orNone(field.whole(1, 20)),
  'retry.gap': field.duration(0, 30 * DAY),
  'retry.after.no_answer': orNone(field.duration(0, 30 * DAY)),
  'retry.after.busy': orNone(field.duration(0, 30 * DAY)),
  'retry.after.voicemail': orNone(field.duration(0, 30 * DAY)),
  'retry.after.declined': orNone(field.duration(0, 30 * DAY)),
  'retry.after.failed': orNone(field.duration(0, 30 * DAY)),
  'retry.otherTimeOfDay': calling.yesOrNo,
  'retry.lastDay': calling.dayOrNone,
  'retry.alternatives': orNone(field.whole(1, 10)),
  'polling.floor': field.duration(10, HOUR),
  'polling.ceiling': field.duration(10, DAY),
  'polling.deadline': field.duration(SECOND, 30 * DAY),
  'numbers.unassigned': field.acceptOrRefuse,
  'numbers.tollFree': field.acceptOrRefuse,
  'numbers.extension': field.acceptOrRefuse,
  refusals: field.whole(1, 100),
  'suppression.maxAge': field.maxAge,
  skipCalled: field.skipCalled,
  variables: calling.variables,
  longestCall: field.duration(SECOND, DAY),
  'unknown.reconcileFor': field.duration(SECOND, 7 * DAY),
  schedule: field.schedule,
  stop: stop.noStop,
  'stop.calls': stop.amount,
  'stop.talkMinutes': stop.amount,
  'stop.cost': stop.money,
  'stop.answered': stop.amount,
  'stop.at': orNone(calling.timeOfDay('23:59')),
  'stop.total.calls': stop.amount,
  'stop.total.talkMinutes': stop.amount,
  'stop.total.cost': stop.money,
  'stop.total.answered': stop.amount,
  weight: field.whole(1, 100),
  notify,
  'results.file': field.resultsFile,
  'results.format': field.resultsFormat,
});

const givenKeys = campaignKeys.partial();

/** All known keys, dotted if they are in a group. */
export const CAMPAIGN_KEYS: readonly string[] = Object.keys(campaignKeys.shape);

export type CampaignValues = z.output<typeof givenKeys>;
export type CampaignKey = keyof CampaignValues;

/** A key and its value as the operator wrote it. */
export interface GivenValue {
  key: string;
  value: unknown;
}

export interface KeyProblem {
  key: string;
  sentence: string;
  /** True when the key is wrong, false when its value is. */
  aboutKey: boolean;
}

/**
 * Reads dotted keys into values.
 *
 * @returns the values, and a sentence for each key that is unknown or out of bounds
 */
export function readCampaignKeys(given: readonly GivenValue[]): {
  values: CampaignValues;
  problems: KeyProblem[];
} {
  const problems: KeyProblem[] = [];
  const known = new Map<string, unknown>();
  for (const { key, value } of given) {
    if (Object.hasOwn(campaignKeys.shape, key)) known.set(key, value);
    else problems.push({ key, sentence: unknownKey(key, CAMPAIGN_KEYS), aboutKey: true });
  }
  const result = givenKeys.safeParse(Object.fromEntries(known));
  if (result.success) return { values: result.data, problems };
  // Messages do not show the value of notify, because an address of a chat is a secret.
  known.delete('notify');
  return { values: {}, problems: [...problems, ...sentences(result.error, known)] };
}

/** One sentence for each problem: what was found and what is allowed. */
export function sentences(error: z.ZodError, values: ReadonlyMap<string, unknown>): KeyProblem[] {
  return error.issues.map((issue) => {
    const [key, index] = issue.path.map(String) as [string, string | undefined];
    const value = values.get(key);
    const found =
      index !== undefined && Array.isArray(value) ? (value[Number(index)] as unknown) : value;
    const end = issue.message.endsWith('?') ? '' : '.';
    return { key, sentence: `${key}${quoted(found)} ${issue.message}${end}`, aboutKey: false };
  });
}

/** "X is not a key; did you mean Y?", or a list of the known keys if none is similar. */
export function unknownKey(key: string, known: readonly string[]): string {
  const inside = known.filter((candidate) => candidate.startsWith(`${key}.`));
  if (inside.length > 0) return `"${key}" is a group of keys: ${inside.join(', ')}.`;
  const last = known.filter((candidate) => candidate.split('.').at(-1) === key);
  const near = last.length === 1 ? last[0] : nearest(key, known);
  const beside = known.filter((candidate) =>
    candidate.startsWith(key.slice(0, key.lastIndexOf('.') + 1)),
  );
  return near === undefined
    ? `"${key}" is not a key; the keys are ${(beside.length > 0 ? beside : known).join(', ')}.`
    : `"${key}" is not a key; did you mean "${near}"?`;
}

function quoted(value: unknown): string {
  // A group shows nothing: it may hold an address or a key.
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (value === undefined || isGroup) return '';
  const shown = typeof value === 'string' ? `"${withoutPassword(value)}"` : JSON.stringify(value);
  return ` ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`;
}

/** Hides a password in an address, so that messages do not repeat it. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@\s]*@/, '//…@');
}
