import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { systemDisk } from '../../../../src/store/sqlite/file/ballast.ts';
import { journalPath } from '../../../../src/store/journal/journal.ts';
import { aRunningCampaign, claimedOne, exported } from '../../../conformance/store/setup.ts';
import { aStore, damage } from '../database.ts';
import { aBackedUpDatabase, refusal } from './backup.ts';

const NAMES_ANOTHER_FILE: readonly string[] = [
  'BACKUP_MISSING',
  'STORE_NOT_SQLITE',
  'STORE_NOT_OURS',
];

describe('a backup is refused, and the database left as it was,', () => {
  it.each(['dial', 'write', 'read'] as const)(
    'while another callsheet has it open (%s)',
    async (mode) => {
      const { path, from, store } = await aBackedUpDatabase();
      const intent = await claimedOne(store);
      if (mode !== 'dial') await store.close();
      const other = mode === 'dial' ? store : aStore(path, { mode });
      await exported(other);

      expect(refusal({ from, path })).toMatchObject({
        code: 'STORE_IN_USE',
        message: `Another callsheet is using the database ${path}, so it was not replaced.`,
        hint: expect.stringContaining('End every callsheet') as string,
      });

      expect((await exported(other))[0]).toMatchObject({ phone: intent.phone, state: 'calling' });
      expect(refusedFiles(path)).toEqual([]);
    },
  );

  it.each(['moves_to', 'moved_to'])('while a server may call: %s', async (key) => {
    const { path, from, store } = await aBackedUpDatabase();
    await store.close();
    const db = new Sqlite(path);
    db.prepare('INSERT INTO meta VALUES (?, ?)').run(key, 'postgres://ann@db.example.com/calls');
    db.close();
    expect(refusal({ from, path })).toMatchObject({ code: 'DATABASE_MOVED' });
  });

  it('where it is of another database than the dial journal', async () => {
    const { path, store } = await aBackedUpDatabase();
    await store.close();
    const { from: foreign } = await aBackedUpDatabase();
    const before = readFileSync(path, 'latin1');

    expect(refusal({ from: foreign, path })).toMatchObject({
      code: 'BACKUP_OF_ANOTHER_DATABASE',
      exitCode: 5,
      hint: expect.stringContaining('--db') as string,
    });
    expect(readFileSync(path, 'latin1') === before).toBe(true);
  });

  it('where the journal is missing and calls were made', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await store.close();
    rmSync(journalPath(path));

    expect(refusal({ from, path })).toMatchObject({ code: 'JOURNAL_MISSING', exitCode: 5 });
    expect(refusedFiles(path)).toEqual([]);
  });

  it('where it is older than a campaign of the journal', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await aRunningCampaign(store, { id: 'cmp_b' });
    await claimedOne(store, { campaignId: 'cmp_b' });
    await store.close();

    expect(refusal({ from, path })).toMatchObject({ code: 'JOURNAL_BEYOND_DATABASE', exitCode: 5 });
    expect(await aStore(path).findCampaign('cmp_b')).toBeDefined();
  });

  it.each([
    [
      'is missing',
      'BACKUP_MISSING',
      (file: string) => {
        rmSync(file);
      },
    ],
    [
      'is no database',
      'STORE_NOT_SQLITE',
      (file: string) => {
        writeFileSync(file, 'x'.repeat(9_999));
      },
    ],
    [
      'is empty',
      'STORE_NOT_OURS',
      (file: string) => {
        writeFileSync(file, '');
      },
    ],
    [
      'is another program’s',
      'STORE_NOT_OURS',
      (file: string) => {
        rmSync(file);
        const db = new Sqlite(file);
        db.exec('CREATE TABLE contacts (name TEXT)');
        db.close();
      },
    ],
    [
      'is of a newer callsheet',
      'STORE_NEWER',
      (file: string) => {
        const db = new Sqlite(file);
        db.pragma('user_version = 99');
        db.close();
      },
    ],
    [
      'is damaged',
      'STORE_CORRUPT',
      (file: string) => {
        damage(file);
      },
    ],
    [
      'has a damaged index',
      'STORE_CORRUPT',
      (file: string) => {
        damage(file, 'history_of_campaign');
      },
    ],
  ] as const)('where the file %s', async (_, code, spoil) => {
    const { path, from, store } = await aBackedUpDatabase();
    await store.close();
    spoil(from);

    const error = refusal({ from, path });

    expect(error.code).toBe(code);
    expect(error.message).toContain(from);
    // The file is an argument: no flag is of any use.
    if (NAMES_ANOTHER_FILE.includes(code)) {
      expect(error.hint).toBe('Name the file that `callsheet backup FILE` wrote.');
    }
    expect(refusedFiles(path)).toEqual([]);
    expect(await exported(aStore(path))).toHaveLength(5);
  });

  it('where it is the database itself, or the disk a network file system', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    await store.close();

    expect(refusal({ from: path, path })).toMatchObject({ code: 'BACKUP_OF_ITSELF', exitCode: 2 });
    const disk = { ...systemDisk, fileSystemType: () => 0x6969 };
    expect(refusal({ from, path, disk })).toMatchObject({ code: 'STORE_ON_NETWORK' });
  });
});

/** What a refused restore should not have left. */
function refusedFiles(path: string): string[] {
  const known = ['', '-wal', '-shm', '.dials', '.ballast'].map((end) => basename(path) + end);
  return readdirSync(dirname(path)).filter((name) => !known.includes(name));
}
