import Sqlite, { type Database } from 'better-sqlite3';
import { afterThisTurn } from '../../../runtime/clock.ts';
import type { Store } from '../../port.ts';
import { migrate } from '../migrate.ts';
import { createStore } from '../store.ts';
import { copyCampaign, copyWhatCounts } from './copy.ts';
import { rehearsedStatements, type Rehearsed } from './rehearsed.ts';

/** What the operator would read as the path of a scratch database; no file has this name. */
const IN_MEMORY = ':memory:';

/** A store in memory for rehearsals, and what only rehearsals ask of a database. */
export interface ScratchStore extends Rehearsed {
  store: Store;
  /**
   * Copies a campaign from a database, which only is read: its lists, leads and own calls. Calls in progress come to
   * nothing here. To be called before anything is written here.
   *
   * @param path absolute path of the database
   * @param campaignId null: a campaign that the database does not have, and that is made here
   */
  copyCampaign(path: string, campaignId: string | null): void;
  /**
   * Copies what else counts for the people who wait here: who of them is suppressed, and calls of other campaigns to
   * their numbers. To be called when all lists are in, and before the first call.
   */
  copyWhatCounts(path: string, campaignId: string): void;
  /** The database as bytes, from which `openScratchStore` opens any number of copies. */
  image(): Buffer;
}

/**
 * Opens a store in memory for a rehearsal. Nothing of it is ever durable, so it takes no path: no database that records
 * real calls can be opened like this. What is kept vanishes with the process, however that ends.
 *
 * @param image the result of `image`; default: an empty database
 */
export function openScratchStore(image?: Buffer): ScratchStore {
  const db = new Sqlite(image ?? IN_MEMORY);
  db.pragma('journal_mode = MEMORY');
  db.pragma('foreign_keys = ON');
  migrate(db, IN_MEMORY);
  return {
    ...rehearsedStatements(db),
    store: storeOn(db),
    copyCampaign: (path, campaignId) => {
      withDatabase(db, path, () => {
        copyCampaign(db, campaignId);
      });
    },
    copyWhatCounts: (path, campaignId) => {
      withDatabase(db, path, () => {
        copyWhatCounts(db, campaignId);
      });
    },
    image: () => db.serialize(),
  };
}

/** Without a journal, a ballast and a wait for other writers: all of them are there for what must not get lost. */
function storeOn(db: Database): Store {
  const ballast = {
    hasFreeSpace: () => true,
    hasRoom: () => true,
    timesGivenUp: () => 0,
    giveUp: () => false,
  };
  const journal = { append: async () => undefined, close: () => undefined };
  const place = { name: IN_MEMORY, path: IN_MEMORY };
  return createStore(db, place, { ballast, journal, afterGathering: afterThisTurn });
}

/** Makes a database readable as `real` while `use` copies from it, as it is at one moment. */
function withDatabase(db: Database, path: string, use: () => void): void {
  db.prepare('ATTACH ? AS real').run(path);
  try {
    db.transaction(use)();
  } finally {
    db.exec('DETACH real');
  }
}
