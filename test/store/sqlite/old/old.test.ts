import { copyFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { restoreBackup } from '../../../../src/store/sqlite/file/restore.ts';
import { latestVersion } from '../../../../src/store/sqlite/migrate.ts';
import type { Store } from '../../../../src/store/port.ts';
import { aClaim } from '../../../conformance/store/setup.ts';
import { aConnection, aDatabasePath, aStore } from '../database.ts';
import { anOldDatabase, OLD, schemaOf } from './old.ts';

const NOW = Date.UTC(2026, 10, 28, 12);
const WAITING = ['+12065550107', '+16025550104'];

describe.each(OLD)('a database of %s', (of) => {
  it('has everybody as they were, with their calls, after one opening', async () => {
    const path = anOldDatabase(of);
    const before = leadsIn(path);

    const store = aStore(path);

    expect(leadsIn(path)).toEqual(before);
    const rows = await store.exportPage(campaignIn(path), null, 100);
    expect(rows.map(({ phone, result, attempts }) => [phone, result, attempts])).toEqual(before);
    const answered = rows.filter(({ result }) => result === 'answered');
    expect(answered.map(({ analytics }) => analytics?.transcript?.slice(0, 6))).toEqual(
      answered.map(() => 'agent:'),
    );
    expect(await store.nights(campaignIn(path))).toMatchObject([
      { calls: 4, answered: 3, refused: 0, notMade: 0, open: 0, stuck: 0 },
    ]);
  });

  it('goes on with those who wait, and with nobody else', async () => {
    const path = anOldDatabase(of);
    const store = aStore(path);

    expect(await calledNext(store, path)).toEqual(WAITING);
  });

  it('counts its people as they are', async () => {
    const path = anOldDatabase(of);
    const results = leadsIn(path).map(([, result]) => result ?? 'waiting');

    const counts = await aStore(path).peopleCounts(campaignIn(path));

    expect(counts.total).toBe(results.length);
    const standings = aConnection(path)
      .prepare('SELECT standing, sum(leads) FROM lead_counts GROUP BY 1 HAVING sum(leads) > 0')
      .raw()
      .all();
    expect(Object.fromEntries(standings as [string, number][])).toEqual(
      Object.fromEntries(results.map((one) => [one, results.filter((r) => r === one).length])),
    );
    const places = await aStore(path).placesOf(campaignIn(path), 0);
    expect(places.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(WAITING.length);
  });

  it('is put back from a backup, and goes on there', async () => {
    const path = anOldDatabase(of);
    const from = `${path}.backup`;
    copyFileSync(path, from);

    restoreBackup({ from, path, keepAs: 'replaced' });

    expect(await calledNext(aStore(path), path)).toEqual(WAITING);
    expect(new Sqlite(from).pragma('user_version', { simple: true })).toBeLessThanOrEqual(36);
  });

  it('is left as it is while another process has it open', () => {
    const path = anOldDatabase(of);
    const before = versionIn(path);
    const other = new Sqlite(path);
    other.pragma('journal_mode = WAL');
    other.prepare('SELECT count(*) FROM attempts').get();

    expect(() => aStore(path)).toThrow(expect.objectContaining({ code: 'STORE_IN_USE' }));

    other.close();
    expect(versionIn(path)).toBe(before);
    aStore(path);
    expect(versionIn(path)).toBe(latestVersion());
  });

  it('has the schema of a new one afterwards', () => {
    const path = anOldDatabase(of);

    expect(schemaOf(aConnection(path))).toEqual(schemaOf(aConnection(aDatabasePath())));
  });
});

function versionIn(path: string): unknown {
  const db = new Sqlite(path);
  const version = db.pragma('user_version', { simple: true });
  db.close();
  return version;
}

describe('a database that no release wrote', () => {
  it.each([
    [1, 'Open it once with callsheet 0.2.0, e.g. `callsheet collect`, then with this one.'],
    [
      23,
      'No release wrote it: open it once with the callsheet of version 36 that followed yours, then with this one.',
    ],
  ])('of version %d is refused as it is, and the message says what opens it', (version, hint) => {
    const path = anOldDatabase('0.2.0');
    const db = new Sqlite(path);
    db.pragma(`user_version = ${version}`);
    const before = schemaOf(db);

    expect(() => aStore(path)).toThrow(
      expect.objectContaining({
        code: 'STORE_OLDER',
        exitCode: 2,
        message: expect.stringContaining(`${path} has version ${version}`) as string,
        hint,
      }),
    );
    expect(db.pragma('user_version', { simple: true })).toBe(version);
    expect(schemaOf(db)).toEqual(before);
  });
});

it('a migration that fails leaves the database as it was', () => {
  const path = anOldDatabase('0.2.0');
  const db = new Sqlite(path);
  // In the way of the last table.
  db.exec('CREATE TABLE outbox (x)');
  const before = schemaOf(db);

  expect(() => aStore(path)).toThrow('outbox');

  expect(db.pragma('user_version', { simple: true })).toBe(17);
  expect(schemaOf(db)).toEqual(before);
  expect(latestVersion()).toBeGreaterThan(17);
});

/** Phone, result and attempts of everybody, in list order. */
function leadsIn(path: string): [string, string | null, number][] {
  const db = new Sqlite(path);
  const rows = db.prepare('SELECT phone, result, spent FROM leads ORDER BY position').raw().all();
  db.close();
  return rows as [string, string | null, number][];
}

const campaignIn = (path: string) => String(one(path, 'SELECT id FROM campaigns'));

function one(path: string, sql: string): unknown {
  const db = new Sqlite(path);
  const value: unknown = db.prepare(sql).pluck().get();
  db.close();
  return value;
}

/** Everybody whom the campaign still calls. */
async function calledNext(store: Store, path: string): Promise<string[]> {
  const fingerprint = String(one(path, 'SELECT fingerprint FROM proven_services'));
  const request = { campaignId: campaignIn(path), service: 'simulated', fingerprint };
  const { intents } = await store.claim(aClaim({ ...request, want: 10, now: NOW }));
  return intents.map(({ phone }) => phone).sort();
}
