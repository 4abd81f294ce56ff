import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openConnection } from '../../../src/store/sqlite/file/connection.ts';
import { tempFolder } from './temp.ts';

let made: Buffer | undefined;

/** Writes a database as the program makes it at its first start. It is made once and copied: hundreds of tests need one. */
export function freshDatabase(path: string): void {
  made ??= make();
  writeFileSync(path, made, { mode: 0o600 });
}

function make(): Buffer {
  const folder = tempFolder(() => undefined);
  const path = join(folder, 'callsheet.db');
  openConnection({ path, mode: 'write' }).close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}
