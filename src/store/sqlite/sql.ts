// The types of a statement's parameters and rows are known only where its SQL text is.
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters */
import type { Database } from 'better-sqlite3';

/** Columns that are decoded: `json` from JSON text (or NULL), `flags` from 0 or 1 to false or true. */
interface Encoded<Row> {
  json?: readonly (keyof Row)[];
  flags?: readonly (keyof Row)[];
}

/**
 * Statements of a connection, each as a function of its parameters. A statement is prepared when it is first used: a store
 * has some two hundred, and whoever reads one page needs ten of them.
 */
export function sqlOf(db: Database) {
  return {
    db,
    /** @returns how many rows were changed */
    run: <Args extends unknown[]>(text: string) => {
      const statement = once(() => db.prepare(text));
      return (...args: Args): number => statement().run(...args).changes;
    },
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
