import { readdirSync, readFileSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asMoney } from '../../../../src/domain/money.ts';
import { migrate } from '../../../../src/store/sqlite/migrate.ts';
import { aDatabasePath, aStore } from '../database.ts';

const FOLDER = new URL('../../../../src/store/sqlite/migrations/', import.meta.url);
const BEFORE = 13;

describe('costs of a database in which they were numbers', () => {
  const COSTS: [number | null, string | null][] = [
    [null, null],
    [0, '0'],
    [0.12, '0.12'],
    [12.3 / 100, '0.123'],
    [0.1 + 0.2, '0.3'],
    [0.3 - (0.1 + 0.2), '0'],
    [1 / 3, '0.333333333333333'],
    [-0.013, '-0.013'],
    [100, '100'],
    [1200.5, '1200.5'],
    [1.5e-7, '0.00000015'],
    [0.00001, '0.00001'],
    [9.999999999999998, '10'],
    [999_999_999_999.99, '999999999999.99'],
    // Taken by no service any more, but what is kept stays.
    [123_456_789_012_345, '123456789012345'],
    [1e15, '1000000000000000'],
  ];
  /** All in one database: it takes twenty migrations to bring one up to date. */
  let texts: unknown[] | undefined;

  it.each(COSTS.map((cost, n) => [...cost, n] as const))('%d is %s', (_was, is, n) => {
    texts ??= migrated(COSTS.map(([was]) => was));
    expect(texts[n]).toBe(is);
  });

  it('become what they would be read as today', () => {
    const costs = Array.from({ length: 2_000 }, (_, n) => (n - 1_000) / 1_000);
    const computed = costs.flatMap((cost) => [cost / 100, cost * 1.1, cost + 0.1]);

    const all = [...costs, ...computed];
    const differ = migrated(all).filter((text, i) => text !== asMoney(all[i]));

    expect(differ).toEqual([]);
  });

  it('stand in the results as before, beside everything else of their calls', async () => {
    const path = aDatabasePath();
    const db = anOlderDatabase(path);
    const add = callsOf(db);
    add(1, 12.3 / 100);
    add(2, null);
    db.close();

    const store = aStore(path, { mode: 'write' });
    const rows = await store.exportPage('cmp_1', null, 10);

    expect(rows.map(({ analytics }) => analytics)).toMatchObject([
      {
        transcript: 'agent: Hello.',
        durationMs: 42_000,
        sentiment: { label: 'positive', score: 0.5 },
        cost: '0.123',
        costCurrency: 'USD',
        raw: { n: 1 },
        extracted: { plan: 'gold' },
      },
      { cost: null, raw: { n: 2 } },
    ]);
  });

  it('are changed once: what the column was is gone', () => {
    const db = anOlderDatabase(aDatabasePath());
    migrate(db, 'callsheet.db');

    const columns = db
      .prepare(
        "SELECT name, type FROM pragma_table_info('analytics') WHERE name IN ('cost', 'money')",
      )
      .raw()
      .all();

    expect(columns).toEqual([['cost', 'TEXT']]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

function migrated(costs: readonly (number | null)[]): unknown[] {
  const db = anOlderDatabase(aDatabasePath());
  const add = callsOf(db);
  db.transaction(() => {
    for (const [i, cost] of costs.entries()) add(i + 1, cost);
  })();
  migrate(db, 'callsheet.db');
  return db.prepare('SELECT cost FROM analytics ORDER BY attempt_seq').pluck().all();
}

/** A database as the version before left it, with a campaign. */
function anOlderDatabase(path: string): Database {
  const db = new Sqlite(path);
  onTestFinished(() => {
    db.close();
  });
  const files = readdirSync(FOLDER).filter((name) => Number(name.slice(0, 4)) <= BEFORE);
  for (const name of files.sort()) db.exec(readFileSync(new URL(name, FOLDER), 'utf8'));
  db.pragma(`user_version = ${BEFORE}`);
  db.pragma('application_id = 0x43414c4c');
  db.exec(`INSERT INTO campaigns (id, name, kind, service, simulated, state, settings, created_at)
    VALUES ('cmp_1', 'spring', 'list', 'main', 0, 'running', '{}', 1);
    INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at)
    VALUES ('list_1', 'cmp_1', 1, 'leads.csv', 'aa11', '[]', 1)`);
  return db;
}

/** Prepared once: thousands of calls are added. */
function callsOf(db: Database): (n: number, cost: number | null) => void {
  const lead = db.prepare(
    `INSERT INTO leads (row, campaign_id, list_id, position, line, phone, cells, state, result, result_source, spent)
     VALUES (?, 'cmp_1', 'list_1', ?, ?, ?, '[]', 'done', 'answered', 'service', 1)`,
  );
  const attempt = db.prepare(
    `INSERT INTO attempts (seq, key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
       holds_until, slot_until, owner_host, owner_boot, owner_pid, call_id, settled_at, result, result_source)
     VALUES (?, ?, 'cmp_1', ?, ?, 'main', 'ag_1', 1, 'settled', 1, 2, NULL, 'host', 'boot', 3, ?, 2, 'answered', 'service')`,
  );
  const analytics = db.prepare(
    `INSERT INTO analytics (attempt_seq, received_at, transcript, duration_ms, sentiment_label, sentiment_score, cost,
       cost_currency, raw, extracted)
     VALUES (?, 2, 'agent: Hello.', 42000, 'positive', 0.5, ?, 'USD', ?, '{"plan":"gold"}')`,
  );
  return (n, cost) => {
    const phone = `+1${String(2_125_550_000 + n)}`;
    lead.run(n, 10_000_000_000 + n, n, phone);
    attempt.run(n, `k${n}`, n, phone, `call_${n}`);
    analytics.run(n, cost, JSON.stringify({ n }));
  };
}
