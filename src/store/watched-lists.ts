import type { Owner } from './records.ts';

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
