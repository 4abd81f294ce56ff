import type { Database, Statement } from 'better-sqlite3';

const prepared = new WeakMap<Database, Map<string, Statement>>();

/** A statement for looking at a database, compiled once for a connection: those that are kept outlast runs. */
export function statementOf(db: Database, sql: string): Statement {
  let known = prepared.get(db);
  if (known === undefined) prepared.set(db, (known = new Map<string, Statement>()));
  let statement = known.get(sql);
  if (statement === undefined) known.set(sql, (statement = db.prepare(sql)));
  return statement;
}
