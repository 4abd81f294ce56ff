import type { CallableAgain, NotRetried } from '../domain/calling/retry.ts';
import type { CampaignSettings, CampaignState, PauseReason } from '../domain/campaign.ts';
import type { LeadResult, LeadState } from '../domain/lead.ts';
import type { AddedColumn, ChosenReading, ListMapping } from '../domain/lists/list-mapping.ts';
import type { PersonKey } from '../domain/lists/person.ts';
import type { E164 } from '../domain/phone.ts';
import { usageError, type AppError } from '../runtime/errors.ts';
import { historyText } from '../text/history-text.ts';
import { shellWord } from '../text/wording.ts';
import type { Owner } from './records.ts';

/** Campaigns and their history: part of the port. Times are epoch ms. */

export interface NewCampaign {
  id: string;
  name: string;
  /** `list` campaigns are listed; `call` is the single test call of `callsheet call`. */
  kind: 'list' | 'call';
  service: string;
  /** True for the embedded service; never changes once the campaign has people. */
  simulated: boolean;
  settings: CampaignSettings;
  createdAt: number;
}

export interface Campaign extends NewCampaign {
  state: CampaignState;
  pauseReason: PauseReason | null;
  /** The sentence that goes with the pause; null unless paused. */
  pauseDetail: string | null;
  /** Epoch ms; left out: not archived. An archived campaign is not called; its past calls still count. */
  archivedAt?: number;
  /** 1 for a new campaign, one more with each change. */
  version: number;
}

export interface CampaignChange {
  state?: Exclude<CampaignState, 'paused'>;
  /**
   * True where a person resumes it; without that, `state: 'running'` changes nothing while the operator's pause lasts. Once
   * it is cancelled, nothing runs it.
   */
  resumes?: boolean;
  pause?: { reason: PauseReason; detail: string };
  settings?: CampaignSettings;
  service?: string;
  /** Only of a campaign without people. */
  simulated?: boolean;
  /** Another name; the history keeps the old one. */
  name?: string;
  /** Epoch ms: archives it, allowed only when no lead waits and no call is open or in doubt; null: undoes that. */
  archivedAt?: number | null;
  /** The version that the caller has seen; with any other version nothing is changed. */
  ifVersion?: number | undefined;
}

export interface HistoryEntry {
  at: number;
  /** Operating-system user, or `callsheet` for the program itself. */
  who: string;
  /** noun.pastVerb, e.g. `campaign.paused`. */
  what: string;
  detail: Record<string, unknown>;
}

/**
 * The error `CAMPAIGN_CHANGED` (exit 2): somebody changed the campaign after the user looked at it.
 * @param history of the campaign; its last change is named
 */
export function campaignChanged(name: string, history: readonly HistoryEntry[]): AppError {
  const last = history.findLast(({ what }) => what.startsWith('campaign.'));
  const who = last === undefined ? '' : ` The last change: ${historyText(last)}`;
  return usageError(
    'CAMPAIGN_CHANGED',
    `Campaign "${name}" was changed since you looked at it; nothing was done.${who}`,
    `look at it again (\`callsheet status ${shellWord(name)}\`), then decide`,
  );
}

/** Lists and their leads: part of the port. Times are epoch ms. */

export interface NewList {
  id: string;
  /** Path as given, for messages and the export. */
  path: string;
  sha256: string;
  headers: string[];
  at: number;
  /** Which column holds what; default null, for lists that were not read from a file. */
  mapping?: ListMapping | null;
  /** The day for which the list is true, as the operator says (epoch ms); default null. */
  asOf?: number | null;
  /** Where its bytes are, absolute, if not at `path`: an upload; default null. */
  file?: string | null;
  /** Size of its file, and how it is to be read again; default null. */
  bytes?: number | null;
  encoding?: string | null;
  delimiter?: string | null;
  sheet?: string | null;
  /** True: when its import ends, waiting leads that are not on this list leave the campaign. Default false. */
  complete?: boolean;
  /** Set for a list that was sent to a draft: how it is to be read. Default null. */
  input?: ChosenReading | null;
  /**
   * The importing process and when it reported last (it may be dead); null by default and once it has finished. `with`:
   * the lists that a complete one is given with, which `importSeen` keeps.
   */
  importer?: (Owner & { seenAt: number; with?: string[] }) | null;
}

export interface List extends Required<NewList> {
  /** 1, 2, 3 ... within the campaign. */
  number: number;
  finishedAt: number | null;
  good: number;
  rejected: number;
  duplicates: number;
  suppressed: number;
  /** Columns that later lists have and this one lacks; cells of its leads go on with them. */
  added: AddedColumn[];
}

export interface NewLead {
  phone: E164;
  /** The line of the file it came from, 1-based. */
  line: number;
  /** Cells in the list's column order, verbatim. */
  cells: string[];
  /** Where the person is, see `zoneKey`; left out: not worked out yet. */
  zoneKey?: string;
  /** True when list and number disagree about the time zone. Default false. */
  zonesDisagree?: boolean;
  /** Further numbers of the person, in the order in which they are tried. */
  alternatives?: { phone: E164; zoneKey: string }[];
  /** Called not before `at` (epoch ms); `why`: what the list says. Holds for a waiting lead with this number, too. */
  notBefore?: { at: number; why: string };
  /** The consent holds until then, epoch ms. Default: no end. */
  consentUntil?: number;
  /** See ConsentTimes. Default: not known. */
  consentGiven?: number;
  /** Set when the row says not to call this person: its words, and all their numbers, which are suppressed too. */
  doNotCall?: { note: string; phones: readonly E164[] };
  /** Who the person is by the list; left out: it does not say. */
  person?: PersonKey;
}

/** A waiting lead whose place is not worked out: from before callsheet kept places, or recovered from the journal. */
export interface LeadWithoutPlace {
  phone: E164;
  cells: string[];
  /** Which of the cells holds what; null: the list was not read from a file. */
  mapping: ListMapping | null;
}

export interface LeadPlace {
  phone: E164;
  /** See `zoneKey` of domain/calling; never empty. */
  zoneKey: string;
  /** True when list and number disagree about the time zone. */
  disagree: boolean;
}

/** A lead that an import stored before it was interrupted; read when the import continues. */
export interface ImportedLead {
  line: number;
  phone: E164;
  /** Why nobody may call it; null: nothing forbids it. */
  suppressed: string | null;
}

export interface AddedLeads {
  /** Leads that may be called. */
  added: number;
  /** Leads that were added as done because nobody may call them, with the reason. */
  suppressed: { line: number; phone: E164; why: string }[];
  /** Rows whose number the campaign had already, with the line and list that has it. */
  duplicates: {
    line: number;
    phone: E164;
    firstLine: number;
    firstList: string;
  }[];
  /** Those of `duplicates` whose cells, place or numbers the row has changed. */
  corrected: number;
  /** Leads that are no longer called because the row empties their consent. */
  stopped: number;
}

/** Somebody whom a later list says not to call; `why` is in the results. */
export interface StoppedLead {
  phone: E164;
  why: string;
}

/** A call, made by any campaign, to a person who had been taken out of a campaign. */
export interface CalledSince {
  phone: E164;
  campaign: string;
  at: number;
}

export type Undone =
  | { kind: 'undone' | 'not_cancelled' }
  /** `people`: how many people were called since; `since`: some of these calls. */
  | { kind: 'called'; people: number; since: CalledSince[] };

export type UndoneLead =
  /** `why`: what a list says, so that they are not called after all; null: nothing. */
  | { kind: 'undone'; state: LeadState; why: string | null }
  | { kind: 'not_found' | 'not_cancelled' | 'suppressed' }
  | { kind: 'called'; since: CalledSince };

/** Who may be called again; what is asked is asked again in the transaction that lets them wait. */
export interface RetryQuery {
  /** Those who are done with one of these results. */
  results: readonly LeadResult[];
  /** An attempt's id: people with a newer attempt are left out; null: nobody is for that. */
  upTo: string | null;
  now: number;
}

/** `not`: null for those who may be called again, or wait now. */
export interface RetriedLead {
  phone: E164;
  result: CallableAgain;
  not: NotRetried | null;
}

/** Files from a campaign's folders and addresses: part of the port. Times are epoch ms. */

/** The process that takes a file, and when it reported last. */
export type Taker = Owner & { seenAt: number };

export interface WatchedList {
  /** SHA-256 of the bytes of the file as it was found. */
  sha256: string;
  /** Where it was found when it was taken or refused. */
  path: string;
  /** `taking`: a process works on it, or was killed while it did. */
  state: 'taking' | 'taken' | 'refused';
  /** Why it was refused; or the file with the rows that were not taken; null: neither. */
  note: string | null;
  at: number;
  taker: Taker;
  /** When the file was moved away; null: not yet, or it stays in its place. */
  movedAt: number | null;
}

/** Validators of the last answer, sent with the next request; null: it had none. */
export interface AddressState {
  etag: string | null;
  lastModified: string | null;
}

export interface WatchedListStore {
  watchedLists(campaignId: string): Promise<WatchedList[]>;
  /**
   * Claims a file, so that no other process takes it at the same time.
   * @returns false when another process was first
   * @param instead the row that the claim replaces, as it was read: one whose process is gone, or one that was refused;
   *   null: there is none
   */
  claimWatched(
    campaignId: string,
    file: Pick<WatchedList, 'sha256' | 'path' | 'taker' | 'at'>,
    instead: WatchedList | null,
  ): Promise<boolean>;
  /** Records the end of a claimed file. @returns false when another process has claimed it since: that one decides */
  endWatched(
    campaignId: string,
    end: Pick<WatchedList, 'sha256' | 'note' | 'at' | 'taker'> & { state: 'taken' | 'refused' },
  ): Promise<boolean>;
  /** Records that the file was moved away. */
  watchedMoved(campaignId: string, sha256: string, at: number): Promise<void>;
  addressState(campaignId: string, address: string): Promise<AddressState | null>;
  keepAddress(campaignId: string, address: string, state: AddressState, at: number): Promise<void>;
}
