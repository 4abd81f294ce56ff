import { z } from 'zod';
import * as field from './fields.ts';
import { nearest } from '../text/nearest.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every key of a campaign file, of `--set` and of the flags that set the same things. */
const campaignKeys = z.strictObject({
  name: field.campaignName,
  agent: field.text('the ID of an agent'),
  /** Paths, relative to the file that contains them, or to the working folder if they come from a flag. */
  leads: field.texts('the path of a list'),
  /** A name of services.yaml, or `simulated`. */
  service: field.serviceName,
  'service.url': field.serviceUrl,
  'service.profile': field.text('the name or path of a profile'),
  country: field.country,
  timezone: field.timezone,
  concurrency: field.whole(1, 10_000),
  pace: field.pace,
  requests: field.whole(1, 256),
  rules: field.rules,
  'polling.floor': field.duration(10, HOUR),
  'polling.ceiling': field.duration(10, DAY),
  'polling.deadline': field.duration(SECOND, 30 * DAY),
  'numbers.unassigned': field.acceptOrRefuse,
  'numbers.tollFree': field.acceptOrRefuse,
  'numbers.extension': field.acceptOrRefuse,
  refusals: field.whole(1, 100),
  'suppression.maxAge': field.maxAge,
  skipCalled: field.skipCalled,
  longestCall: field.duration(SECOND, DAY),
  'unknown.reconcileFor': field.duration(SECOND, 7 * DAY),
  schedule: field.schedule,
  'results.file': field.text('the path of a file to write'),
  'results.format': field.resultsFormat,
});

const givenKeys = campaignKeys.partial();

/**
 * All known keys, dotted if they are in a group. The keys of `LATER` are not among them, so that no message suggests a
 * key that is refused.
 */
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

/** Known keys whose feature is not built yet: refused with a sentence, never ignored. */
const LATER: Record<string, string> = {
  retry: 'this version calls everybody once and does not repeat calls; take `retry` out.',
  hours:
    'this version has no calling hours; take `hours` out and start it when calling is allowed.',
};

/**
 * Reads dotted keys into values.
 *
 * @returns the values, and a sentence for each key that is unknown, not built yet or out of bounds
 */
export function readCampaignKeys(given: readonly GivenValue[]): {
  values: CampaignValues;
  problems: KeyProblem[];
} {
  const problems: KeyProblem[] = [];
  const known = new Map<string, unknown>();
  const refused = new Set<string>();
  for (const { key, value } of given) {
    const [first = key] = key.split('.');
    const later = Object.hasOwn(LATER, first) ? LATER[first] : undefined;
    if (later !== undefined) {
      if (!refused.has(first)) problems.push({ key, sentence: later, aboutKey: true });
      refused.add(first);
    } else if (Object.hasOwn(campaignKeys.shape, key)) known.set(key, value);
    else problems.push({ key, sentence: unknownKey(key, CAMPAIGN_KEYS), aboutKey: true });
  }
  const result = givenKeys.safeParse(Object.fromEntries(known));
  if (result.success) return { values: result.data, problems };
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
  return near === undefined
    ? `"${key}" is not a key; the keys are ${known.join(', ')}.`
    : `"${key}" is not a key; did you mean "${near}"?`;
}

function quoted(value: unknown): string {
  if (value === undefined) return '';
  const shown = typeof value === 'string' ? `"${withoutPassword(value)}"` : JSON.stringify(value);
  return ` ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`;
}

/** Hides a password in an address, so that messages do not repeat it. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@\s]*@/, '//…@');
}
