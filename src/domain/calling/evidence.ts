import { lengthOf, type PastCalls } from './caps.ts';
import type { NamedLimits } from './limits.ts';

/**
 * Why a call was allowed: what was known when its dial was decided on. It is stored with the attempt in the same
 * transaction and never computed later, as lists, rules and other calls change afterwards.
 */
export interface CallEvidence {
  /** The zones in which the person may be, with the time that their clocks showed: `2026-11-27T15:30-05:00`. */
  clocks: Readonly<Record<string, string>>;
  /** ISO 3166 codes of the countries and states whose rules held. */
  regions: readonly string[];
  /** The rules that held for the person, e.g. `us-states US-FL`, with the version of each. */
  rules: Readonly<Record<string, string>>;
  /** Each limit on earlier calls, with the calls that were counted for it. */
  caps: readonly CountedCap[];
  /** The list that brought or last corrected the person, and the line, from 1. */
  list: string;
  line: number;
  /** The cells by which the list says that the person may be called, by column name. */
  consent: Readonly<Record<string, string>>;
  /** Dated files of the suppression list that were in force, with their day: `2026-11-20`. */
  registries: Readonly<Record<string, string>>;
  /** Who last started the campaign before this call, and when: `2026-11-27T20:00Z`; null: its history does not say. */
  approved: { who: string; at: string } | null;
  /** The same for each time that the dial was sent again, with that time. Default: it was sent once. */
  again?: readonly (Omit<CallEvidence, 'again'> & { at: string })[];
}

export interface CountedCap {
  /** `us-debt`, `us-states US-FL`. */
  by: string;
  /** Calls that were counted, and how many are allowed in `perMs`. */
  made: number;
  calls: number;
  perMs: number;
}

export function countedCaps(
  limits: readonly NamedLimits[],
  { beganAt }: Pick<PastCalls, 'beganAt'>,
  now: number,
): CountedCap[] {
  return limits.flatMap(({ by, limits: { caps } }) =>
    caps.map(({ calls, perMs }) => {
      const made = beganAt.filter((at) => at > now - perMs).length;
      return { by, made, calls, perMs };
    }),
  );
}

/** For people: `Fri 15:30 in America/New_York; rules ...; 2 of 7 calls in 7 days (us-debt); ...`. */
export function evidenceText(evidence: CallEvidence): string {
  const { clocks, rules, caps, list, line, consent, registries, approved, again = [] } = evidence;
  const entries = (
    record: Readonly<Record<string, string>>,
    write: (k: string, v: string) => string,
  ) => Object.entries(record).map(([key, value]) => write(key, value));
  const times = entries(
    clocks,
    (zone, time) => `${time.replace('T', ' ').slice(0, 16)} in ${zone}`,
  );
  return [
    times.length === 0 ? 'time zone not known' : times.join(' and '),
    ...entries(rules, (name, version) => `rule ${name} (${version})`),
    ...caps.map(
      ({ by, made, calls, perMs }) => `${made} of ${calls} calls in ${lengthOf(perMs)} (${by})`,
    ),
    `line ${line} of ${list}`,
    ...entries(consent, (column, cell) => `"${column}" says "${cell}"`),
    ...entries(registries, (name, day) => `${name} of ${day}`),
    ...(approved === null ? [] : [`started by ${approved.who} at ${approved.at}`]),
    ...again.map((each) => `sent again at ${each.at}: ${evidenceText(each)}`),
  ].join('; ');
}
