import { afterRealTime, systemClock } from '../../runtime/clock.ts';
import type { Engine } from './engine.ts';

/** A write waits this long at most: under load about twenty writes then share one fsync. */
const GATHER_MS = 2;

/** How soon the outcome of a commit is looked up whose answer was lost. */
const LOOK_AGAIN_MS = 1_000;
/** It is looked up for so long, as long as a locked database is waited for: a look may wait for each of several hosts. */
const LOOKED_FOR_MS = 10 * 60_000;

/**
 * Group commit: everything submitted within two milliseconds runs in one IMMEDIATE transaction with one fsync. When an
 * item fails, all of them run again with a savepoint each, so that only the failed one is rolled back. A promise
 * resolves after the commit: the change is durable. After an I/O error nothing more is written, as a disk that failed
 * once may report success for lost data; opening the store again recovers. A commit whose answer was lost is looked up
 * in the next transaction: its promises resolve if it was made, else its work runs again.
 * @param afterGathering calls its argument when enough writes have gathered; default after two real milliseconds
 * @param onCommit called after every transaction
 */
export function groupCommit(
  { db, failures, noteLock, lookUp }: Pick<Engine, 'db' | 'failures' | 'noteLock' | 'lookUp'>,
  afterGathering: (flush: () => void) => void = (flush) => {
    afterRealTime(GATHER_MS, flush);
  },
  onCommit?: CommitListener,
) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT item');
  const release = db.prepare('RELEASE item');
  const rollbackItem = db.prepare('ROLLBACK TO item');
  let queue: Item[] = [];
  let scheduled = false;
  let doubts: Doubt[] = [];
  /** When the first look since the last commit was due, on the monotonic clock; undefined: there was none. */
  let lookedSince: number | undefined;
  let looksSoon = false;
  /** The I/O error after which nothing is written any more. */
  let broken: Error | undefined;
  let wasLocked = false;

  function submit<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (scheduled) return;
      scheduled = true;
      afterGathering(flush);
    });
  }

  /** Commits everything that is queued, at once. */
  function flush(): void {
    scheduled = false;
    const items = queue;
    if (items.length === 0 && doubts.length === 0) return;
    queue = [];
    let tellings: (() => void)[] = [];
    try {
      if (broken !== undefined) throw broken;
      if (db.inTransaction) rollback.run();
      begin.run();
      settleDoubts(items);
      try {
        tellings = items.map(runItem).map((finish) => finish());
        commit.run();
      } catch (error) {
        // A write that nobody waited for may fail as late as at the commit.
        const mayBeItem = tellings.length === 0 || db.later !== undefined;
        if (!mayBeItem || !db.inTransaction || failures.isBroken(error)) throw error;
        rollback.run();
        begin.run();
        tellings = items.map(runApart);
        commit.run();
      }
    } catch (error) {
      const isCommitted = lookUp?.(error);
      if (isCommitted !== undefined) doubts.push({ items, tellings, isCommitted });
      if (doubts.length > 0) lookAgain(error);
      if (isCommitted !== undefined) return;
      tellLock(failures.isLocked(error));
      if (failures.isBroken(error)) broken = error;
      // The whole transaction failed (disk full, I/O error, locked): no item was written.
      rollBack();
      onCommit?.(true);
      for (const item of items) item.reject(error);
      return;
    }
    lookedSince = undefined;
    // Outside of the try: what is committed is never reported as failed.
    tellLock(false);
    for (const tell of [...doubts.splice(0).flatMap((doubt) => doubt.tellings), ...tellings])
      tell();
    onCommit?.(false);
  }

  function tellLock(isLocked: boolean): void {
    if (isLocked === wasLocked) return;
    wasLocked = isLocked;
    noteLock?.(isLocked);
  }

  function rollBack(): void {
    try {
      if (db.inTransaction) rollback.run();
    } catch {
      // A failing disk may fail here, too: the first error is reported, and the next commit rolls back first.
    }
  }

  /**
   * With the lock, nothing of an earlier transaction is under way any more: what is not there now will never be. What is
   * there stays in doubt until this transaction is committed: only then a standby has it for certain.
   */
  function settleDoubts(items: Item[]): void {
    const wasCommitted = doubts.map((doubt) => doubt.isCommitted());
    const again = doubts.filter((_, n) => wasCommitted[n] === false);
    doubts = doubts.filter((doubt) => !again.includes(doubt));
    items.unshift(...again.flatMap((doubt) => doubt.items));
  }

  /**
   * Not the usual case: with a savepoint for each item SQLite keeps every changed page, and the import of 200,000 rows
   * takes 20 % more processor time (6.3 s instead of 5.3 s).
   */
  function runApart(item: Item): () => void {
    savepoint.run();
    try {
      const tell = runItem(item)();
      release.run();
      return tell;
    } catch (error) {
      if (!db.inTransaction || failures.isBroken(error)) throw error;
      rollbackItem.run();
      release.run();
      return () => item.reject(error);
    }
  }

  /** Nobody else may write for a long time, and those in doubt wait for their answer. */
  function lookAgain(error: unknown): void {
    if (looksSoon) return;
    lookedSince ??= systemClock.monotonic();
    if (systemClock.monotonic() - lookedSince >= LOOKED_FOR_MS) {
      giveUp(error);
      return;
    }
    looksSoon = true;
    afterRealTime(LOOK_AGAIN_MS, () => {
      looksSoon = false;
      flush();
    });
  }

  /** Writes what is queued, for the last time: what is in doubt then is told as such. */
  function end(): void {
    flush();
    giveUp();
  }

  function giveUp(cause?: unknown): void {
    const error = new Error('the database did not answer whether the last changes were committed', {
      cause,
    });
    for (const { items } of doubts.splice(0)) for (const item of items) item.reject(error);
  }

  return { submit, flush, end };
}

/** `failed`: nothing of the transaction was written. */
export type CommitListener = (failed: boolean) => void;

/** A transaction whose commit was sent, and whose answer was lost. */
interface Doubt {
  items: Item[];
  /** Tell what was computed before the commit. */
  tellings: (() => void)[];
  isCommitted: () => boolean;
}

interface Item {
  /** Must change nothing but the database, because it may run twice. */
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** @returns what ends it, once the work of all items has been sent, and then tells it once that is committed */
function runItem({ work, resolve }: Item): () => () => void {
  const begun = work();
  return () => {
    const value: unknown = typeof begun === 'function' ? (begun as () => unknown)() : begun;
    return () => resolve(value);
  };
}
