import type { SkipCalled } from './called-before.ts';
import type { Pace } from './pace.ts';
import type { Polling } from './polling/poll-schedule.ts';

/**
 * `draft` has leads and was never started; `running` may be dialled by any runner; `paused` starts no call
 * and goes on collecting; `completed` has no lead left to call; `cancelled` dials nobody, unless it is undone.
 */
export const CAMPAIGN_STATES = ['draft', 'running', 'paused', 'completed', 'cancelled'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** Why a campaign is paused. The operator's pause stays until `resume`; the others are tested again by the next `run`. */
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

/** Numbers that may be taken or left; what may never be called is no matter of policy. */
export interface NumberPolicy {
  /** Numbers of ranges that the numbering plan does not list (yet). Default accept. */
  unassigned: 'accept' | 'refuse';
  /** Default refuse: nobody's own number. */
  tollFree: 'accept' | 'refuse';
  /** Numbers with an extension, which no call dials: `accept` calls them without it. Default refuse. */
  extension?: 'accept' | 'refuse';
}

/** A campaign's policy, strict and fully defaulted; kept with the campaign until a file or flag differs. */
export interface CampaignSettings {
  /** The service's id of the voice agent that speaks. */
  agent: string;
  /** ISO 3166 country of numbers without `+`; null: such rows are rejected, never guessed. */
  country: string | null;
  /** IANA zone of printed times; default the machine's. */
  timezone: string;
  /** Calls in progress at once, 1 to 10,000; default 5. */
  concurrency: number;
  /** Calls started per time; null: no limit but concurrency. */
  pace: Pace | null;
  /** HTTP requests in flight, 1 to 256; default min(concurrency, 16). */
  requests: number;
  /** Presets of calling hours and caps; so far only `always` exists. */
  rules: string[];
  polling: Polling;
  /** No call lasts longer: its slot is free after that at the latest. Default 900,000 (15 min). */
  longestCallMs: number;
  /** How long evidence of an unknown attempt is looked for before `unconfirmed`. Default 600,000. */
  reconcileForMs: number;
  /** How often one lead is refused in a row, for a reason of its own, before it ends as rejected; left out: 5. */
  refusals?: number;
  /** When `serve` calls it: cron with five fields, in `timezone`; left out: at any time. */
  schedule?: string;
  /** Calls are started only while the newest file on the suppression list is no older; left out: any age, and none at all. */
  suppressionMaxAgeMs?: number;
  /** Whom another campaign has called is not called again: within so many ms, or ever; left out: everybody is. */
  skipCalled?: SkipCalled;
  /** What is a number and may be left alone all the same; left out: unassigned accept, tollFree and extension refuse. */
  numbers?: NumberPolicy;
  /** Where `run` and `collect` write; file: an absolute path, `-` for the standard output, null for the default place. */
  results: { file: string | null; format: ResultFormatName };
}
