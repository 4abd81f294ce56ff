import type { AppError } from '../../runtime/errors.ts';
import type { Claim, ClaimRequest, JournalEntry, Store } from '../port.ts';
import type { DatabaseStore } from '../sql/store.ts';

/** What a machine keeps beside a database. */
export interface Beside {
  /** Undefined for a store that was not opened to dial. */
  journal?: Journal | undefined;
  room: DiskRoom;
  /** Undefined for files that are only read. */
  place?: Place | undefined;
  /** Copies committed data from the write-ahead log into the database file. */
  checkpoint?: () => Promise<unknown>;
  /** Compares the journal's new lines with the attempts; see `recoverFromJournal`. */
  verify?: () => Promise<unknown>;
}

/** Keeps dials outside of the database, so that an older copy of it calls nobody again. */
export interface Journal {
  /** Resolves once the lines are on disk. @throws AppError `JOURNAL_NOT_WRITTEN` */
  append(entries: readonly JournalEntry[]): Promise<void>;
  close(): void;
}

/** Whether the files of a database are still where they were opened. */
export interface Place {
  /** Checks the database alone, with one system call, for frequent use. @throws AppError `STORE_GONE` (exit 5) */
  assertDatabase(): void;
  /** Checks all files. @throws AppError `STORE_GONE`, `JOURNAL_GONE` (exit 5) */
  assertAll(): void;
}

/** Room on the disk of the journal. */
export interface DiskRoom {
  /** True while there is more room than callsheet keeps free. */
  hasFreeSpace(): boolean;
  /** True while leads may be claimed. */
  hasRoom(): boolean;
  /** The error that says there is no room. */
  full(): AppError;
}

/**
 * Lines of the journal after which a store that dials compares them itself: the next process that opens the database
 * reads all that nobody has compared, 4 µs a line (50,000 took 0.2 s), and its own calls wait meanwhile.
 */
const VERIFY_EVERY = 5_000;

/** A store whose claims are in the database and in the dial journal before the caller learns of their intents. */
export function journalledStore(database: DatabaseStore, beside: Beside): Store {
  const { takeBack, ...others } = database;
  const { journal, room, place, checkpoint, verify } = beside;
  const open = new Set<Promise<Claim>>();
  /** Campaigns that are in the database file itself, and not only in the write-ahead log. */
  const checkpointed = new Set<string>();
  let unverified = 0;
  let closed: Promise<void> | undefined;

  async function claim(request: ClaimRequest): Promise<Claim> {
    if (journal === undefined) throw new Error('only a store opened to dial can claim');
    place?.assertDatabase();
    if (!room.hasRoom())
      return { intents: [], shortfall: 'disk_full', askAgainAt: null, settings: null };
    // The journal names the campaign, so the database file must have it even if the write-ahead log is damaged later.
    if (!checkpointed.has(request.campaignId)) await checkpoint?.();
    checkpointed.add(request.campaignId);
    if (unverified >= VERIFY_EVERY) {
      unverified = 0;
      await verify?.();
    }
    const { journal: lines, ...answer } = await database.claim(request);
    try {
      await journal.append(lines);
      unverified += lines.length;
    } catch (error) {
      const detail = 'the dial journal could not be written, so nothing was sent';
      // If the release cannot be written either, the attempts stay intents, and nobody dials them again.
      await takeBack(answer.intents, request.now, detail).catch(() => undefined);
      throw error;
    }
    return answer;
  }

  async function close(): Promise<void> {
    await Promise.allSettled(open);
    try {
      await database.close();
    } finally {
      journal?.close();
    }
  }

  return {
    ...others,
    claim: async (request) => {
      if (closed !== undefined) throw new Error('a closed store does not claim');
      const claiming = claim(request);
      open.add(claiming);
      try {
        return await claiming;
      } finally {
        open.delete(claiming);
      }
    },
    claimGates: async (query) => [
      ...(room.hasFreeSpace() ? [] : [{ why: 'disk_full' as const, until: null }]),
      ...(await database.claimGates(query)),
    ],
    sweep: async (request) => {
      place?.assertAll();
      return database.sweep(request);
    },
    finishList: async (listId, rows) => {
      place?.assertAll();
      await database.finishList(listId, rows);
    },
    assertWritable: async () => {
      place?.assertAll();
      if (!room.hasFreeSpace()) throw room.full();
      await database.assertWritable();
    },
    close: () => (closed ??= close()),
  };
}
