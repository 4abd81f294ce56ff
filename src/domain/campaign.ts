import type { AttemptState } from './attempt.ts';
import type { CallingPolicy, Weekday } from './calling/policy.ts';
import type { RetryPolicy } from './calling/retry.ts';
import type { LeadResult } from './lead.ts';
import type { ListSources } from './lists/list-mapping.ts';
import type { Stop } from './nights/budget.ts';
import type { CampaignTarget } from './notices.ts';
import type { Pace } from './time-units.ts';
import type { Polling } from './polling/poll-schedule.ts';

/**
 * `draft` was never started; `running` may be dialled by any runner; `paused` starts no call but results are still
 * collected; `completed` has no lead left to call; `cancelled` dials nobody, unless the cancellation is undone.
 */
export const CAMPAIGN_STATES = ['draft', 'running', 'paused', 'completed', 'cancelled'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** Why a campaign is paused. The operator's pause stays until `resume`; the next `run` tests the other causes again. */
export const PAUSE_REASONS = ['operator', 'key', 'profile', 'breaker'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Formats of results files: see `results.format`. */
export const RESULT_FORMAT_NAMES = ['csv', 'excel', 'xlsx', 'jsonl'] as const;
export type ResultFormatName = (typeof RESULT_FORMAT_NAMES)[number];

/** The format that a file's ending asks for: `.jsonl`, `.xlsx`, else csv. */
export function formatByEnding(file: string): ResultFormatName {
  if (/\.(jsonl|ndjson)$/i.test(file)) return 'jsonl';
  return /\.xlsx$/i.test(file) ? 'xlsx' : 'csv';
}

/** Which optional kinds of numbers are called; numbers that must never be called are refused under any policy. */
export interface NumberPolicy {
  /** Numbers of ranges that the numbering plan does not list (yet). Default accept. */
  unassigned: 'accept' | 'refuse';
  /** Default refuse, as a toll-free number is not a person's own number. */
  tollFree: 'accept' | 'refuse';
  /** Numbers with an extension, which a call cannot dial; `accept` calls the number without it. Default refuse. */
  extension?: 'accept' | 'refuse';
}

/** Columns that must not be blank: `named` by the operator, or those that the `prompt` needs. */
export interface RequiredVariables {
  from: 'prompt' | 'named';
  /** As the agent's prompt was read at the last start; null: it has not been read yet, and everybody is held. */
  columns: string[] | null;
}

/** How old the newest file of a registry may be when calls start. */
export interface ListAge {
  ms: number;
  /** The rule that says so. */
  by: string;
  /** The registry, such as `us-national`; null: a file of any registry will do. */
  registry: string | null;
  /** Countries whose people's area codes all have to be in files of it; null: it is not sold by area. */
  areasOf: readonly string[] | null;
}

/** A campaign's policy, strict and fully defaulted; kept with the campaign until a file or flag differs. */
export interface CampaignSettings {
  /** The service's id of the voice agent that speaks. */
  agent: string;
  /** ISO 3166 country of numbers without `+`; null: rows with such numbers are rejected. */
  country: string | null;
  /** IANA zone of printed times; default the machine's. */
  timezone: string;
  /** Calls in progress at once, 1 to 10,000; default 5. */
  concurrency: number;
  /** Calls started per time; null: no limit but concurrency. */
  pace: Pace | null;
  /** In how many ms the slots are filled after a minute without calls; left out: at once. */
  rampMs?: number;
  /** HTTP requests in flight, 1 to 256; default min(concurrency, 16). */
  requests: number;
  /** Names of rules of calling hours and caps, or paths of the operator's own; `always`: none. */
  rules: string[];
  /** The operator's own hours, in `timezone`; left out: none. `to` at or before `from` is on the next day. */
  hours?: { from: string; to: string; days?: Weekday[] };
  /** Days on which nobody is called that the rules' calendars do not have: `2026-12-24`; left out: none. */
  holidays?: string[];
  /** What happens to people whose time zone is not known: `skip`, `us48` or an IANA zone; left out: skip. */
  unknownZones?: string;
  /** How long a phone may ring, ms: no call begins later than this and 60 s before hours close; left out: 60,000. */
  ringTimeMs?: number;
  /** Whether and when people are called again; left out: everybody is called once. */
  retry?: RetryPolicy;
  /** `rules`, `hours`, `holidays`, `notBefore` and `unknownZones`, composed when set; left out: calls at any time. */
  policy?: CallingPolicy;
  polling: Polling;
  /** The longest duration of a call, after which its slot is free at the latest. Default 900,000 (15 min). */
  longestCallMs: number;
  /** How long evidence of an unknown attempt is looked for before `unconfirmed`. Default 600,000. */
  reconcileForMs: number;
  /** After this many refusals in a row, for a reason that concerns only the lead, it ends as rejected; left out: 5. */
  refusals?: number;
  /** Folders, globs and addresses from which lists are taken; left out: lists come by commands alone. */
  sources?: ListSources;
  /** When `serve` calls the campaign: cron with five fields, in `timezone`; left out: at any time. */
  schedule?: string;
  /** Nobody is called before this moment of `timezone`, `2026-12-01 09:00`; left out: at any time. */
  notBefore?: string;
  /** Where a night's dialling stops and, as `total`, the campaign's; left out: nowhere. */
  stop?: Stop;
  /** The share of a service's slots beside other campaigns that are short of them, 1 to 100; left out: 1. */
  weight?: number;
  /** Receivers of notices by a command or a webhook, besides those of services.yaml; left out: nobody. */
  notify?: CampaignTarget[];
  /**
   * Calls start only while the newest imported suppression file is not older than this; null: however old it is, also
   * where a rule wants a newer one; left out: as `listAge` says.
   */
  suppressionMaxAgeMs?: number | null;
  /** The ages of files that `rules` allow; left out: they have none. */
  listAges?: ListAge[];
  /** The same of campaigns that were stored before rules named a registry: the strictest age. */
  listAge?: Pick<ListAge, 'ms' | 'by'>;
  /** People whom another campaign has called within this many ms, or ever, are not called; left out: all are called. */
  skipCalled?: SkipCalled;
  /** People whose rows lack a word that the agent's prompt needs are held; left out: they are called. */
  variables?: RequiredVariables;
  /** Which optional kinds of numbers are called; left out: unassigned accept, tollFree and extension refuse. */
  numbers?: NumberPolicy;
  /** Where `run` and `collect` write; `file`: an absolute path, `-` for standard output, null for the default place. */
  results: { file: string | null; format: ResultFormatName };
}

/** Leave out people whom another campaign has called: within this many ms, or ever. */
export type SkipCalled = number | 'ever';

/** The current state of a call. */
export interface CallEnd {
  state: AttemptState;
  /** The result of a settled call; null: the call is not settled. */
  result: LeadResult | null;
}

/** Calls that began at this moment (epoch ms) or later count, also those in the future after the clock was set back. */
export function countsSince(skip: SkipCalled, now: number): number {
  return skip === 'ever' ? -Infinity : now - skip;
}

/** The state or end of a call in words: `answered`, `in doubt`, `on the line`. */
export function endOf({ state, result }: CallEnd): string {
  if (state === 'settled') return result ?? 'no_result';
  if (state === 'no_result') return 'no_result';
  if (state === 'unknown' || state === 'unconfirmed') return 'in doubt';
  return state === 'ended' ? 'its result still to come' : 'on the line';
}

/**
 * The reason why somebody is not called, as written to the results: `called_before: campaign "spring" on 2026-01-05
 * 15:00 UTC (answered)`.
 * @param at epoch ms
 */
export function calledBeforeReason(call: CallEnd & { campaign: string; at: number }): string {
  const when = new Date(call.at).toISOString().slice(0, 16).replace('T', ' ');
  return `called_before: campaign "${call.campaign}" on ${when} UTC (${endOf(call)})`;
}
