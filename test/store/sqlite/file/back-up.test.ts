import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backUp } from '../../../../src/store/sqlite/file/backup.ts';
import { journalPath } from '../../../../src/store/journal/journal.ts';
import {
  addList,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  exported,
  someLeads,
} from '../../../conformance/store/setup.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { aConnection, aDamagedDatabase, aDatabasePath, aStore } from '../database.ts';

describe('a backup', () => {
  it('holds what was committed when it was made, while a runner goes on', async () => {
    const from = aDatabasePath();
    const to = join(tempFolder(), 'deep', 'backup.db');
    const store = aStore(from);
    await aRunningCampaign(store, { proven: false });
    await claimedOne(store);
    const writer = aConnection(from);
    writer.exec("BEGIN IMMEDIATE; UPDATE campaigns SET state = 'cancelled'");

    expect(backUp({ from, to })).toMatchObject({ campaigns: 1, leads: 5, attempts: 1 });

    writer.exec('COMMIT');
    await addList(store, CAMPAIGN, someLeads(2, 50), { id: 'list_2', sha256: 'bb22' });
    const copy = aStore(to, { mode: 'read' });
    expect(await exported(copy)).toHaveLength(5);
    expect((await copy.findCampaign(CAMPAIGN))?.state).toBe('running');
    expect(await exported(store)).toHaveLength(7);
  });

  it('is one file, only for its owner, and nothing else is left', async () => {
    const from = aDatabasePath();
    const to = join(tempFolder(), 'backup.db');
    await aRunningCampaign(aStore(from));

    backUp({ from, to });

    expect(readdirSync(dirname(to))).toEqual(['backup.db']);
    expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  it('never replaces a file unless it is told to', async () => {
    const from = aDatabasePath();
    const to = join(tempFolder(), 'backup.db');
    await aRunningCampaign(aStore(from));
    writeFileSync(to, 'something else');

    expect(() => backUp({ from, to })).toThrow(
      expect.objectContaining({ code: 'BACKUP_EXISTS', exitCode: 2 }),
    );
    expect(readFileSync(to, 'utf8')).toBe('something else');

    backUp({ from, to, replace: true });
    expect(await exported(aStore(to, { mode: 'read' }))).toHaveLength(5);
  });

  it.each(['', '-wal', '.dials', '.ballast'])(
    'is never written over the database%s itself',
    async (end) => {
      const from = aDatabasePath();
      const store = aStore(from);
      await aRunningCampaign(store);
      const before = readFileSync(journalPath(from));

      expect(() => backUp({ from, to: from + end, replace: true })).toThrow(
        expect.objectContaining({ code: 'BACKUP_OF_ITSELF', exitCode: 2 }),
      );

      expect(readFileSync(journalPath(from))).toEqual(before);
      expect(await exported(store)).toHaveLength(5);
    },
  );

  it('of a damaged database is refused, and none is left behind', async () => {
    const from = await aDamagedDatabase();
    const to = join(tempFolder(), 'backup.db');

    expect(() => backUp({ from, to })).toThrow(
      expect.objectContaining({ code: 'STORE_CORRUPT', exitCode: 5 }),
    );
    expect(readdirSync(dirname(to))).toEqual([]);
  });

  it('that cannot be written says where', async () => {
    const from = aDatabasePath();
    await aRunningCampaign(aStore(from));
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const to = join(folder, 'file', 'backup.db');

    expect(() => backUp({ from, to })).toThrow(
      expect.objectContaining({ code: 'BACKUP_FAILED', exitCode: 1 }),
    );
    expect(() => backUp({ from, to })).toThrow(to);
  });

  it('of a database that is not there is refused, and makes none', () => {
    const from = aDatabasePath();
    const to = join(tempFolder(), 'backup.db');

    expect(() => backUp({ from, to })).toThrow(
      expect.objectContaining({ code: 'STORE_MISSING', exitCode: 2 }),
    );
    expect([existsSync(from), existsSync(to)]).toEqual([false, false]);
  });

  it('can be made of an older database, before it is brought up to date', async () => {
    const from = aDatabasePath();
    const to = join(tempFolder(), 'backup.db');
    await aRunningCampaign(aStore(from));
    aConnection(from).pragma('user_version = 1');

    backUp({ from, to });

    expect(existsSync(to)).toBe(true);
  });
});
