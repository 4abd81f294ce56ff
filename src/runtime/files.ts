import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that is being written, and does not appear under its final name before `commit`. */
export type PendingFile = Awaited<ReturnType<typeof beginFile>>;

/**
 * Begins a temporary file beside `path` (mode 0600), so that the rename at the end cannot cross file systems. Makes
 * missing folders. Errors are those of `node:fs`, with their codes.
 */
export async function beginFile(path: string) {
  const folder = dirname(path);
  makeFolder(folder);
  const { handle, temporaryPath } = await openTemporary(folder, basename(path));
  let isDone = false;
  return {
    /** The path of the file before `commit`. */
    temporaryPath,
    write: async (chunk: string | Uint8Array) => {
      await handle.writeFile(chunk);
    },
    /** Replaces `target` with the file, durably: fsync, rename, fsync of the folder. */
    commit: async (target: string) => {
      await handle.sync();
      await handle.close();
      await rename(temporaryPath, target);
      isDone = true;
      await syncFolder(folder);
    },
    /** Removes the temporary file; does nothing after `commit`. */
    discard: async () => {
      if (isDone) return;
      isDone = true;
      await handle.close();
      await rm(temporaryPath, { force: true });
    },
  };
}

/** A second writer at the same time, or one after a crash, takes the next free number. */
async function openTemporary(folder: string, name: string) {
  for (let n = 1; ; n++) {
    const temporaryPath = join(folder, `.${name}.${n}.tmp`);
    try {
      return { handle: await open(temporaryPath, 'wx', 0o600), temporaryPath };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Writes a file or folder through to the disk. */
export function sync(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a folder and the missing folders above it. Node's `recursive` option loops for ever where the system reports
 * each parent as missing, as below /proc.
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made the folder in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

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

/** The root of the installed package: the nearest folder above this file with its `campaigns/`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'campaigns')) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}
