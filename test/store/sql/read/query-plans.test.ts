import type { Database, Statement } from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { claimStatements, nextCallStatements } from '../../../../src/store/sql/claim/claim.ts';
import { dialStatements } from '../../../../src/store/sql/claim/dial-answers.ts';
import { pollStatements } from '../../../../src/store/sql/tables/polls.ts';
import { duePollStatements } from '../../../../src/store/sql/read/due-polls.ts';
import { replayTable } from '../../../../src/store/sql/claim/replays.ts';
import {
  resolveStatements,
  sweepStatements,
} from '../../../../src/store/sql/claim/resolve-doubts.ts';
import { tablesOf } from '../../../../src/store/sql/tables/tables.ts';
import { searchStatements } from '../../../../src/store/sql/read/search.ts';
import { progressStatements } from '../../../../src/store/sql/read/progress.ts';
import { sqlOf } from '../../../../src/store/sql/sql.ts';
import { aConnection, aDatabasePath } from '../../sqlite/database.ts';

/**
 * What a statement may read all rows of: nothing, a few numbers that it was given as JSON, a short table, or an index
 * that has only the calls in progress. `counted`: as many entries of an index as it says.
 */
const READS_LITTLE =
  /^SCAN (\w+ VIRTUAL TABLE INDEX 1:|CONSTANT ROW|\d+-ROW VALUES CLAUSE|campaigns( USING COVERING INDEX \S+)?|period|counted|suppression_lists|attempts USING (COVERING )?INDEX attempts_(holding|to_poll))$/;
/** One way into the leads that finds all those of a campaign. */
const READS_CAMPAIGN =
  /^SEARCH leads USING (COVERING )?INDEX sqlite_autoindex\S* \(campaign_id=\?\)$/;

/** The indexes by which a claim finds leads and past calls, and how it goes about them. */
const CLAIM_INDEXES = /leads_(waiting|held)\b|attempts_(of_phone|postponed|with_silence)\b/;
/** `period`: one row for each 28 days since the first call. */
const WALKS =
  /^SEARCH |^(LIST|SCALAR|CORRELATED SCALAR) SUBQUERY |^SCAN (CONSTANT ROW|period|counted|json_each VIRTUAL TABLE INDEX 1:)$|^(CREATE BLOOM FILTER|CO-ROUTINE (period|counted)|SETUP|RECURSIVE STEP)$/;

const STAYING = 'AS staying FROM';
/** What runs at the beginning of an import or a run only, or when a person asks for it. */
const ONCE = [
  'INSERT INTO lists',
  'DELETE FROM lists',
  'ORDER BY phone LIMIT',
  ' AS area, ',
  STAYING,
  'DISTINCT service',
];
/** Its first row says that there is one. */
const IS_EMPTY = 'SELECT 1 FROM suppression LIMIT 1';
const NOBODY_IS_REFUSED = 'SELECT 1 FROM refusals LIMIT 1';

describe('what runs every few seconds or for every call', () => {
  it('reads no whole table', () => {
    const { db, statements } = aPreparedDatabase();

    const readers = statements.flatMap((sql) =>
      planOf(db, sql)
        .filter((step) => readsWholeTable(sql, step))
        .map((step) => `${step}: ${sql}`),
    );

    expect(readers).toEqual([]);
  });

  it('is compiled once: no limit is a bare parameter', () => {
    const { statements } = aPreparedDatabase();

    expect(statements.filter((sql) => /LIMIT (\?|@\w+)\s*$/.test(sql))).toEqual([]);
    expect(statements.filter((sql) => sql.includes('+ 0')).length).toBeGreaterThan(1);
  });

  it.each([
    "SELECT count(*) FROM attempts WHERE campaign_id = ? AND state = 'settled'",
    'SELECT seq FROM attempts INDEXED BY attempts_that_count WHERE released = 0',
    'SELECT max(spent) FROM leads WHERE campaign_id = ?',
    'SELECT row FROM leads WHERE phone = @phone',
  ])('would be noticed if it did: %s', (sql) => {
    const { db } = aPreparedDatabase();

    expect(planOf(db, sql).some((step) => readsWholeTable(sql, step))).toBe(true);
  });

  it('walks indexes where a claim looks for leads and past calls, and sorts nothing', () => {
    const { db, statements } = aPreparedDatabase();
    const claims = statements.filter((sql) => CLAIM_INDEXES.test(sql));

    const others = claims.flatMap((sql) =>
      planOf(db, sql)
        .filter((step) => !WALKS.test(step))
        .map((step) => `${step}: ${sql}`),
    );

    expect(others).toEqual([]);
    expect(claims.length).toBeGreaterThan(9);
  });

  it.each([
    'SELECT row FROM leads WHERE campaign_id = ? AND not_before <= ? ORDER BY not_before',
    'SELECT seq FROM attempts INDEXED BY attempts_of_phone WHERE phone = ? ORDER BY seq',
    "SELECT row FROM leads INDEXED BY leads_waiting WHERE state = 'waiting'",
  ])('would be noticed if it sorted or walked otherwise: %s', (sql) => {
    const { db } = aPreparedDatabase();

    expect(planOf(db, sql).every((step) => WALKS.test(step))).toBe(false);
  });

  it.each([
    ['claims', 'INSERT INTO attempts'],
    ['polls', 'next_poll_at <= @now'],
    ['replays', 'JOIN replayable_dials'],
    ['sweeps', 'unknown_at <= ?'],
    ['counts', 'FROM lead_counts'],
    ['moves of attempts', 'call_id = coalesce(@callId, call_id)'],
  ])('is all looked at here: %s', (_, part) => {
    expect(aPreparedDatabase().statements.filter((sql) => sql.includes(part))).toHaveLength(1);
  });
});

describe('the suppression entries of all lists', () => {
  it('are counted without comparing those of a number with each other', () => {
    const db = aConnection(aDatabasePath());
    const sql = sqlOf(db);
    const rows = vi.spyOn(sql, 'rows');
    tablesOf(sql);
    const [text = ''] = rows.mock.calls.map(([one]) => one).filter((one) => one.includes(STAYING));
    expect(planOf(db, text).filter((step) => step.startsWith('CORRELATED'))).toEqual([]);
    expect(planOf(db, text)).not.toEqual([]);
  });
});

describe('a person who is looked up by their whole number', () => {
  it('is found through indexes, however many leads there are', () => {
    const db = aConnection(aDatabasePath());
    const findLeads = searchStatements(sqlOf(db));
    const run = vi.spyOn(Object.getPrototypeOf(db.prepare('SELECT 1')) as Statement, 'all');

    expect(findLeads('+12125550100', 5)).toEqual([]);

    const asked = (run.mock.contexts as unknown as Statement[]).map(({ source }) => source);
    run.mockRestore();
    const [lookUp = ''] = asked;
    expect(lookUp).toContain('leads.phone = @number');
    const scans = planOf(db, lookUp).filter((step) => step.startsWith('SCAN '));
    expect(scans.filter((step) => !/^SCAN (campaigns |further$)/.test(step))).toEqual([]);
    expect(planOf(db, lookUp).join()).toMatch(
      /leads USING (COVERING )?INDEX sqlite_autoindex_leads_\d \(campaign_id=\? AND phone=\?\)/,
    );
  });
});

/** The texts of all statements, although each is prepared only when it is used. */
function aPreparedDatabase(): { db: Database; statements: string[] } {
  const db = aConnection(aDatabasePath());
  const sql = sqlOf(db);
  const makers = [
    vi.spyOn(db, 'prepare'),
    ...(
      [
        'run',
        'later',
        'insert',
        'insertLater',
        'row',
        'rows',
        'iterate',
        'value',
        'values',
        'tuples',
      ] as const
    ).map((maker) => vi.spyOn(sql, maker)),
  ];
  const tables = tablesOf(sql);
  const replays = replayTable(sql, tables);
  claimStatements(sql, tables, replays);
  dialStatements(sql, tables, replays);
  sweepStatements(sql, tables);
  pollStatements(sql, tables);
  duePollStatements(sql, tables);
  resolveStatements(sql, tables);
  progressStatements(sql, nextCallStatements(sql, tables));
  const statements = makers.flatMap(({ mock }) => mock.calls.map(([text]) => text));
  for (const maker of makers) maker.mockRestore();
  return { db, statements: statements.filter((sql) => !ONCE.some((part) => sql.includes(part))) };
}

function planOf(db: Database, sql: string): string[] {
  const named = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]);
  const values: unknown[] = [...sql.matchAll(/\?/g)].map(() => 1);
  if (named.length > 0) values.push(Object.fromEntries(named));
  const explain = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  return explain.all(...values).map(({ detail }) => detail);
}

function readsWholeTable(sql: string, step: string): boolean {
  if (READS_CAMPAIGN.test(step)) return true;
  if (sql === IS_EMPTY || sql === NOBODY_IS_REFUSED) return false;
  return step.startsWith('SCAN ') && !READS_LITTLE.test(step);
}
