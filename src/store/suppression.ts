import type { StoppedLead } from './campaigns.ts';
import type { E164 } from '../domain/phone.ts';

/** Who suppressed a number: part of the port. */
export type SuppressionSource = 'operator' | 'file' | 'list' | 'service';

export interface NewSuppression {
  phone: E164;
  /** Epoch ms. */
  at: number;
  source: SuppressionSource;
  note: string | null;
  /** Operating-system user, or `callsheet` for the program itself. */
  who: string;
  /** The entry is in force until then (epoch ms); null: for ever. */
  expiresAt: number | null;
  /** The list whose row asked for it, as it was named at the import. Default: no list. */
  list?: string | undefined;
}

/** The entries of one list. */
export interface SuppressingList {
  list: string;
  /** Its numbers in force. */
  numbers: number;
  /** Numbers that something else suppresses as well: they stay when the list's entries are taken back. */
  staying: number;
}

/** An entry of the suppression list, which is only appended to: a removal lifts all entries before it. */
export interface SuppressionRecord extends NewSuppression {
  action: 'add' | 'remove';
}

export interface SuppressionQuery {
  /** Epoch ms. */
  now: number;
  /** The `seq` of the last entry that was read; null: from the newest on. */
  before: number | null;
  /** Occurs in the number (without blanks and separators) or in the note (ASCII case ignored); null: all. */
  text: string | null;
  limit: number;
}

export interface ListedSuppression extends NewSuppression {
  /** The place of the entry in the order of writing. */
  seq: number;
}

/** A file whose numbers were added as a whole, such as a registry's. */
export interface SuppressionFile {
  path: string;
  /** The day for which it was true, as the operator says (epoch ms). */
  asOf: number;
  /** When all of its numbers were on the suppression list. */
  at: number;
  who: string;
  /** The registry that it is of, as rules name it: `us-national`; null: none was named. */
  registry: string | null;
  /** The area codes that it has; null: all of the registry. */
  areas: readonly string[] | null;
}

/** People of a campaign who wait in one area code of the North American numbering plan. */
export interface WaitingArea {
  /** `212`. */
  area: string;
  zoneKey: string;
}

export interface PhoneFacts {
  /** Why it is suppressed, e.g. `by the operator on 2026-01-05`; null: it is not. */
  suppressed: string | null;
  /** The campaign's lead with this number: its line, its list and the hash of that list's bytes. */
  known: { line: number; list: string; sha256: string } | null;
  /** A lead with this number in another campaign that is not completed or cancelled. */
  elsewhere: { campaign: string; line: number; list: string } | null;
}

/** The list of numbers that nobody may call, in any campaign: checked in the very transaction that allows a dial. */
export interface SuppressionStore {
  /**
   * Stops calls to at most 1,000 leads of a campaign; a later list that has them as people to call lets them wait
   * again.
   * @param by the list's sha256
   * @returns how many would have been called
   */
  stopLeads(campaignId: string, by: string, leads: readonly StoppedLead[]): Promise<number>;
  /**
   * Adds at most 1,000 entries and ends waiting leads with these numbers, of all campaigns. A number that is already
   * suppressed is written again only if its entries are of other lists, which can be taken back.
   */
  suppress(
    entries: readonly NewSuppression[],
  ): Promise<{ added: number; known: number; leads: number }>;
  /** Lifts a number; leads that it has ended stay ended. False: it was not suppressed. */
  unsuppress(entry: Omit<NewSuppression, 'source' | 'expiresAt'>): Promise<boolean>;
  /** The lists that have entries in force at `now`, by name. */
  suppressingLists(now: number): Promise<SuppressingList[]>;
  /**
   * Takes back a list's entries for at most 1,000 of its numbers after `after`. Entries of other lists, files, people
   * and the service are written again.
   * @returns the numbers that were lifted or stay, in order; empty: there are none after `after`
   */
  takeBackList(
    entry: { list: string; after: E164 | null } & Pick<NewSuppression, 'at' | 'who' | 'note'>,
  ): Promise<E164[]>;
  /** Entries in force at `now`, one per number (the one that lasts longest), by number; `after`: the last one read. */
  suppressions(query: {
    now: number;
    after: E164 | null;
    limit: number;
  }): Promise<NewSuppression[]>;
  /** Entries in force, one per number, the newest first. */
  suppressionPage(query: SuppressionQuery): Promise<ListedSuppression[]>;
  /** Every entry of a number, also removals, in the order in which they were added. */
  suppressionHistory(phone: E164): Promise<SuppressionRecord[]>;
  /** Records the day of a file, once all of its numbers were added. */
  addSuppressionFile(file: SuppressionFile): Promise<void>;
  /** Files whose numbers were added as a whole, the newest `asOf` first; at most 2,000. */
  suppressionFiles(): Promise<SuppressionFile[]>;
  /** Area codes of all +1 numbers that a campaign may still call, once per place. Reads all its leads. */
  waitingAreas(campaignId: string): Promise<WaitingArea[]>;
  /** Looks up numbers; answers are in the order of `phones`. `campaignId` null: a campaign that does not exist yet. */
  lookUpPhones(query: {
    campaignId: string | null;
    phones: readonly E164[];
    now: number;
  }): Promise<PhoneFacts[]>;
}
