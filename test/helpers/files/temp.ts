import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Real files, in memory where there is room for them: thousands of commits each wait for the disk otherwise. */
export const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Keeps work for the end of a test. One that runs beside others has to give its own, from its context. */
export type AtEnd = (work: () => void | Promise<void>) => void;

/** A folder of the running test's own, removed when it has finished. */
export function tempFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(BASE, 'callsheet-test-'));
  atEnd(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
