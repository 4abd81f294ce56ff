import type { AttemptState } from '../domain/attempt.ts';
import type { ListMapping } from '../domain/lists/list-mapping.ts';
import type { LeadResult, LeadState } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';
import type { ExportCursor, ExportRow, LeadRow, OpenCall } from './records.ts';

/** Pages and counts of a campaign's people: part of the port. */
export interface PeopleStore {
  /** Page after page in list order. @throws RangeError for a limit outside of 1 to 200 */
  people(query: PeopleQuery): Promise<PeoplePage>;
  /** Takes as long for a million people as for a thousand, as it reads kept counts. */
  peopleCounts(campaignId: string): Promise<PeopleCounts>;
  /** The places of the campaign's people, the most frequent first. */
  zonesOf(campaignId: string): Promise<{ zoneKey: string; people: number }[]>;
  /** The calls that ended last, the newest first, searched among the campaign's last calls only. */
  endedCalls(campaignId: string, newest: number): Promise<EndedCall[]>;
  /** The calls of the minutes that are over, from the first with a call on; null: there were none. */
  callsByMinute(campaignId: string, span: CallSpan): Promise<CallMinutes | null>;
}

/** A person must match all that is given. */
export interface PeopleFilter {
  /** The list's number within the campaign. */
  list?: number | undefined;
  state?: LeadState | undefined;
  result?: LeadResult | undefined;
  /** A place's key, see `zoneKey` of domain/calling; or the name of one of its zones: `America/New_York`. */
  zone?: string | undefined;
  /** The service's word for the call that counts, in lower case: `positive`. */
  sentiment?: string | undefined;
  /**
   * A number from its `+` on, or its beginning, finds people by an index, also as a further number. Other text finds those who have each
   * of its words in one of their cells, or its digits (3 or more) in their number, and reads all leads.
   */
  text?: string | undefined;
  /** True: a number in `text` is a whole one, and no beginning of another one. Default false. */
  isWhole?: boolean | undefined;
}

export interface PeopleQuery extends PeopleFilter {
  campaignId: string;
  /** The `next` of the page before; null: the first page. */
  after: ExportCursor | null;
  /** 1 to 200. */
  limit: number;
}

export interface PeoplePage {
  rows: PersonRow[];
  /** How many match; null: not known without reading them all. */
  total: number | null;
  /**
   * Cursor of the next page; null: none. The number of leads read at once is limited, so a page may have fewer rows
   * than asked, or none, and still a cursor.
   */
  next: ExportCursor | null;
}

/** A lead in short. What is said of calls is that of its best attempt, see ExportRow. */
export interface PersonRow extends LeadRow {
  cursor: ExportCursor;
  list: number;
  line: number;
  /** Not called before then, epoch ms. */
  notBefore: number;
  /** When the last attempt began, epoch ms. */
  lastAttemptAt: number | null;
  /** Of that attempt; null: it has none, or there was none. */
  lastResult: LeadResult | null;
  /** The service's word, e.g. `positive`. */
  sentiment: string | null;
  durationSeconds: number | null;
}

export interface PeopleCounts {
  total: number;
  /** By the list's number; lists that gave no lead are left out. */
  byList: { list: number; people: number }[];
  byState: Record<LeadState, number>;
  byResult: Partial<Record<LeadResult, number>>;
}

export interface FoundLead extends LeadRow {
  campaignId: string;
  campaign: string;
  /** The number that is dialled next, or was dialled last: `phone`, or one of `furtherNumbers`. */
  dial: E164;
  /** The person's other numbers in the order in which they are tried; empty: the list has none. */
  furtherNumbers: E164[];
  list: number;
  line: number;
  /**
   * `number`: its phone number, or the end of it; `call`: the service's call id, the attempt's id or its idempotency
   * key (external id); `cell`: one of its cells exactly; `line`: its line in the list; `part`: a part of a cell.
   */
  by: 'number' | 'call' | 'cell' | 'line' | 'part';
}

/** The position of a reader of finished calls. */
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

export interface EndedCall {
  /** The person's first number. */
  phone: E164;
  list: number;
  line: number;
  cells: string[];
  mapping: ListMapping | null;
  result: LeadResult | null;
  /** The service's word, e.g. `positive`. */
  sentiment: string | null;
  durationMs: number | null;
  /** Epoch ms; null: it is not known when. */
  endedAt: number | null;
}

export interface CallSpan {
  /** Epoch ms, as `now`. */
  from: number;
  now: number;
  /** A call that began longer before `from` than this holds no slot any more. */
  longestMs: number;
}

/** One number for each minute from `from` on, epoch ms: calls begun in it, and slots in use at its end. */
export interface CallMinutes {
  from: number;
  begun: number[];
  held: number[];
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
