import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { World } from '../world.ts';

/** How a list from standard input is called. */
export const STANDARD_INPUT = 'stdin';

/** A list is read more than once, and standard input is not: it is kept in a file (mode 0600) meanwhile. */
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
