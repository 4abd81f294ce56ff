import type { AttemptState } from '../domain/attempt.ts';
import type { LeadResult, LeadState } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';
import type { ExportRow, OpenCall } from './records.ts';

/** Leads that were searched for, and calls that have ended. Part of the port. */

/** A lead that was searched for, and what matched. */
export interface FoundLead {
  campaignId: string;
  campaign: string;
  phone: E164;
  /** The number that is dialled next, or was dialled last: `phone`, or one of `furtherNumbers`. */
  dial: E164;
  /** The person's other numbers in the order in which they are tried; empty: the list has none. */
  furtherNumbers: E164[];
  list: number;
  line: number;
  cells: string[];
  /** Where the person is, see `zoneKey` of domain/calling. */
  zoneKey: string;
  state: LeadState;
  result: LeadResult | null;
  /** Why it ended without a call, or waits again; null: no reason is recorded. */
  reason: string | null;
  attempts: number;
  /**
   * `number`: its phone number, or the end of it; `call`: the service's call id, the attempt's id or its
   * idempotency key (external id); `cell`: one of its cells exactly; `line`: its line in the list; `part`: a part
   * of a cell.
   */
  by: 'number' | 'call' | 'cell' | 'line' | 'part';
}

/** How far a reader of finished calls has come. */
export interface TailCursor {
  /** The newest attempt seen, in the order they began; null: none yet. */
  newest: string | null;
  /** Older attempts whose state may still change, with the state in which they were seen last. */
  open: readonly { attemptId: string; state: AttemptState }[];
}

export interface FinishedCalls {
  /** One row per attempt, as in the export, in the order in which they ended. */
  calls: ExportRow[];
  cursor: TailCursor;
}

/** A call that has ended, in short. */
export interface EndedCall {
  /** The person's first number. */
  phone: E164;
  line: number;
  result: LeadResult | null;
  /** The service's word, e.g. `positive`. */
  sentiment: string | null;
  durationMs: number | null;
  /** Epoch ms; null: it is not known when. */
  endedAt: number | null;
}

export interface LateCallStore {
  /** Calls that were given up without a result, the oldest first; `after`: an attempt's id. */
  lateCalls(query: {
    campaignId: string;
    service: string;
    /** Only dials since then, epoch ms, and only calls that were not asked for again since `askedBefore`; null: all. */
    since: number;
    askedBefore: number | null;
    after: string | null;
    limit: number;
  }): Promise<OpenCall[]>;
  /**
   * Names of the services that have open calls, or calls in doubt with an intent at or after `doubtsSince` (epoch ms;
   * default: calls in doubt are left out), or calls without a result with an intent at or after `lateSince`.
   */
  servicesWithOpenCalls(
    campaignId: string | null,
    doubtsSince?: number,
    lateSince?: number,
  ): Promise<string[]>;
}
