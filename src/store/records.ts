import type {
  Analytics,
  LeadResult,
  LeadState,
  ResultSource,
  UnknownWord,
} from '../domain/lead.ts';
import type { AttemptState } from '../domain/attempt.ts';
import type { AskedCallback } from '../domain/calling/retry.ts';
import type { CallEvidence } from '../domain/calling/caps.ts';
import type { CampaignSettings } from '../domain/campaign.ts';
import type { DialCounts } from '../domain/nights/night-end.ts';
import type { ListMapping } from '../domain/lists/list-mapping.ts';
import type { E164 } from '../domain/phone.ts';
import type { ProcessIdentity } from '../runtime/process.ts';
import type { CallNames, MatchCandidate, NamedCall } from '../domain/same-call.ts';
import type { DoubtFacts, Resolution, ResolutionRefusal } from '../domain/resolution.ts';

/** Dials, polls, sweeps and results: part of the port. */

export type Owner = ProcessIdentity;

export type DialRecord = { at: number; detail: string } & (
  | { kind: 'placed'; callId: string; nextPollAt: number; fingerprint: string }
  /** `invalidNumber`: because no phone has this number, so that the person's next number is called. Default false. */
  | { kind: 'rejected'; invalidNumber?: boolean }
  /**
   * `backoffMs`: how long no runner dials the service; of two backoffs the one that ends later counts. `refusal`: the
   * service's words without what differs from one answer to the next; a lead that is refused with the same words again
   * and again waits longer and longer, and ends as rejected. `giveBack`: earlier attempts that were rejected with the
   * same answer; the cause was not these leads, so they wait again, too.
   */
  | {
      kind: 'released';
      reason: 'never_sent' | 'refused_without_effect';
      notBefore: number;
      backoffMs?: number;
      refusal?: string;
      giveBack?: readonly string[];
    }
  /**
   * `answered`: the service answered, but the answer is none of the other kinds. `accepted`: that answer was a 2xx.
   * `replay`: this is the answer of a replay, which decides nothing about the first dial; `spent`: the service may have
   * looked up the key, so the replay counts.
   */
  | {
      kind: 'unknown';
      answered: boolean;
      accepted: boolean;
      replay?: { spent: boolean; backoffMs: number | null };
    }
);

/** Moved the attempt, changed nothing, or contradicted what was known (recorded in the history). */
export type Recorded = 'moved' | 'stayed' | 'conflict';

export type OpenCall = NamedCall & Omit<MatchCandidate, 'callId' | 'service'>;

type Strange = { unknown?: readonly UnknownWord[] };
export type PollRecord = { at: number } &
  /** `beginsAt`: postponed by the service until then, epoch ms. `unknown`: goes into the campaign's history once. */
  (
    | { kind: 'pending'; nextPollAt: number; beginsAt?: number; unknown?: readonly UnknownWord[] }
    | { kind: 'ended'; nextPollAt: number }
    | ({ kind: 'unreadable'; nextPollAt: number; detail: string; raw: string } & Strange)
    /** The answer is about another call: recorded in the history the first time; its analytics are not kept. */
    | { kind: 'contradicted'; nextPollAt: number; detail: string; names: CallNames }
    /** The service still reports that the call has not begun, later than any call lasts. */
    | { kind: 'never_began'; detail: string }
    /**
     * The service took the call and ended it without ringing: the lead waits again, not before `notBefore`. `refusal`:
     * as in a DialRecord. `pause`: every other dial would end the same way, so the campaign pauses.
     */
    | {
        kind: 'not_called';
        callId: string;
        detail: string;
        notBefore: number;
        refusal: string;
        pause: boolean;
      }
    | {
        kind: 'settled';
        callId: string;
        analytics: Analytics;
        result: LeadResult;
        source: ResultSource;
        /** The person asked in this call to be called again. */
        callback?: AskedCallback;
        /** True when the profile says that a derived result may be retried; default false. */
        retryDerived?: boolean;
        said?: string; // as in ExportRow
        refusal?: string; // '': none was heard
        unknown?: readonly UnknownWord[];
        /** The call was given up before, and asked for again: the person is not called again for this result. */
        late?: boolean;
      }
    /** A call that was given up was asked for again, and there is still no result. */
    | { kind: 'still_none'; detail: string | null; raw: string | null }
  );

export interface SweepRequest {
  campaignId: string;
  now: number;
  settings: Pick<CampaignSettings, 'reconcileForMs' | 'polling'>;
  /** Processes among `intentOwners` that are known to have ended. */
  gone: readonly Owner[];
}

export interface SweepCounts {
  /** intent -> unknown */
  orphaned: number;
  /** placed -> ended, presumed */
  presumedDown: number;
  /** placed, ended -> no_result */
  noResult: number;
  /** unknown -> unconfirmed */
  unconfirmed: number;
}

/** Counts of a campaign's leads and attempts by state, at one moment. */
export interface Progress {
  total: number;
  waiting: number;
  /** Leads with an open attempt: intent, placed, ended, unknown. */
  calling: number;
  /** Leads whose attempt is unknown, counted in `calling` too. */
  unknown: number;
  done: number;
  results: Partial<Record<LeadResult, number>>;
  /** Attempts that hold a slot now. */
  held: number;
  /** Calls placed whose analytics are awaited (placed and ended). */
  open: number;
  /** Doubts that no person has settled: unknown and unconfirmed attempts without a resolution. */
  doubts: number;
  /** All dials of the campaign that have an answer, or have lost it. */
  dials: DialCounts;
  /** Calls that somebody answered, also of people who are called again. */
  answered: number;
  /** When the last call was begun; null: none was. */
  lastCallAt: number | null;
  /** When the next waiting lead may be called, in its calling hours; null: none waits, or never as things stand. */
  nextDueAt: number | null;
}

export interface HeldSlot {
  attemptId: string;
  /** The idempotency key that was sent to the service. */
  key: string;
  state: AttemptState;
  phone: E164;
  /** The list's number within the campaign. */
  list: number;
  line: number;
  /** The row's cells in the order of the list's columns. */
  cells: string[];
  mapping: ListMapping | null;
  callId: string | null;
  intentAt: number;
  holdsUntil: number;
  detail: string | null;
  owner: Owner;
}

/** A call that may or may not have been made, resolved or not. */
export interface Doubt extends HeldSlot, Omit<DoubtFacts, 'resolution'> {
  service: string;
  resolution: { as: Resolution; at: number; by: string; note: string | null } | null;
}

/** `by` is the operating-system user. */
export type ResolutionRecord = { at: number; by: string; note: string | null } & (
  { as: 'placed'; callId: string } | { as: 'not_placed' | 'unconfirmed' }
);

export type Resolved = { kind: 'resolved' } | { kind: 'refused'; refusal: ResolutionRefusal };

export interface ExportCursor {
  list: number;
  line: number;
}

/** How much of the analytics a row has; `columns`: `turns` are empty and `raw` is null, which takes half the time. */
export type ExportDetail = 'columns' | 'everything';

export interface ExportQuery {
  /** A row per lead with its best attempt, in list order; or a row per attempt, in the order they began. */
  per: 'lead' | 'attempt';
  detail: ExportDetail;
  /** True: `exportedAs` is filled in. */
  withExported: boolean;
}

/** What all rows of a person have. */
export interface LeadRow {
  phone: E164;
  /** In the column order of its list. */
  cells: string[];
  /** Where the person is, see `zoneKey` of domain/calling. */
  zoneKey: string;
  state: LeadState;
  result: LeadResult | null;
  /** Why it ended without a call, or waits again; null: no reason is recorded. */
  reason: string | null;
  attempts: number;
}

/**
 * A lead with one attempt that counts (or with one of all its attempts) and that attempt's analytics: of several, the
 * one that is still open, else the best, see `BEST_FIRST`.
 */
export interface ExportRow extends LeadRow {
  cursor: ExportCursor;
  listPath: string;
  resultSource: ResultSource | null;
  firstAttemptAt: number | null;
  /** When the lead's last attempt began (in a row per attempt: this one), epoch ms. */
  lastAttemptAt: number | null;
  /** When an attempt of the lead (in a row per attempt: this one) last began, ended or was settled, epoch ms. */
  lastChangeAt: number | null;
  notBefore: number;
  /** When the person asked to be called again, epoch ms, while that call is still to be made. */
  callbackAt: number | null;
  attempt: {
    id: string;
    /** 1 for the lead's first attempt that counts ... */
    ordinal: number;
    state: AttemptState;
    /** The result of a settled call, and its source. */
    result: LeadResult | null;
    resultSource: ResultSource | null;
    /** How a person resolved it while it was in doubt; null: nobody did. */
    resolution: Resolution | null;
    intentAt: number;
    callId: string | null;
    endedAt: number | null;
    settledAt: number | null;
    service: string;
    agent: string;
    detail: string | null;
    /** The last answer that could not be read, as it came. */
    unreadable: string | null;
    /** The number that was dialled, which may be another one of the person's. */
    phone: E164;
    /** The service's own word for how the call ended, as it came; null: it gave none. */
    said: string | null;
    /** The person's words in which a refusal of calls was heard (in a row per lead: in any of their calls). */
    refusal: string | null;
    /** The night to which the call belongs, `2026-01-05`; null: it is from before nights were kept. */
    night: string | null;
    /** Why the call was allowed; null in a row per lead, and for calls from before it was kept. */
    evidence: CallEvidence | null;
  } | null;
  analytics: Analytics | null;
  /** The fields of every captured lead of this person's calls (or of this call), in the order they came. */
  capturedLeads: Record<string, unknown>[];
  /** `as` from the last `markExported` of this lead; null: there was none, or `withExported` was false. */
  exportedAs: string | null;
}
