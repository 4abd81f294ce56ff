import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A temporary file that is written first and read later, to save memory. The file is on the disk of the folder `within`
 * (default: the system's temporary folder). It has no name, so no other process can open it and a crash leaves no file.
 */
export async function openSpool(within = tmpdir()) {
  const folder = await mkdtemp(join(within, 'callsheet-'));
  const handle = await open(join(folder, 'spool'), 'wx+', 0o600);
  await rm(folder, { recursive: true });
  return {
    write: async (chunk: string | Uint8Array) => {
      await handle.writeFile(chunk);
    },
    /** The whole content, from the beginning. */
    read: (): AsyncIterable<Buffer> =>
      handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 20 }),
    /** The whole content as lines, without line ends. */
    lines: (): AsyncIterable<string> => handle.readLines({ start: 0, autoClose: false }),
    close: () => handle.close(),
  };
}
