import type { Store } from '../port.ts';
import type { Database } from './engine.ts';

// The types of a statement's parameters and rows are known only where its SQL text is.
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters */

/** Columns that are decoded: `json` from JSON text (or NULL), `flags` from 0 or 1 to false or true. */
interface Encoded<Row> {
  json?: readonly (keyof Row)[];
  flags?: readonly (keyof Row)[];
}

/**
 * Statements of a connection, each as a function of its parameters. A statement is prepared at its first use: a store
 * has some two hundred, and most commands need few.
 */
export function sqlOf(db: Database) {
  return {
    db,
    /** @returns how many rows were changed */
    run: <Args extends unknown[]>(text: string) => {
      const statement = once(() => db.prepare(text));
      return (...args: Args): number => statement().run(...args).changes;
    },
    /** @returns the number of the row that was added */
    insert: <Args extends unknown[]>(text: string) => {
      const statement = once(() => db.prepare(text));
      return (...args: Args): number => Number(statement().run(...args).lastInsertRowid);
    },
    /** Writes that nobody waits for. `one`: the transaction fails unless one row is changed. */
    later: <Args extends unknown[]>(text: string, expects?: 'one') => {
      const statement = once(() => db.prepare(text));
      return (...args: Args): void => {
        if (db.later !== undefined) db.later(text, args, expects);
        else if (statement().run(...args).changes !== 1 && expects === 'one')
          throw new Error(`no row was changed by ${text}`);
      };
    },
    /** As `insert`; the number is asked for later. */
    insertLater: <Args extends unknown[]>(text: string) => {
      const statement = once(() => db.prepare(text));
      return (...args: Args): (() => number) => {
        if (db.later !== undefined) return db.later(text, args, 'number');
        const number = Number(statement().run(...args).lastInsertRowid);
        return () => number;
      };
    },
    /** As `run`; how many rows were changed is asked for later. */
    runLater: <Args extends unknown[]>(text: string) => {
      const statement = once(() => db.prepare(text));
      return (...args: Args): (() => number) => {
        if (db.later !== undefined) return db.later(text, args, 'changes');
        const { changes } = statement().run(...args);
        return () => changes;
      };
    },
    /** Whether `later` saves time. */
    isTogether: db.later !== undefined,
    /** See `Together`. */
    ahead: (work: () => void) => db.ahead?.(work),
    /** The first row. */
    row: <Args extends unknown[], Row>(text: string, encoded?: Encoded<Row>) => {
      const statement = once(() => db.prepare<unknown[], Row>(text));
      return (...args: Args): Row | undefined => {
        const row = statement().get(...args);
        return row === undefined ? undefined : decoded(row, encoded);
      };
    },
    rows: <Args extends unknown[], Row>(text: string, encoded?: Encoded<Row>) => {
      const statement = once(() => db.prepare<unknown[], Row>(text));
      return (...args: Args): Row[] => {
        const rows = statement().all(...args);
        return encoded === undefined ? rows : rows.map((row) => decoded(row, encoded));
      };
    },
    /** Rows as they are read: no other statement of the connection may write meanwhile. */
    iterate: <Args extends unknown[], Row>(text: string) => {
      const statement = once(() => db.prepare<unknown[], Row>(text));
      return (...args: Args): IterableIterator<Row> => statement().iterate(...args);
    },
    /** The first column of the first row. */
    value: <Args extends unknown[], Value>(text: string) => {
      const statement = once(() => db.prepare<unknown[], Value>(text).pluck());
      return (...args: Args): Value | undefined => statement().get(...args);
    },
    /** The first column of all rows. */
    values: <Args extends unknown[], Value>(text: string) => {
      const statement = once(() => db.prepare<unknown[], Value>(text).pluck());
      return (...args: Args): Value[] => statement().all(...args);
    },
    /** Rows as arrays. */
    tuples: <Args extends unknown[], Tuple>(text: string) => {
      const statement = once(() => db.prepare<unknown[], Tuple>(text).raw());
      return (...args: Args): Tuple[] => statement().all(...args);
    },
    /** Runs `work` while nobody else writes; if it throws, nothing of it is written. */
    alone: <T>(work: () => T): T => db.transaction(work).immediate(),
    /** `work` with all its statements reading at one moment. */
    atOneMoment: <Args extends unknown[], T>(work: (...args: Args) => T): ((...args: Args) => T) =>
      db.transaction(work),
  };
}

export type Sql = ReturnType<typeof sqlOf>;

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function decoded<Row>(row: Row, { json = [], flags = [] }: Encoded<Row> = {}): Row {
  const cells = row as Record<keyof Row, unknown>;
  for (const name of json) cells[name] = JSON.parse((cells[name] ?? 'null') as string) as unknown;
  for (const name of flags) cells[name] = cells[name] === 1;
  return row;
}

/** Most leads per transaction, so that a runner beside the import is not delayed. */
const MAX_LEADS_PER_TRANSACTION = 1_000;

/** The methods of a port as synchronous functions. */
export type MethodsOf<Port> = {
  [
    Name in keyof Port as Port[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
  ]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer | (() => Answer)
    : never;
};
/** A function instead of an answer is called once all that is written together has been sent. */
export type Methods = MethodsOf<Store>;

/** Makes methods of the port from synchronous functions; `run` runs each call. */
export function each<Name extends keyof Methods>(
  run: <T>(work: () => T) => Promise<T>,
  functions: Pick<Methods, Name>,
): Pick<Store, Name> {
  type Work = (...args: unknown[]) => unknown;
  const methods = Object.entries(functions as Record<string, Work>).map(
    ([name, work]) => [name, (...args: unknown[]) => run(() => work(...args))] as const,
  );
  return Object.fromEntries(methods) as unknown as Pick<Store, Name>;
}

export function atMost<T>(some: readonly T[], what: keyof Methods): readonly T[] {
  if (some.length <= MAX_LEADS_PER_TRANSACTION) return some;
  throw new RangeError(`${what} takes at most ${MAX_LEADS_PER_TRANSACTION} at once`);
}
