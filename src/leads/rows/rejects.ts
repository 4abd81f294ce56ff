import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { csvLine } from '../../domain/lists/csv.ts';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { usageError } from '../../runtime/errors.ts';
import { beginFile, type PendingFile } from '../../runtime/replace-file.ts';

export interface RejectedRow {
  line: number;
  cells: readonly string[];
  reason: string;
}

/**
 * The rows of a list that were not taken, as `<folder>/<list>-<date>.csv` (mode 0600): the original row under
 * the original headers, then `line` and `reason`. An existing file of that name with other bytes is never touched: the
 * new file gets the next free number (`-2`, `-3` ...). An existing file with the same bytes is used as it is, so that
 * repeated imports do not pile up files.
 *
 * @param list its path, the time of its first import (epoch ms) and its headers
 * @throws AppError `REJECTS_NOT_WRITABLE`
 */
export function openRejects(
  folder: string,
  list: { path: string; at: number; headers: readonly string[] },
) {
  const date = new Date(list.at).toISOString().slice(0, 10);
  const stem = `${basename(list.path, extname(list.path))}-${date}`;
  let file: PendingFile | undefined;

  return {
    /** Rows come in the order of the list. */
    add: (rows: readonly RejectedRow[]) =>
      explained(async () => {
        if (rows.length === 0) return;
        if (file === undefined) {
          file = await beginFile(join(folder, `${stem}.csv`));
          await file.write(csvLine([...list.headers, 'line', 'reason']));
        }
        const lines = rows.map(({ line, cells, reason }) =>
          csvLine([...cells, String(line), reason]),
        );
        await file.write(lines.join(''));
      }),
    /** Renames the file to its final name and returns that path; null when there was nothing to write. */
    keep: () => explained(async () => (file === undefined ? null : place(file))),
    /** Removes what was written, unless it was kept. */
    discard: async () => {
      await file?.discard();
    },
  };

  async function place(pending: PendingFile): Promise<string> {
    for (let n = 1; ; n++) {
      const path = join(folder, n === 1 ? `${stem}.csv` : `${stem}-${n}.csv`);
      if (await reserve(path)) {
        await pending.commit(path);
        return path;
      }
      if ((await hashOf(path)) === (await hashOf(pending.temporaryPath))) {
        await pending.discard();
        return path;
      }
    }
  }

  async function explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { is } = fileTroubleOf(error, 'written');
      const what = `The rows that were not taken cannot be kept: their folder ${folder} ${is}.`;
      throw usageError(
        'REJECTS_NOT_WRITABLE',
        what,
        'make the folder writable, or make room, and run the same command again: the import goes on where it was',
        error,
      );
    }
  }
}

/** Reserves the name with an empty file until the rename. @returns false when a file of this name exists */
async function reserve(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) hash.update(bytes);
  return hash.digest('hex');
}
