import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalPath } from '../../../../src/store/journal/journal.ts';
import { restoreBackup } from '../../../../src/store/sqlite/file/restore.ts';
import {
  CAMPAIGN,
  claimed,
  claimedOne,
  exported,
  placed,
  settled,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { aDamagedDatabase, aDatabasePath, aStore } from '../database.ts';
import { aBackedUpDatabase, KEEP_AS, refusal } from './backup.ts';

describe('a backup that is put in place', () => {
  it('has the calls made since as unknown, and those people are not called again', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    const [first, second] = await claimed(store, 2);
    await store.recordDial(first?.attemptId ?? '', placed('call_1'));
    await store.recordPoll(first?.attemptId ?? '', settled('call_1'));
    await store.close();
    const journal = contentOf(journalPath(path));

    const restored = restoreBackup({ from, path, keepAs: KEEP_AS });

    expect(restored).toMatchObject({ holdings: { campaigns: 2, leads: 6 }, recovered: 2 });
    expect(contentOf(journalPath(path))).toBe(journal);
    const again = aStore(path);
    expect(await again.progress(CAMPAIGN, START)).toMatchObject({ unknown: 2, waiting: 3 });
    const next = await claimed(again, 3);
    expect(next.map(({ phone }) => phone)).toEqual([2, 3, 4].map(aPhone));
    expect(second?.phone).toBe(aPhone(1));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves the database that was there whole, beside it, and nothing in the making', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await claimed(store, 2);
    await store.close();

    const { keptAs } = restoreBackup({ from, path, keepAs: KEEP_AS });

    expect(keptAs).toBe(`${path}.${KEEP_AS}`);
    expect(await aStore(keptAs ?? '', { mode: 'read' }).progress(CAMPAIGN, START)).toMatchObject({
      calling: 2,
    });
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const twice = restoreBackup({ from, path, keepAs: KEEP_AS });
    expect(twice.keptAs).toBe(`${path}.${KEEP_AS}-2`);
  });

  it('is not mixed with the log of the database that was there', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await claimed(store, 2);
    // As after a crash: the newest changes are in the log alone.
    const crashed = aDatabasePath();
    for (const end of ['', '-wal', '.dials']) copyFileSync(path + end, crashed + end);
    expect(statSync(`${crashed}-wal`).size).toBeGreaterThan(0);

    const { keptAs } = restoreBackup({ from, path: crashed, keepAs: KEEP_AS });

    expect(existsSync(`${crashed}-wal`)).toBe(false);
    expect(await aStore(keptAs ?? '', { mode: 'read' }).progress(CAMPAIGN, START)).toMatchObject({
      calling: 2,
      unknown: 0,
    });
    expect(await aStore(crashed).progress(CAMPAIGN, START)).toMatchObject({ unknown: 2 });
  });

  it('is not mixed with the log of a database that is gone', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await claimed(store, 2);
    const gone = aDatabasePath();
    for (const end of ['-wal', '.dials']) copyFileSync(path + end, gone + end);

    restoreBackup({ from, path: gone, keepAs: KEEP_AS });

    expect(existsSync(`${gone}-wal`)).toBe(false);
    expect(existsSync(`${gone}.${KEEP_AS}-wal`)).toBe(true);
    expect(await aStore(gone).progress(CAMPAIGN, START)).toMatchObject({ unknown: 2 });
  });

  it('may be a copy by hand with its log, and is only read', async () => {
    const { path, store } = await aBackedUpDatabase();
    await claimedOne(store);
    const from = join(tempFolder(), 'by-hand.db');
    for (const end of ['', '-wal']) copyFileSync(path + end, from + end);
    const before = contentOf(from) + contentOf(`${from}-wal`);
    await store.close();

    expect(restoreBackup({ from, path, keepAs: KEEP_AS })).toMatchObject({
      holdings: { attempts: expect.any(Number) as number },
      recovered: 0,
    });
    expect(contentOf(from) + contentOf(`${from}-wal`) === before).toBe(true);
    expect(await aStore(path).progress(CAMPAIGN, START)).toMatchObject({ calling: 1 });
  });

  it('takes an empty place, and a damaged database too', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await store.close();
    rmSync(path);
    expect(restoreBackup({ from, path, keepAs: KEEP_AS }).keptAs).toBeNull();
    copyFileSync(await aDamagedDatabase(), path);

    expect(restoreBackup({ from, path, keepAs: KEEP_AS }).keptAs).not.toBeNull();
    expect(await exported(aStore(path))).toHaveLength(5);
  });

  it('takes the place of a file that is no database any more only at the operator’s word', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await store.close();
    writeFileSync(path, 'x'.repeat(9_999));

    expect(refusal({ from, path })).toMatchObject({
      code: 'STORE_TOO_DAMAGED_TO_ASK',
      exitCode: 5,
      hint: expect.stringContaining('--alone') as string,
    });

    restoreBackup({ from, path, keepAs: KEEP_AS, alone: true });
    expect(await exported(aStore(path))).toHaveLength(5);
  });
});

function contentOf(path: string): string {
  return readFileSync(path, 'latin1');
}
