import type { Hold } from '../domain/calling/policy.ts';
import type { AttemptState } from '../domain/attempt.ts';
import type { LeadResult, LeadState } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';
import type { ExportRow } from './records.ts';

/** Leads that were searched for, and calls that have ended. Part of the port. */

/** A lead that was searched for, and what matched. */
export interface FoundLead {
  campaignId: string;
  campaign: string;
  phone: E164;
  list: number;
  line: number;
  cells: string[];
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

/** When a waiting lead may be called, as a claim decides it. */
export interface NextCall {
  /**
   * The earliest moment at which nothing holds the call back, epoch ms; where calling hours are so rare that it was not
   * found, a moment before which there is none. Null: never, unless somebody changes something.
   */
  at: number | null;
  /** What holds it back now, in this order: its own time, calling hours, suppression, earlier calls, caps. */
  holds: Hold[];
}

/** A time at which a lead was held back by a cap or a gap. */
export interface HeldBack extends Hold {
  /** When the claim decided it, epoch ms. */
  at: number;
}

/** A place where leads of a campaign wait. */
export interface PlaceCount {
  /** See `zoneKey` of domain/calling. */
  zoneKey: string;
  waiting: number;
  /** When the first of them is due, without calling hours, epoch ms; perhaps in the past. */
  firstNotBefore: number;
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
