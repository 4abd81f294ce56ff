import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { beginFile } from '../runtime/replace-file.ts';
import { openSpool } from '../runtime/spool.ts';
import type { Sink } from './formats/format.ts';
import { explained, resolveTarget } from './target.ts';

/**
 * Lets `write` write to a file, which appears under its name (mode 0600) only when it is complete and on disk, or to an
 * open stream, which is not ended.
 *
 * @returns the number of rows that `write` returned, and the resolved path; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`, with an existing file untouched; errors of a stream are thrown unchanged
 */
export async function writeOut(
  to: string | Writable,
  write: (sink: Sink) => Promise<number>,
): Promise<{ rows: number; path: string | null }> {
  return typeof to === 'string' ? toFile(to, write) : toStream(to, write);
}

async function toFile(to: string, write: (sink: Sink) => Promise<number>) {
  const path = await resolveTarget(to);
  const file = await explained(to, () => beginFile(path));
  try {
    const rows = await write((chunk) => explained(to, () => file.write(chunk)));
    await explained(to, () => file.commit(path));
    return { rows, path };
  } finally {
    await file.discard();
  }
}

/** Writes to the disk first, so that the snapshot does not stay open for a slow reader, such as a pager. */
async function toStream(to: Writable, write: (sink: Sink) => Promise<number>) {
  const spool = await openSpool();
  try {
    const rows = await write(async (chunk) => {
      if (to.destroyed) throw to.errored ?? new Error('nobody reads this any more');
      await spool.write(chunk);
    });
    // Waits until the stream has taken each chunk, so that chunks do not pile up in memory for a slow reader.
    const take = promisify((chunk: Buffer, taken: (error?: Error | null) => void) =>
      to.write(chunk, taken),
    );
    for await (const chunk of spool.read()) await take(chunk);
    return { rows, path: null };
  } finally {
    await spool.close();
  }
}
