import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/runtime/errors.ts';
import { backUp, quickCheck } from '../../../../src/store/sqlite/file/backup.ts';
import { freeBytesBeside, systemDisk } from '../../../../src/store/sqlite/file/ballast.ts';
import { openSqliteStore, type OpenOptions } from '../../../../src/store/sqlite/open.ts';
import { aRunningCampaign, exported } from '../../../conformance/store/setup.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import {
  aConnection,
  aDamagedDatabase,
  aDatabasePath,
  aSoundDatabase,
  aStore,
  damage,
} from '../database.ts';

const onFileSystem = (type: number) => ({ disk: { ...systemDisk, fileSystemType: () => type } });

describe('the disk of a database', () => {
  it('is asked for its free room and its file system, also for a folder that is not there yet', () => {
    const path = join(tempFolder(), 'not', 'there', 'callsheet.db');

    expect(freeBytesBeside(path, systemDisk)).toBeGreaterThan(0);
    expect(systemDisk.fileSystemType(dirname(dirname(dirname(path))))).toBeGreaterThan(0);
  });

  it('that cannot be asked is neither full nor a network', () => {
    const nowhere = `${aDatabasePath()}/nowhere`;
    expect(systemDisk.freeBytes(nowhere)).toBe(Infinity);
    expect(systemDisk.fileSystemType(nowhere)).toBe(0);
    // Counts no blocks at all.
    expect(systemDisk.freeBytes('/proc')).toBe(Infinity);
  });
});

describe('a database that is mounted as a single file', () => {
  it('is refused, as its journal would lie elsewhere', () => {
    const path = aDatabasePath();
    aStore(path);
    const disk = { ...systemDisk, isMountPoint: (at: string) => at === path };

    expect(refusal({ path, mode: 'dial', disk })).toMatchObject({
      code: 'STORE_MOUNTED_ALONE',
      exitCode: 2,
      hint: 'Mount the folder that it is in, not the file.',
    });
  });

  it('is known from the list of mounts', () => {
    expect(systemDisk.isMountPoint('/')).toBe(existsSync('/proc/self/mountinfo'));
    expect(systemDisk.isMountPoint(aDatabasePath())).toBe(false);
  });
});

describe('a database on a network file system', () => {
  it.each([
    ['NFS', 0x6969],
    ['CIFS', 0xff534d42],
    ['SMB', 0xfe534d42],
    ['9p', 0x01021997],
  ])('is refused with the remedy, before a file is made (%s)', (name, type) => {
    const path = aDatabasePath();

    for (const mode of ['write', 'dial'] as const) {
      expect(refusal({ path, mode, ...onFileSystem(type) })).toMatchObject({
        code: 'STORE_ON_NETWORK',
        exitCode: 2,
        message: `The database ${path} is on a network file system (${name}): its locks are not reliable there, so people could be called twice.`,
        hint: expect.stringContaining('Put it on a local disk') as string,
      });
    }
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('can still be read', async () => {
    const path = aDatabasePath();
    await aRunningCampaign(aStore(path));

    expect(await exported(aStore(path, { mode: 'read', ...onFileSystem(0x6969) }))).toHaveLength(5);
  });

  it('is only warned of where it may be a local one (FUSE)', () => {
    const path = aDatabasePath();
    const warnings: string[] = [];
    const onWarning = (sentence: string) => warnings.push(sentence);

    aStore(path, { ...onFileSystem(0x65735546), onWarning });
    aStore(path, { ...onFileSystem(0xef53), onWarning });

    expect(warnings).toEqual([expect.stringContaining('FUSE') as string]);
    expect(warnings[0]).toContain('put it on a local disk');
  });
});

describe('a damaged database', () => {
  it('is refused to whoever wants to dial, with the remedy; nothing is made beside it', async () => {
    const path = await aDamagedDatabase();

    expect(refusal({ path, mode: 'dial' })).toMatchObject({
      code: 'STORE_CORRUPT',
      exitCode: 5,
      message: expect.stringMatching(`^The database ${path} is damaged: .*`) as string,
      hint: expect.stringContaining('callsheet restore FILE') as string,
    });
    expect(existsSync(`${path}.dials`)).toBe(false);
  });

  it('is not looked for beside the calls of the same process, only before the first and after the last', async () => {
    const path = await aSoundDatabase();
    const calling = openSqliteStore({ path, mode: 'dial' });
    damage(path);

    await openSqliteStore({ path, mode: 'dial' }).close();
    await calling.close();

    expect(refusal({ path, mode: 'dial' })).toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('is looked for in a file that was put in the place of the one that is dialled from', async () => {
    const path = await aSoundDatabase();
    const calling = openSqliteStore({ path, mode: 'dial' });
    const copy = `${path}.copy`;
    backUp({ from: path, to: copy });
    damage(copy);
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    renameSync(copy, path);

    expect(refusal({ path, mode: 'dial' })).toMatchObject({ code: 'STORE_CORRUPT' });
    await calling.close();
  });

  it('that is too large to delay every start is checked only when asked', async () => {
    const path = await aDamagedDatabase();
    const db = aConnection(path);
    const size = statSync(path).size;

    quickCheck(db, path, { upToBytes: size - 1 });

    expect(() => {
      quickCheck(db, path, { upToBytes: Infinity });
    }).toThrow('is damaged');
  });
});

function refusal(options: OpenOptions): AppError {
  try {
    openSqliteStore(options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was opened');
}
