import type { ListMapping } from '../domain/lists/list-mapping.ts';
import type { E164 } from '../domain/phone.ts';
import type { Owner } from './records.ts';

/** Lists and their leads, and the answers to undoing a cancellation. Part of the port; times are epoch ms. */

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
  /** Size of its file, and how it is to be read again; default null. */
  bytes?: number | null;
  encoding?: string | null;
  sheet?: string | null;
  /** True: when its import ends, whoever waits and is not on it leaves the campaign. Default false. */
  complete?: boolean;
  /** Which process imports it, and when it said so last; it may be dead. Default, and once it is finished: null. */
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

/** A lead as an import that goes on finds it. */
export interface ImportedLead {
  line: number;
  phone: E164;
  /** Why nobody may call it; null: it may be called. */
  suppressed: string | null;
}

export interface AddedLeads {
  /** Leads that may be called. */
  added: number;
  /** Leads that have ended already, as nobody may call them, and why. */
  suppressed: { line: number; phone: E164; why: string }[];
  /** Rows whose number the campaign had already, with the line and list that has it. */
  duplicates: {
    line: number;
    phone: E164;
    firstLine: number;
    firstList: string;
  }[];
}

/** A call to somebody who had been taken out of a campaign, by whatever campaign. */
export interface CalledSince {
  phone: E164;
  campaign: string;
  at: number;
}

export type Undone =
  | { kind: 'undone' | 'not_cancelled' }
  /** `people`: how many; `since`: some of them. */
  | { kind: 'called'; people: number; since: CalledSince[] };

export type UndoneLead =
  | { kind: 'undone' | 'not_found' | 'not_cancelled' | 'suppressed' }
  | { kind: 'called'; since: CalledSince };
