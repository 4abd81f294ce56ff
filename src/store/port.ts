import type { RecentEnd } from '../domain/polling/poll-scheduler.ts';
import type { E164 } from '../domain/phone.ts';
import type {
  AddedLeads,
  Campaign,
  CampaignChange,
  HistoryEntry,
  ImportedLead,
  LeadPlace,
  LeadWithoutPlace,
  List,
  NewCampaign,
  NewLead,
  NewList,
  RetriedLead,
  RetryQuery,
  Undone,
  UndoneLead,
  WatchedListStore,
} from './campaigns.ts';
import type { Claim, ClaimRequest, EarlierCallStore, NextCallStore, Runner } from './claims.ts';
import type { Share } from '../domain/polling/shares.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { FiringStore, ForecastStore, NightStore, OutboxStore } from './nights.ts';
import type { FinishedCalls, FoundLead, LateCallStore, PeopleStore, TailCursor } from './people.ts';
import type {
  DialRecord,
  Doubt,
  ExportCursor,
  ExportDetail,
  ExportQuery,
  ExportRow,
  HeldSlot,
  PollRecord,
  OpenCall,
  Owner,
  Progress,
  Recorded,
  ResolutionRecord,
  Resolved,
  SweepCounts,
  SweepRequest,
} from './records.ts';
import type { SuppressionStore } from './suppression.ts';

export type * from './campaigns.ts';
export type * from './claims.ts';
export type * from './deliveries.ts';
export type * from './nights.ts';
export type * from './people.ts';
export type * from './records.ts';
export type * from './suppression.ts';

/**
 * Everything that is stored, in methods named by what callers want to do. Each method is one transaction: when its
 * promise resolves, the change is durable. Times are epoch ms, ids are text. No type here depends on the database.
 *
 * Every method may throw AppError `STORE_FULL`, `STORE_CORRUPT` (exit 5), `STORE_LOCKED`, `STORE_AWAY` or
 * `STORE_IO_FAILED` (exit 1); after `STORE_IO_FAILED` nothing more is written until the store is opened again.
 */
export interface Store
  extends
    DeliveryStore,
    EarlierCallStore,
    ForecastStore,
    LateCallStore,
    NextCallStore,
    NightStore,
    OutboxStore,
    PeopleStore,
    SuppressionStore,
    FiringStore,
    WatchedListStore {
  // Campaigns
  /** `entry`: the first line of its history. @throws AppError `CAMPAIGN_EXISTS` */
  createCampaign(campaign: NewCampaign, entry: HistoryEntry): Promise<Campaign>;
  findCampaign(name: string): Promise<Campaign | undefined>;
  listCampaigns(): Promise<Campaign[]>;
  /**
   * Changes a campaign and adds a line to its history. A cancelled campaign stays cancelled, only a running one without
   * leads to call and lists to import is completed, and a pause by the program does not replace a pause by the operator.
   * @returns the campaign as it is now
   * @throws AppError `CAMPAIGN_EXISTS` for a name that is taken, `CAMPAIGN_NOT_DONE` for one that cannot be archived,
   *   `CAMPAIGN_CHANGED` for one with another version than `ifVersion`
   */
  changeCampaign(id: string, change: CampaignChange, entry: HistoryEntry): Promise<Campaign>;
  /** Removes a draft without people, with its history and lists. False: it has people, or is no draft any more. */
  removeDraft(id: string): Promise<boolean>;
  addHistory(campaignId: string, entry: HistoryEntry): Promise<void>;
  history(campaignId: string): Promise<HistoryEntry[]>;

  // Lists and leads
  /**
   * Begins a list, or finds the one with the same bytes again (finished or interrupted); with `complete` the import of
   * a list that was found is open again.
   */
  beginList(campaignId: string, list: NewList): Promise<List>;
  /**
   * Adds at most 1,000 leads. A number that the campaign has is reported and its lead corrected, unless that is done;
   * one that nobody may call is added as a lead that has ended.
   */
  addLeads(listId: string, leads: readonly NewLead[]): Promise<AddedLeads>;
  /** Leads of a list from these lines (both included), for an import that continues. */
  importedLeads(listId: string, fromLine: number, toLine: number): Promise<ImportedLead[]>;
  /** Records that a process imports a list; called again every second. */
  importSeen(listId: string, owner: Owner, at: number): Promise<void>;
  /** From now on the list's leads may be called. */
  finishList(
    listId: string,
    rows: { good: number; rejected: number; duplicates: number; suppressed?: number },
  ): Promise<void>;
  lists(campaignId: string): Promise<List[]>;
  /** Changes how a list is read that is only sent. False: there is none, or its import has begun. */
  changeSent(list: Pick<List, 'id' | 'sha256' | 'input'>): Promise<boolean>;
  /** Removes a list that is only sent; its file is the caller's. False: there is none, or its import has begun. */
  removeSent(listId: string): Promise<boolean>;
  /**
   * The numbers of leads that wait; `callingPhones`: of others that may be called again, in a call, done in doubt, or
   * withdrawn by the operator; `missedPhones`: done, but the operator may let them be called again. In ascending order, those after `after`, at most `limit`.
   */
  waitingPhones(campaignId: string, after: E164 | null, limit: number): Promise<E164[]>;
  callingPhones(campaignId: string, after: E164 | null, limit: number): Promise<E164[]>;
  missedPhones(campaignId: string, after: E164 | null, limit: number): Promise<E164[]>;
  /** Waiting leads whose place is not worked out yet, the first due ones first; at most `limit`. */
  leadsWithoutPlace(campaignId: string, limit: number): Promise<LeadWithoutPlace[]>;
  /** Keeps the places of at most 1,000 such leads; a lead that has one already keeps it. */
  keepPlaces(campaignId: string, places: readonly LeadPlace[]): Promise<void>;
  /** Cancels the waiting leads among at most 1,000; the others are not called again. @returns how many waited */
  cancelWaiting(campaignId: string, phones: readonly E164[], reason: string): Promise<number>;
  /** The numbers of leads that were cancelled as `left_list`, ascending, after `after`; at most `limit`. */
  leftPhones(campaignId: string, after: E164 | null, limit: number): Promise<E164[]>;
  /** Lets leads among these (at most 1,000) wait again that had left a list, unless suppressed or perhaps called. */
  waitAgain(campaignId: string, phones: readonly E164[], now: number): Promise<number>;
  /**
   * Cancels a waiting lead, or one that left its lists, for the operator. `calling`: it is in a call, `done_in_doubt`:
   * its call is in doubt; it is not called again.
   */
  cancelLead(
    campaignId: string,
    phone: E164,
    entry: HistoryEntry,
  ): Promise<'cancelled' | 'not_found' | 'calling' | 'done_in_doubt' | 'done'>;
  /** Undoes `cancelLead`, but nothing that a list says, unless the person was called since or is suppressed. */
  undoCancelLead(campaignId: string, phone: E164, entry: HistoryEntry): Promise<UndoneLead>;
  /**
   * Those of at most 1,000 leads that are done with a result of the query; `newest`: the last attempt of the database. An
   * operator may let them be called again unless `not` says why not.
   */
  mayRetry(
    campaignId: string,
    phones: readonly E164[],
    query: RetryQuery,
  ): Promise<{ leads: RetriedLead[]; newest: string | null }>;
  /** Lets those of them wait who may be called again, with a fresh count for `retry.attempts`. */
  retryLeads(
    campaignId: string,
    phones: readonly E164[],
    query: RetryQuery,
  ): Promise<RetriedLead[]>;
  /** Turns a cancelled campaign into one paused by the operator, unless one of its waiting people was called since. */
  undoCancel(campaignId: string, entry: HistoryEntry): Promise<Undone>;

  // Dialling
  /**
   * Chooses leads that may be dialled now, commits their intents and writes them to the dial journal.
   * @throws AppError `JOURNAL_NOT_WRITTEN` (exit 5); then the leads wait again
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /** True once this service and profile have answered a dial as expected. */
  isProven(fingerprint: string): Promise<boolean>;
  /** Records the answer of a dial. Group-committed. */
  recordDial(attemptId: string, answer: DialRecord): Promise<Recorded>;

  // Collecting
  /**
   * Open calls whose next poll is due at `now`, and not before `after`, the longest due first. `share`: those of this
   * share, and those that are late by `TAKEN_OVER_MS`. Default: all.
   */
  duePolls(query: {
    service: string;
    campaignId: string | null;
    /** Epoch ms; default: no lower bound. */
    after?: number;
    now: number;
    limit: number;
    share?: Share;
  }): Promise<OpenCall[]>;
  /** When the first poll later than `after` is due, or null when there is none. */
  nextPollAt(query: {
    service: string;
    campaignId: string | null;
    after: number;
    share?: Share;
  }): Promise<number | null>;
  /**
   * True when a lead of the campaign waits, or a call is open after which its lead may wait again: the campaign has
   * `retry`, or the lead has further numbers.
   */
  someMayWaitAgain(campaignId: string): Promise<boolean>;
  /** How the last settled calls of an agent ended, the oldest first; only some thousand attempts are searched. */
  recentEnds(query: { service: string; agent: string; limit: number }): Promise<RecentEnd[]>;
  /** Records what a poll found. Group-committed. */
  recordPoll(attemptId: string, poll: PollRecord): Promise<Recorded>;
  /** The processes that own an intent; the caller finds out which of them have ended. */
  intentOwners(campaignId: string): Promise<Owner[]>;
  /** Applies what time alone decides: orphaned intents, longest call, deadlines, evidence that never came. */
  sweep(request: SweepRequest): Promise<SweepCounts>;

  // Progress
  progress(campaignId: string, now: number): Promise<Progress>;
  /** Who holds the slots, oldest first. */
  heldSlots(campaignId: string, now: number): Promise<HeldSlot[]>;
  /** Calls that may or may not have been made, oldest first, also those that a person has resolved. */
  doubts(campaignId: string): Promise<Doubt[]>;
  /** Records what a person says of a call in doubt, with a history line; a refusal changes nothing. */
  resolve(attemptId: string, resolution: ResolutionRecord): Promise<Resolved>;

  /**
   * Records that a process runs a campaign; called again every few seconds. `dials`: default true.
   * @returns the processes that have reported that, if there are others; else none
   */
  runnerSeen(campaignId: string, owner: Owner, at: number, dials?: boolean): Promise<Runner[]>;
  runnerLeft(campaignId: string, owner: Owner): Promise<void>;
  /** The processes that have reported that they run a campaign. */
  runners(campaignId: string): Promise<Runner[]>;

  // Results
  /** One page of rows in list order; `after` is the last row's cursor. `detail`: default `everything`. */
  exportPage(
    campaignId: string,
    after: ExportCursor | null,
    limit: number,
    detail?: ExportDetail,
  ): Promise<ExportRow[]>;
  /**
   * Reads a campaign as it is now, all of it from the same moment. Other writes go on, and the write-ahead log grows
   * until `use` has ended: `use` must not wait for people or for the service.
   */
  snapshot<T>(campaignId: string, use: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Stores `as`, the version of a lead that was exported; later exports can skip unchanged leads. At most 1,000. */
  markExported(campaignId: string, leads: readonly { phone: E164; as: string }[]): Promise<void>;
  /**
   * Leads of one campaign, or of all, that match a text; only the most exact kind of match is returned, see FoundLead. Where
   * the text is a whole number, leads that have it as their first number come before those that have it as another;
   * with `isNumber` nothing else is looked for, which is fast where nobody has it.
   */
  findLeads(
    text: string,
    limit: number,
    campaignId?: string,
    isNumber?: boolean,
  ): Promise<FoundLead[]>;
  /** All attempts of a lead with their analytics, also those that were released, in the order they began. */
  attemptsOf(campaignId: string, phone: E164): Promise<ExportRow[]>;
  /** Calls that have ended since the answer with the cursor `after`; null: the newest `limit`. */
  finishedCalls(
    campaignId: string,
    after: TailCursor | null,
    limit: number,
  ): Promise<FinishedCalls>;

  /**
   * Checks that a write would succeed now; also throws `STORE_FULL` while the disk has less room than callsheet keeps
   * free.
   * @throws AppError also `STORE_GONE`, `JOURNAL_GONE` (exit 5) for files that are no longer in their place
   */
  assertWritable(): Promise<void>;
  /** What messages call the database: the path of its file, or a URL without a password. */
  readonly name: string;
  /** Where this machine keeps results, lists and taken files of the database; absolute. */
  readonly folder: string;
  /** Waits for a claim in progress and writes what is queued; may be called again. */
  close(): Promise<void>;
}

/** A campaign as it was at one moment, however long the reading takes and whatever is written meanwhile. */
export interface Snapshot {
  campaign: Campaign;
  lists: List[];
  /** May be read several times; the rows are the same every time. */
  readonly pages: (query: ExportQuery) => AsyncIterable<ExportRow[]>;
}
