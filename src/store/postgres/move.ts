import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';

import { AppError, messageOf, usageError } from '../../runtime/errors.ts';
import { counted, shellWord, someOf } from '../../text/wording.ts';
import { databaseIdOf } from '../sql/claim/restore-dials.ts';
import { sqlOf, type Sql } from '../sql/sql.ts';
import { openConsoleConnection } from '../sqlite/console.ts';
import { movedTo, openAlone } from '../sqlite/file/connection.ts';
import { assertCurrent, migrate } from '../sqlite/migrate.ts';
import { recover } from '../sqlite/open.ts';
import { REHEARSED } from '../sqlite/scratch/scratch-store.ts';
import type { Moved, MovePlaces, ServerPlace, Taken } from './messages.ts';
import { CommitUnknown } from './failures.ts';
import { migrateServer } from './migrate.ts';
import { checkServer, serverEngine } from './server.ts';
import { ServerError } from './wire.ts';

/** What the server keeps of itself, and who works or is signed in at the moment: stays where it is. */
const LEFT = ['store', 'commits', 'machines', 'runners', 'sessions', 'links', 'listening'];

/** Tables in which an empty schema has rows. */
const NEVER_EMPTY = ['store', 'commits', 'meta'];

/** What `meta` holds of the file itself. */
const OWN_META =
  "key <> 'opened' AND key <> 'moves_to' AND key <> 'moved_to' AND key <> 'journal_verified' AND key <> 'journal_tail' AND key <> 'journal_seq'";

/** Rows of one statement, and characters after which no more are added. */
const [ROWS, LENGTH] = [500, 4_000_000];

interface Table {
  name: string;
  columns: readonly { name: string; isInteger: boolean }[];
  /** Columns of its primary key, in which order its rows are read. */
  key: readonly string[];
  /** The column that a sequence fills; null: none. */
  numbered: string | null;
}

type Cell = string | number | null;

const quoted = (name: string) => `"${name}"`;
const listed = (names: readonly string[]) => names.map(quoted).join(', ');

/** The tables of the schema, each behind those it refers to. */
const tablesOf = (sql: Sql): Table[] =>
  sql.rows<[], Table>(
    `SELECT relname AS name, max(CAST(attname AS text)) FILTER (WHERE attidentity <> '') AS numbered,
       json_agg(json_build_object('name', attname, 'isInteger', atttypid = 20) ORDER BY attnum) AS columns,
       json_agg(attname ORDER BY array_position(CAST(indkey AS smallint[]), attnum)) FILTER (WHERE attnum = ANY (indkey)) AS key
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
     WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind = 'r' AND attnum > 0
       AND NOT attisdropped AND attgenerated = '' GROUP BY pg_class.oid, relname ORDER BY pg_class.oid`,
    { json: ['columns', 'key'] },
  )();

/** A value as both sides have it, whatever their drivers make of it: whole numbers as digits, bytes as `\x00ff`. */
function plain(value: unknown): Cell {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : (value as Cell);
}

/** Rows of a table on the server, in the order of its key, some at a time; within a transaction. */
function* pagesOf(sql: Sql, table: Table, where: string, given?: unknown): Generator<Cell[][]> {
  const cells = table.columns.map(({ name, isInteger }) =>
    isInteger ? `CAST(${quoted(name)} AS text)` : quoted(name),
  );
  // By the columns: a name alone would be that of the text in the list.
  const key = table.key.map((name) => `${quoted(table.name)}.${quoted(name)}`);
  const cursor = quoted(`rows_of_${table.name}`);
  sql.run<unknown[]>(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${cells.join(', ')} FROM ${quoted(table.name)}
     WHERE ${where} ORDER BY ${key.join(', ')}`,
  )(...(given === undefined ? [] : [given]));
  const next = sql.tuples<[], unknown[]>(`FETCH ${ROWS} FROM ${cursor}`);
  for (let page = next(); page.length > 0; page = next()) yield page.map((row) => row.map(plain));
  sql.run(`CLOSE ${cursor}`)();
}

/** Rows of a table in a file, in the same order. */
function* rowsOf(db: Database | undefined, table: Table, where: string): Generator<Cell[]> {
  if (db === undefined) return;
  const key = table.key.map((name) => `${quoted(name)} COLLATE BINARY`);
  const columns = listed(table.columns.map(({ name }) => name));
  const select = db
    .prepare<[], unknown[]>(
      `SELECT ${columns} FROM ${quoted(table.name)} WHERE ${where} ORDER BY ${key.join(', ')}`,
    )
    .raw()
    .safeIntegers();
  for (const row of select.iterate()) yield row.map(plain);
}

/** Counts rows, and hashes their values. */
function counter() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add: (cells: readonly Cell[]) => {
      rows += 1;
      hash.update(`${JSON.stringify(cells)}\n`);
    },
    end: () => ({ rows, hash: hash.digest('hex') }),
  };
}

/** Inserts rows of a table, many in one statement. */
function inserter(sql: Sql, { name, columns }: Table) {
  const names = columns.map((column) => column.name);
  // One value, so that it is one statement whatever is NULL.
  const insert = sql.run<[json: string]>(
    `INSERT INTO ${quoted(name)} (${listed(names)}) OVERRIDING SYSTEM VALUE SELECT ${listed(names)}
     FROM json_populate_recordset(CAST(NULL AS ${quoted(name)}), CAST(? AS json))`,
  );
  let [waiting, length] = [[] as string[], 0];
  const flush = () => {
    if (waiting.length > 0) insert(`[${waiting.join()}]`);
    [waiting, length] = [[], 0];
  };
  const add = (cells: readonly Cell[]) => {
    const row = JSON.stringify(Object.fromEntries(names.map((column, n) => [column, cells[n]])));
    waiting.push(row);
    length += row.length;
    if (waiting.length >= ROWS || length > LENGTH) flush();
  };
  return { add, flush };
}

const refused = usageError.bind(null, 'MOVE_REFUSED');

const NOTHING = 'report it: nothing was moved, and the file works as before';

/** Refuses campaigns that run, and calls that are not settled. @throws AppError `MOVE_REFUSED` */
function refuseUnsettled(db: Database, path: string): void {
  const sql = sqlOf(db);
  const running = sql.values<[], string>("SELECT name FROM campaigns WHERE state = 'running'")();
  if (running.length > 0)
    throw refused(
      `${counted(running.length, 'campaign')} of ${path} would go on calling from the file: ${someOf(running, 10)}.`,
      `\`callsheet pause ${shellWord(running[0] ?? '')} --db ${shellWord(path)}\` pauses a campaign; then move`,
    );
  const open = sql.rows<[], { name: string; calls: number; doubts: number }>(
    `SELECT name, count(*) AS calls, sum(attempts.state IN ('intent', 'unknown')) AS doubts
     FROM attempts JOIN campaigns ON campaigns.id = campaign_id
     WHERE attempts.state IN ('intent', 'placed', 'ended', 'unknown') GROUP BY name ORDER BY name`,
  )();
  const [first] = open;
  if (first === undefined) return;
  const named = open.map(({ name, calls }) => `${name} (${calls})`);
  const command = first.doubts > 0 ? 'resolve' : 'collect';
  throw refused(
    `Calls of ${path} are not settled: ${someOf(named, 10)}.`,
    `\`callsheet ${command} ${shellWord(first.name)} --db ${shellWord(path)}\` settles them; then move`,
  );
}

/** A server that may have all of it is not forgotten for another one: both could be called from. @throws AppError `MOVE_REFUSED` */
function refuseOther(begun: string, url: string, path: string): void {
  if (begun === url) return;
  throw refused(
    `A move of ${path} to ${begun} was broken off, and that server may have all of it.`,
    `\`callsheet move --db ${shellWord(path)} --to ${shellWord(begun)}\` ends it; if that server is gone for good, see campaigns/servers.md`,
  );
}

/**
 * Moves the database of a file into an empty schema, which is made if it is not there: all rows in one transaction, each
 * table compared by a hash. Before, the file says where it moves to: nobody calls from it any more, as killed between the
 * two commits the server is full. The same call again then only compares, and finishes if neither has changed.
 * @throws AppError `MOVE_REFUSED`, `DATABASE_MOVED`, `STORE_IN_USE`, those of `recover` and `migrateServer`; nothing was
 *   moved then
 */
export function moveToServer(
  options: ServerPlace,
  { file: path, console: consolePath }: MovePlaces,
): Moved {
  const url = options.name;
  const file = openAlone(path, (cause) => inUse(path, cause));
  let users: Database | undefined;
  try {
    assertCurrent(file, path);
    const id = databaseIdOf(sqlOf(file));
    recover(file, { path }, id);
    refuseUnsettled(file, path);
    refuseOther(movedTo(file, 'moves_to') ?? url, url, path);
    if (existsSync(consolePath)) users = openConsoleConnection(consolePath);
    users?.exec('BEGIN IMMEDIATE');
    migrateServer(options);
    const engine = serverEngine(options);
    try {
      checkServer(engine);
      const sql = sqlOf(engine.db);
      let mayBeThere = movedTo(file, 'moves_to') !== undefined;
      file.prepare("INSERT OR REPLACE INTO meta VALUES ('moves_to', ?)").run(url);
      try {
        file.exec('COMMIT; BEGIN EXCLUSIVE');
        const moved = sql.alone(() => {
          // A large table of the file is read meanwhile.
          engine.db.exec('SET LOCAL idle_in_transaction_session_timeout = 0');
          mayBeThere = sql.value("SELECT value FROM meta WHERE key = 'database_id'")() === id;
          return moveRows(sql, { file, users, isAgain: mayBeThere, path, url });
        });
        mayBeThere = true;
        file.prepare("INSERT INTO meta VALUES ('moved_to', ?)").run(url);
        mayBeThere = false;
        return moved;
      } catch (error) {
        mayBeThere ||= error instanceof CommitUnknown;
        throw error;
      } finally {
        if (!file.inTransaction) file.exec('BEGIN');
        file.exec(`${mayBeThere ? '' : "DELETE FROM meta WHERE key = 'moves_to';"} COMMIT`);
      }
    } finally {
      engine.close();
    }
  } finally {
    users?.close();
    file.close();
  }
}

const inUse = (path: string, cause: unknown) =>
  new AppError('STORE_IN_USE', `Another callsheet is using ${path}, so it was not moved.`, {
    hint: 'End every callsheet on it (Ctrl-C in its terminal; `callsheet status` names the runners), then move again.',
    cause,
  });

interface Source {
  file: Database;
  /** Of the console; undefined: there is none. */
  users: Database | undefined;
  /** Whether the server has all of it. */
  isAgain: boolean;
  path: string;
  url: string;
}

function moveRows(sql: Sql, { file, users, isAgain, path, url }: Source): Moved {
  const all = tablesOf(sql);
  const isFull = ({ name }: Table) => sql.value(`SELECT 1 FROM ${quoted(name)} LIMIT 1`)() === 1;
  const full = all.filter(({ name }) => !NEVER_EMPTY.includes(name)).find(isFull);
  if (!isAgain && full !== undefined)
    throw refused(
      `${url} is not empty: ${full.name} has rows.`,
      'name another schema with --to (?schema=NAME); move makes it',
    );
  if (!isAgain) sql.run("DELETE FROM meta WHERE key = 'database_id'")();
  const isIn = 'SELECT 1 FROM sqlite_schema WHERE name = ?';
  const counts: Record<string, number> = {};
  for (const table of all.filter(({ name }) => !LEFT.includes(name))) {
    const { name } = table;
    const from = [file, users].find((db) => db?.prepare(isIn).get(name) !== undefined);
    const where = name === 'meta' ? OWN_META : 'true';
    const [here, there] = [counter(), counter()];
    const { add, flush } = inserter(sql, table);
    try {
      for (const row of rowsOf(from, table, where)) {
        here.add(row);
        refuseZero(row, table, path);
        if (!isAgain) add(row);
      }
      flush();
    } catch (error) {
      // What the server takes from nobody: all else is about the way there.
      if (!(error instanceof ServerError) || !/^2[23]/.test(error.code)) throw error;
      const why = `The server refuses a row of ${name} in ${path}: ${messageOf(error)}.`;
      throw refused(why, NOTHING, error);
    }
    if (!isAgain) advance(sql, table, from);
    for (const page of pagesOf(sql, table, where)) page.forEach(there.add);
    const [mine, theirs] = [here.end(), there.end()];
    if (mine.rows !== theirs.rows || mine.hash !== theirs.hash)
      throw differs(
        `${name} has ${mine.rows} rows in ${path} and ${theirs.rows} in ${url}`,
        isAgain,
      );
    counts[name] = mine.rows;
  }
  const { campaigns = 0, leads = 0, attempts = 0 } = counts;
  const rows = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return { campaigns, leads, attempts, rows, tables: Object.keys(counts).length };
}

/** PostgreSQL holds no U+0000. @throws AppError `MOVE_REFUSED` */
function refuseZero(row: readonly Cell[], { name, columns, key }: Table, path: string): void {
  const at = row.findIndex((cell) => typeof cell === 'string' && cell.includes('\0'));
  if (at === -1) return;
  const values = key.map(
    (one) => `${one} ${row[columns.findIndex((column) => column.name === one)]}`,
  );
  throw refused(
    `${path} holds the sign U+0000, which no server of PostgreSQL takes: table ${name}, ${values.join(', ')}, column ${columns[at]?.name}.`,
    'nothing was moved; take the sign out of that value, or stay with the file',
  );
}

/** The next number comes behind all that were ever given. */
function advance(sql: Sql, { name, numbered }: Table, from: Database | undefined): void {
  if (numbered === null) return;
  const given = from?.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(name);
  sql.value<[{ table: string; column: string; given: unknown }], number>(
    `SELECT setval(CAST(pg_get_serial_sequence(@table, @column) AS regclass),
       greatest((SELECT max(${quoted(numbered)}) FROM ${quoted(name)}), @given, 0) + 1, false)`,
  )({ table: quoted(name), column: numbered, given: given ?? 0 });
}

const differs = (what: string, isAgain: boolean) =>
  isAgain
    ? refused(
        `A move has ended before, and one of the two has changed since: ${what}, or their values differ.`,
        'if calls were made from the file alone, drop the schema and move again; else go on with the server, and put the file away',
      )
    : refused(`The copy is not equal to the file: ${what}.`, NOTHING);

/** Copies what a rehearsal needs into a new file of SQLite, as it is at one moment. @throws AppError see `checkServer` */
export function takeFromServer(options: ServerPlace, { file, campaignId, phones }: Taken): void {
  const engine = serverEngine(options);
  const to = new Sqlite(file);
  try {
    migrate(to, file);
    to.pragma('foreign_keys = OFF');
    const sql = sqlOf(engine.db);
    const given = { id: campaignId, phones: JSON.stringify(phones) };
    sql.atOneMoment(() => {
      for (const table of tablesOf(sql)) {
        const where = REHEARSED[table.name];
        if (where === undefined) continue;
        const names = table.columns.map(({ name }) => name);
        const insert = to.prepare(
          `INSERT INTO ${table.name} (${listed(names)}) VALUES (${names.map(() => '?').join()})`,
        );
        // New entries come behind all that there are, also those that are not copied.
        const last =
          table.numbered && sql.value(`SELECT max(${table.numbered}) FROM ${table.name}`)();
        if (last !== null)
          to.prepare('INSERT INTO sqlite_sequence VALUES (?, ?)').run(table.name, last);
        to.transaction(() => {
          for (const page of pagesOf(sql, table, where, given))
            for (const row of page) insert.run(row);
        })();
      }
    })();
  } finally {
    to.close();
    engine.close();
  }
}
