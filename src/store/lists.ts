import type { LeadState } from '../domain/lead.ts';
import type { AddedColumn, ChosenReading, ListMapping } from '../domain/lists/list-mapping.ts';
import type { PersonKey } from '../domain/lists/person.ts';
import type { E164 } from '../domain/phone.ts';
import type { Owner } from './records.ts';

/** Lists and their leads, and the outcomes of undoing a cancellation. Part of the port; times are epoch ms. */

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
  /** The importing process and when it reported last (it may be dead); null by default and once it has finished. */
  importer?: (Owner & { seenAt: number }) | null;
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

/** Where the person of a lead is. */
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
  /** Why nobody may call it; null: it may be called. */
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
  /** How many of these are leads whose cells, place or numbers the row has changed. */
  corrected: number;
  /** How many are leads that are not called any more, as the row empties the consent that let them be. */
  stopped: number;
}

/** Somebody who must not be called any more by what a later list says; `why` ends up in the results. */
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

/** Files that were found in a campaign's folders or at its addresses. Part of the port; times are epoch ms. */

/** The process that takes a file, and when it reported last. */
export type Taker = Owner & { seenAt: number };

export interface WatchedList {
  /** SHA-256 of the bytes of the file as it was found. */
  sha256: string;
  /** Where it was found when it was taken or refused. */
  path: string;
  /** `taking`: a process is at it, or was when it ended. */
  state: 'taking' | 'taken' | 'refused';
  /** Why it was refused; or the file with the rows that were not taken; null: neither. */
  note: string | null;
  at: number;
  taker: Taker;
  /** When the file was moved away; null: not yet, or it stays in its place. */
  movedAt: number | null;
}

/** What an address said of its list, sent back with the next request; null: it said nothing. */
export interface AddressState {
  etag: string | null;
  lastModified: string | null;
}

export interface WatchedListStore {
  watchedLists(campaignId: string): Promise<WatchedList[]>;
  /**
   * Claims a file for one process, so that no other one takes it at the same time.
   *
   * @param instead the row that the claim replaces, as it was read: one whose process is gone, or one that was refused;
   *   null: there is none
   * @returns false when another process was first
   */
  claimWatched(
    campaignId: string,
    file: Pick<WatchedList, 'sha256' | 'path' | 'taker' | 'at'>,
    instead: WatchedList | null,
  ): Promise<boolean>;
  /** Keeps what became of a claimed file. @returns false when another process has claimed it since: it decides then */
  endWatched(
    campaignId: string,
    end: Pick<WatchedList, 'sha256' | 'note' | 'at' | 'taker'> & { state: 'taken' | 'refused' },
  ): Promise<boolean>;
  /** The file is no longer where it was found. */
  watchedMoved(campaignId: string, sha256: string, at: number): Promise<void>;
  addressState(campaignId: string, address: string): Promise<AddressState | null>;
  keepAddress(campaignId: string, address: string, state: AddressState, at: number): Promise<void>;
}
