import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ballastPath } from '../../../src/store/sqlite/file/ballast.ts';
import { openConnection } from '../../../src/store/sqlite/file/connection.ts';
import { systemDisk } from '../../../src/store/sqlite/file/disk.ts';
import { tempFolder } from './temp.ts';

let made: Buffer | undefined;

/**
 * Writes a database as the program makes it at its first start, and its ballast. The database is made once and copied:
 * hundreds of tests need one. The ballast has its size but takes no room, as writing 4 MB takes longer than most tests.
 */
export function freshDatabase(path: string): void {
  made ??= make();
  writeFileSync(path, made, { mode: 0o600 });
  writeFileSync(ballastPath(path), '', { mode: 0o600 });
  truncateSync(ballastPath(path), systemDisk.ballastBytes);
}

function make(): Buffer {
  const folder = tempFolder(() => undefined);
  const path = join(folder, 'callsheet.db');
  openConnection({ path, mode: 'write' }).close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}
