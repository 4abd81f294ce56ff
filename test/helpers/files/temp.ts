import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Real files, in memory where there is room for them: thousands of commits each wait for the disk otherwise. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** callsheet is installed above the folders of all tests, so that `npx callsheet` runs in them. */
const INSTALLED = join(BASE, 'callsheet-tests');
mkdirSync(join(INSTALLED, 'node_modules', '.bin'), { recursive: true });
writeFileSync(join(INSTALLED, 'node_modules', '.bin', 'callsheet'), '');

/** Keeps work for the end of a test. One that runs beside others has to give its own, from its context. */
export type AtEnd = (work: () => void | Promise<void>) => void;

/** A folder of the running test's own, removed when it has finished. */
export function tempFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(INSTALLED, 'callsheet-test-'));
  atEnd(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
