import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { World } from '../world.ts';

/** The name of a list from standard input, used in place of its path. */
export const STANDARD_INPUT = 'stdin';

/** Copies standard input to a temporary file (mode 0600), because a list is read more than once. */
export async function keepStandardInput({
  stdin,
  underway,
}: Pick<World, 'stdin' | 'underway'>): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'callsheet-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, STANDARD_INPUT);
    const copy = createWriteStream(path, { mode: 0o600 });
    await pipeline(stdin, copy, underway === undefined ? {} : { signal: underway.signal });
    underway?.cleanUps.add(remove);
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
