import type { CampaignSettings, CampaignState, PauseReason } from '../domain/campaign.ts';
import type { RecentEnd } from '../domain/look-plan.ts';
import type { E164 } from '../domain/phone.ts';
import type { ListMapping } from '../domain/list-mapping.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { FinishedCalls, FoundLead, TailCursor } from './lookup.ts';
import type {
  DialRecord,
  Doubt,
  ExportCursor,
  ExportDetail,
  ExportQuery,
  ExportRow,
  HeldSlot,
  LookRecord,
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

export type * from './deliveries.ts';
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
export interface Store extends DeliveryStore, SuppressionStore {
  // Campaigns
  /** With the first line of its history. @throws AppError `CAMPAIGN_EXISTS` */
  createCampaign(campaign: NewCampaign, entry: HistoryEntry): Promise<Campaign>;
  findCampaign(name: string): Promise<Campaign | undefined>;
  listCampaigns(): Promise<Campaign[]>;
  /**
   * Changes state, settings or service, with its line in the history. A cancelled campaign stays cancelled,
   * and the program's own pause does not replace the operator's: the answer tells what holds now.
   */
  changeCampaign(id: string, change: CampaignChange, entry: HistoryEntry): Promise<Campaign>;
  addHistory(campaignId: string, entry: HistoryEntry): Promise<void>;
  history(campaignId: string): Promise<HistoryEntry[]>;

  // Lists and leads
  /** Begins a list, or finds the one with the same bytes again (finished or interrupted). */
  beginList(campaignId: string, list: NewList): Promise<List>;
  /**
   * Adds at most 1,000 leads; a number that the campaign already has is reported, not added, and one that
   * nobody may call is added as a lead that has ended.
   */
  addLeads(listId: string, leads: readonly NewLead[]): Promise<AddedLeads>;
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
  /** Withdraws one waiting person. */
  cancelLead(
    campaignId: string,
    phone: E164,
    entry: HistoryEntry,
  ): Promise<'cancelled' | 'not_found' | 'calling' | 'done'>;

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
  /** Open calls whose next look is due at `now`, and not before `after`, the longest due first. */
  dueLooks(query: {
    service: string;
    campaignId: string | null;
    /** Epoch ms; default: however long ago. */
    after?: number;
    now: number;
    limit: number;
  }): Promise<OpenCall[]>;
  /** When the first look later than `after` is due, or null when there is none. */
  nextLookAt(query: {
    service: string;
    campaignId: string | null;
    after: number;
  }): Promise<number | null>;
  /** How the last settled calls of an agent ended, the oldest first; it looks back over a few thousand attempts. */
  recentEnds(query: RecentEndsQuery): Promise<RecentEnd[]>;
  /** Names of the services at which calls are open. */
  servicesWithOpenCalls(campaignId: string | null): Promise<string[]>;
  /** Records what a look found. Group-committed. */
  recordLook(attemptId: string, look: LookRecord): Promise<Recorded>;
  /** The processes that have an intent open: who asks can say which of them are gone. */
  intentOwners(campaignId: string): Promise<Owner[]>;
  /** Applies what time alone decides: orphaned intents, longest call, deadlines, evidence that never came. */
  sweep(request: SweepRequest): Promise<SweepCounts>;

  // Watching
  progress(campaignId: string, now: number): Promise<Progress>;
  /** Who holds the slots, oldest first. */
  heldSlots(campaignId: string, now: number): Promise<HeldSlot[]>;
  /** Calls that may or may not have been made, oldest first, also those that a person has settled. */
  doubts(campaignId: string): Promise<Doubt[]>;
  /** Keeps a person's word on a doubt, with its line in the history; a refusal changes nothing. */
  resolve(attemptId: string, resolution: ResolutionRecord): Promise<Resolved>;

  /** A process says that it works on a campaign; said again every few seconds. */
  runnerSeen(campaignId: string, owner: Owner, at: number): Promise<void>;
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
   * Reads a campaign as it is now, all of it from the same moment. Nobody is held up meanwhile, but what is
   * written stays in the log until `use` has ended: wait for nobody in it.
   */
  snapshot<T>(campaignId: string, use: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Keeps as what leads were given out, so that only what is new can be told from it; at most 1,000. */
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
  /** Lets a claim in progress finish and writes what was given before; may be called again. */
  close(): Promise<void>;
}

/** A campaign as it was at one moment, however long the reading takes and whatever is written meanwhile. */
export interface Snapshot {
  campaign: Campaign;
  lists: List[];
  /** May be read several times; every time it is the same. */
  readonly pages: (query: ExportQuery) => AsyncIterable<ExportRow[]>;
}

export interface RecentEndsQuery {
  service: string;
  agent: string;
  limit: number;
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
}

export interface CampaignChange {
  state?: Exclude<CampaignState, 'paused'>;
  pause?: { reason: PauseReason; detail: string };
  settings?: CampaignSettings;
  service?: string;
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

export interface NewList {
  id: string;
  /** Path as given, for messages and the export. */
  path: string;
  sha256: string;
  headers: string[];
  at: number;
  /** Which column holds what; default null, for lists that are no files. */
  mapping?: ListMapping | null;
  /** The day for which the list is true, as the operator says (epoch ms); default null. */
  asOf?: number | null;
}

export interface List extends Required<NewList> {
  /** 1, 2, 3 ... within the campaign. */
  number: number;
  finishedAt: number | null;
  good: number;
  rejected: number;
  duplicates: number;
  suppressed: number;
}

export interface NewLead {
  phone: E164;
  /** The line of the file it came from, 1-based. */
  line: number;
  /** Cells in the list's column order, verbatim. */
  cells: string[];
  /** The row says that this person is not to be called: how, and all of their numbers. They are suppressed with it. */
  doNotCall?: { note: string; phones: readonly E164[] };
}

export interface AddedLeads {
  /** Leads that may be called. */
  added: number;
  /** Leads that have ended already, as nobody may call them, and why. */
  suppressed: { line: number; phone: E164; why: string }[];
  /** Rows whose number the campaign had already, with the line and list that has it. */
  duplicates: { line: number; phone: E164; firstLine: number; firstList: string }[];
}

export interface ClaimRequest {
  campaignId: string;
  /** At most this many, the number of free request lanes. At least 1. */
  want: number;
  /** Slots in use at most, the operator's concurrency or less. */
  slots: number;
  /** Calls in progress at the service at most, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  service: string;
  /** See VoiceService.fingerprint: until it has answered one dial as expected, one dial is in flight. */
  fingerprint: string;
  now: number;
  owner: Owner;
  /** At services that answer one key with one call: dials whose answers were lost are sent again first. */
  repeat?: {
    /** How long the service knows a key, ms. */
    forMs: number;
    /** See VoiceService.idempotency. */
    account: string;
  };
  /** True when the dial needs the cells of the lead's row; default false. */
  withVariables?: boolean;
}

export type ClaimHold =
  | 'not_running'
  /** The database's disk has less room than callsheet keeps free. */
  | 'disk_full'
  | 'no_free_slot'
  | 'service_hold'
  | 'pace'
  | 'first_answer_pending'
  | 'not_yet_due'
  | 'list_unfinished'
  | 'none_waiting';

export interface Claim {
  intents: Intent[];
  /** Why there are not more; null when all that were wanted were given. */
  hold: ClaimHold | null;
  /** When it is worth asking again (epoch ms); null: when something changes. */
  askAgainAt: number | null;
}

export interface Intent {
  /** Names the attempt within this store. */
  attemptId: string;
  /** The idempotency key: same again after a release, never shared by two attempts that count. */
  key: string;
  phone: E164;
  agent: string;
  /** 1 for the lead's first spent attempt, 2 for its second ... */
  ordinal: number;
  intentAt: number;
  /** The same dial once more, under the same key: its first answer was lost. */
  repeated?: true;
  /** The lead's cells by column; null unless `withVariables` asked for them. */
  variables?: Readonly<Record<string, string>> | null;
}
