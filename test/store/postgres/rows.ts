import type { Database } from 'better-sqlite3';
import { sqlOf } from '../../../src/store/sql/sql.ts';

/** The tables of a schema of callsheet. */
const tablesOf = (db: Database, schema: string): string[] =>
  sqlOf(db).values<[string], string>(
    'SELECT tablename FROM pg_tables WHERE schemaname = ? ORDER BY tablename',
  )(schema);

/** Numbers that a transaction which is undone leaves out: only their order counts. */
const RANKED = `|| jsonb_build_object('seq', rank() OVER (ORDER BY seq))`;

/** Reads all rows of a schema but those that each transaction writes anew. */
export function allRows(db: Database, schema: string): () => unknown[] {
  const tables = tablesOf(db, schema).filter((table) => table !== 'commits');
  const read = tables.map((one) => {
    const cells = `to_jsonb(t) ${one === 'history' ? RANKED : ''}`;
    return `SELECT '${one}', (${cells})::text AS cells FROM ${schema}.${one} t`;
  });
  return sqlOf(db).tuples<[], unknown>(`${read.join(' UNION ALL ')} ORDER BY 1, 2`);
}

/**
 * Gives the schema `to` the rows and the next numbers of `from`, without its triggers. Both are as `migrateServer` makes
 * them; the connection's user may do everything.
 */
export function rowCopier(db: Database, from: string, to: string): () => void {
  const sql = sqlOf(db);
  const columnsOf = sql.tuples<[string], [table: string, columns: string]>(
    `SELECT table_name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)
     FROM information_schema.columns WHERE table_schema = ? AND is_generated = 'NEVER' GROUP BY table_name`,
  );
  const numbersOf = sql.values<[string], string>(
    'SELECT sequencename FROM pg_sequences WHERE schemaname = ?',
  );
  const work = [
    ...columnsOf(from).map(
      ([table, columns]) =>
        `DELETE FROM ${to}.${table}; INSERT INTO ${to}.${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${from}.${table};`,
    ),
    ...numbersOf(from).map(
      (name) => `PERFORM setval('${to}.${name}', last_value, is_called) FROM ${from}.${name};`,
    ),
  ];
  // As a function its statements are planned once.
  const name = `pg_temp.copy_${from}_to_${to}`;
  db.exec(`CREATE FUNCTION ${name}() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$
    BEGIN ${work.join('\n')} END $$`);
  return () => {
    db.exec(`SELECT ${name}()`);
  };
}
