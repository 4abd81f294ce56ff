import type { CampaignSettings, CampaignState, PauseReason } from '../domain/campaign.ts';
import type { RecentEnd } from '../domain/polling/poll-scheduler.ts';
import type { E164 } from '../domain/phone.ts';
import type { Claim, ClaimRequest } from './claims.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { EarlierCallStore } from './earlier-calls.ts';
import type {
  AddedLeads,
  ImportedLead,
  List,
  NewLead,
  NewList,
  Undone,
  UndoneLead,
} from './lists.ts';
import type { FinishedCalls, FoundLead, TailCursor } from './lookup.ts';
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
  Runner,
  SweepCounts,
  SweepRequest,
} from './records.ts';
import type { SuppressionStore } from './suppression.ts';

export type * from './claims.ts';
export type * from './deliveries.ts';
export type * from './earlier-calls.ts';
export type * from './lists.ts';
export type * from './lookup.ts';
export type * from './records.ts';
export type * from './suppression.ts';

/**
 * Everything that is kept, as intentions. Each method is one transaction: when its promise resolves, the
 * change is durable. Times are epoch ms, ids are text. Nothing here shows which database is behind it.
 *
 * Every method may throw AppError `STORE_FULL`, `STORE_CORRUPT` (exit 5), `STORE_LOCKED` or `STORE_IO_FAILED`
 * (exit 1); after that last one nothing more is written, until the store is opened again.
 */
export interface Store extends DeliveryStore, EarlierCallStore, SuppressionStore {
  // Campaigns
  /** With the first line of its history. @throws AppError `CAMPAIGN_EXISTS` */
  createCampaign(campaign: NewCampaign, entry: HistoryEntry): Promise<Campaign>;
  findCampaign(name: string): Promise<Campaign | undefined>;
  listCampaigns(): Promise<Campaign[]>;
  /**
   * Changes state, settings or service, with its line in the history. A cancelled campaign stays cancelled,
   * only a running one is completed, and the program's own pause does not replace the operator's: the answer is the
   * campaign as it is now.
   * @throws AppError `CAMPAIGN_EXISTS` for a name that is taken, `CAMPAIGN_NOT_DONE` for one that cannot be archived
   */
  changeCampaign(id: string, change: CampaignChange, entry: HistoryEntry): Promise<Campaign>;
  addHistory(campaignId: string, entry: HistoryEntry): Promise<void>;
  history(campaignId: string): Promise<HistoryEntry[]>;

  // Lists and leads
  /**
   * Begins a list, or finds the one with the same bytes again (finished or interrupted); one that is `complete`
   * is open again then.
   */
  beginList(campaignId: string, list: NewList): Promise<List>;
  /**
   * Adds at most 1,000 leads; a number that the campaign already has is reported, not added, and one that
   * nobody may call is added as a lead that has ended.
   */
  addLeads(listId: string, leads: readonly NewLead[]): Promise<AddedLeads>;
  /** The leads that a list has from these lines (both included), for an import that goes on; at most 1,000 rows. */
  importedLeads(listId: string, fromLine: number, toLine: number): Promise<ImportedLead[]>;
  /** A process says that it imports a list; said again every second. */
  importSeen(listId: string, owner: Owner, at: number): Promise<void>;
  /** From now on the list's leads may be called. */
  finishList(
    listId: string,
    rows: { good: number; rejected: number; duplicates: number; suppressed?: number },
  ): Promise<void>;
  lists(campaignId: string): Promise<List[]>;
  /** The numbers of waiting leads, in their order, after `after`; at most `limit`. */
  waitingPhones(campaignId: string, after: E164 | null, limit: number): Promise<E164[]>;
  /** Cancels those of at most 1,000 leads that wait, with this reason. @returns how many did */
  cancelWaiting(campaignId: string, phones: readonly E164[], reason: string): Promise<number>;
  /** The numbers of leads that were cancelled as `left_list`, in their order, after `after`; at most `limit`. */
  leftPhones(campaignId: string, after: E164 | null, limit: number): Promise<E164[]>;
  /**
   * Of at most 1,000 leads those that were cancelled as `left_list` wait again, unless a call to them may have rung
   * or they are suppressed at `now`. @returns how many do
   */
  waitAgain(campaignId: string, phones: readonly E164[], now: number): Promise<number>;
  /** Withdraws one waiting person. */
  cancelLead(
    campaignId: string,
    phone: E164,
    entry: HistoryEntry,
  ): Promise<'cancelled' | 'not_found' | 'calling' | 'done'>;
  /** A person whom `cancelLead` has withdrawn waits again, unless somebody has called them. */
  undoCancelLead(campaignId: string, phone: E164, entry: HistoryEntry): Promise<UndoneLead>;
  /** A cancelled campaign is paused by the operator, unless somebody who waits in it was called since. */
  undoCancel(campaignId: string, entry: HistoryEntry): Promise<Undone>;

  // Dialling
  /**
   * Chooses leads and commits their intents, journalled; what may not be dialled now is not in the answer.
   * @throws AppError `JOURNAL_NOT_WRITTEN` (exit 5); the leads wait again then
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /** True once this service and profile have answered a dial as expected. */
  isProven(fingerprint: string): Promise<boolean>;
  /** Records the answer of a dial. Group-committed. */
  recordDial(attemptId: string, answer: DialRecord): Promise<Recorded>;

  // Collecting
  /** Open calls whose next poll is due at `now`, and not before `after`, the longest due first. */
  duePolls(query: {
    service: string;
    campaignId: string | null;
    /** Epoch ms; default: however long ago. */
    after?: number;
    now: number;
    limit: number;
  }): Promise<OpenCall[]>;
  /** When the first poll later than `after` is due, or null when there is none. */
  nextPollAt(query: {
    service: string;
    campaignId: string | null;
    after: number;
  }): Promise<number | null>;
  /** How the last settled calls of an agent ended, the oldest first; it reads back over a few thousand attempts. */
  recentEnds(query: { service: string; agent: string; limit: number }): Promise<RecentEnd[]>;
  /**
   * Names of the services at which calls are open, or in doubt with an intent at `doubtsSince` (epoch ms; default:
   * those are left out) or later.
   */
  servicesWithOpenCalls(campaignId: string | null, doubtsSince?: number): Promise<string[]>;
  /** Records what a poll found. Group-committed. */
  recordPoll(attemptId: string, poll: PollRecord): Promise<Recorded>;
  /** The processes that own an intent: the caller can say which of them are gone. */
  intentOwners(campaignId: string): Promise<Owner[]>;
  /** Applies what time alone decides: orphaned intents, longest call, deadlines, evidence that never came. */
  sweep(request: SweepRequest): Promise<SweepCounts>;

  // Progress
  progress(campaignId: string, now: number): Promise<Progress>;
  /** Who holds the slots, oldest first. */
  heldSlots(campaignId: string, now: number): Promise<HeldSlot[]>;
  /** Calls that may or may not have been made, oldest first, also those that a person has resolved. */
  doubts(campaignId: string): Promise<Doubt[]>;
  /** Records what a person says of a call in doubt, with its line in the history; a refusal changes nothing. */
  resolve(attemptId: string, resolution: ResolutionRecord): Promise<Resolved>;

  /** A process says that it works on a campaign; said again every few seconds. `dials`: default true. */
  runnerSeen(campaignId: string, owner: Owner, at: number, dials?: boolean): Promise<void>;
  runnerLeft(campaignId: string, owner: Owner): Promise<void>;
  /** Who works on a campaign, as far as they said so. */
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
   * Reads a campaign as it is now, all of it from the same moment. Others write meanwhile, and the write-ahead log
   * grows until `use` has ended: `use` must not wait for people or for the service.
   */
  snapshot<T>(campaignId: string, use: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Records as what leads were exported, so that a later export can leave out what is not new; at most 1,000. */
  markExported(campaignId: string, leads: readonly { phone: E164; as: string }[]): Promise<void>;
  /** Leads of all campaigns that a text may mean, the nearest kind of match alone; see FoundLead. */
  findLeads(text: string, limit: number): Promise<FoundLead[]>;
  /** All attempts of a lead with their analytics, also those that were released, in the order they began. */
  attemptsOf(campaignId: string, phone: E164): Promise<ExportRow[]>;
  /** Calls that have come to an end since the last time this was asked; `after` null: the newest `limit`. */
  finishedCalls(
    campaignId: string,
    after: TailCursor | null,
    limit: number,
  ): Promise<FinishedCalls>;

  /** Where the data lives, for messages. */
  readonly location: string;
  /** Waits for a claim in progress and writes what is queued; may be called again. */
  close(): Promise<void>;
}

/** A campaign as it was at one moment, however long the reading takes and whatever is written meanwhile. */
export interface Snapshot {
  campaign: Campaign;
  lists: List[];
  /** May be read several times; every time it is the same. */
  readonly pages: (query: ExportQuery) => AsyncIterable<ExportRow[]>;
}

export interface NewCampaign {
  id: string;
  name: string;
  /** `list` campaigns are listed; `call` is the single test call of `callsheet call`. */
  kind: 'list' | 'call';
  service: string;
  /** True for the embedded service; never changes. */
  simulated: boolean;
  settings: CampaignSettings;
  createdAt: number;
}

export interface Campaign extends NewCampaign {
  state: CampaignState;
  pauseReason: PauseReason | null;
  /** The sentence that goes with the pause; null unless paused. */
  pauseDetail: string | null;
  /** When it was archived, epoch ms; left out: it is not. Nobody of it is called, and all its calls still count. */
  archivedAt?: number;
}

export interface CampaignChange {
  state?: Exclude<CampaignState, 'paused'>;
  pause?: { reason: PauseReason; detail: string };
  settings?: CampaignSettings;
  service?: string;
  /** Another name; the history keeps the old one. */
  name?: string;
  /** Epoch ms: archives it, only where nobody waits and no call is open or in doubt; null: undoes that. */
  archivedAt?: number | null;
}

/** One line of a campaign's history: who did what, when and with which particulars. */
export interface HistoryEntry {
  at: number;
  /** Operating-system user, or `callsheet` for the program itself. */
  who: string;
  /** noun.pastVerb, e.g. `campaign.paused`. */
  what: string;
  detail: Record<string, unknown>;
}
