import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSameState, type FileState } from '../../leads/folders/candidates.ts';
import { beginFile } from '../../runtime/replace-file.ts';
import { stateAt } from './scan-places.ts';

/** A private copy of a file as it was at one moment, so that nothing that is put in its place meanwhile is imported. */
export interface StagedFile {
  /** SHA-256 of its bytes. */
  sha256: string;
  /** The copy, beside the database. */
  copy: string;
  remove: () => Promise<void>;
}

/**
 * Copies a complete file. Undefined when it is not the file that was seen, or changed while it was read: then it is not
 * complete, or not there any more.
 *
 * @param folder where the copies are
 * @throws the system's error for a file that cannot be read, or a copy that cannot be written
 */
export async function stageFile(
  path: string,
  expected: FileState,
  folder: string,
): Promise<StagedFile | undefined> {
  // A link that took the file's place since it was seen is not followed; opening a pipe does not wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const source = await open(path, flags).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw error;
  });
  if (source === undefined) return undefined;
  const pending = await beginFile(join(folder, basename(path))).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  try {
    if (!isSameState(await source.stat(), expected)) return undefined;
    const hash = createHash('sha256');
    const bytes = source.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
    for await (const chunk of bytes) {
      hash.update(chunk);
      await pending.write(chunk);
    }
    const [read, there] = [await source.stat(), await stateAt(path)];
    if (there === undefined || !isSameState(read, expected) || !isSameState(there, expected))
      return undefined;
    const sha256 = hash.digest('hex');
    const copy = join(folder, `${sha256.slice(0, 16)}-${basename(path)}`);
    await pending.commit(copy);
    return { sha256, copy, remove: () => rm(copy, { force: true }) };
  } finally {
    await source.close();
    await pending.discard();
  }
}
