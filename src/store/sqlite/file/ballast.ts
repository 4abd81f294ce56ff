import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { usageError } from '../../../runtime/errors.ts';
import type { DiskRoom } from '../../journal/journalled-store.ts';
import type { Room } from '../../sql/engine.ts';
import { diskFull, isDiskFull, realPath } from './files.ts';

const CHUNK_BYTES = 1024 * 1024;

export function ballastPath(databasePath: string): string {
  return `${databasePath}.ballast`;
}

/**
 * A file that only takes space. It is deleted when the disk is full, so that answers of calls in flight can be written,
 * and written again when there is room.
 */
export function ballastOf(databasePath: string, disk: Disk): DiskRoom & Room {
  const path = ballastPath(databasePath);
  let givenUp = 0;

  function giveUp(): boolean {
    if (sizeOf(path) === 0) return false;
    try {
      // Some file systems need space to delete a file; truncating it first provides that.
      truncateSync(path, 0);
      rmSync(path, { force: true });
    } catch {
      // The truncation may have freed the space already.
    }
    givenUp += 1;
    return true;
  }

  /** @returns false when the disk (or the user's quota) is full; after another error true: the ballast is left out */
  function make(): boolean {
    try {
      const fd = openSync(path, 'w', 0o600);
      try {
        // Random bytes: on a file system that compresses, zeros would take no space.
        const chunk = randomBytes(Math.min(CHUNK_BYTES, disk.ballastBytes));
        for (let size = 0; size < disk.ballastBytes;) size += writeSync(fd, chunk);
      } finally {
        closeSync(fd);
      }
      return true;
    } catch (error) {
      giveUp();
      return !isDiskFull(error);
    }
  }

  const hasFreeSpace = () => disk.freeBytes(dirname(databasePath)) >= FREE_FLOOR_BYTES;

  return {
    /** True while the disk has more room than callsheet keeps free. */
    hasFreeSpace,
    /** How often it was deleted: a write that failed before the latest deletion may succeed now. */
    timesGivenUp: (): number => givenUp,
    /** True while leads may be claimed: there is enough free space, and the ballast exists or could be written now. */
    hasRoom: (): boolean => {
      if (!hasFreeSpace()) return false;
      return sizeOf(path) >= disk.ballastBytes || make();
    },
    /** Deletes the ballast to make room. @returns false when there was no ballast */
    giveUp,
    full: () => diskFull(databasePath),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** No lead is claimed while the database's disk has less free space than this, bytes (64 MB). */
export const FREE_FLOOR_BYTES = 64 * 1024 * 1024;

/** Queries about the disk of the database; tests pass their own implementation. */
export interface Disk {
  /** Free space for this user, bytes; Infinity where the system does not say. */
  freeBytes(folder: string): number;
  /** The kernel's number of the file system (statfs f_type); 0 where the system does not say. */
  fileSystemType(folder: string): number;
  /** Whether something is mounted at this very path; false where the system does not say. */
  isMountPoint(path: string): boolean;
  /** Size of the ballast file beside the database; 0: none. */
  ballastBytes: number;
}

export const systemDisk: Disk = {
  freeBytes: (folder) => {
    const found = statfs(folder);
    // Some virtual file systems report no blocks at all: that is not a full disk.
    return found === undefined || found.blocks === 0 ? Infinity : found.bavail * found.bsize;
  },
  fileSystemType: (folder) => (statfs(folder)?.type ?? 0) >>> 0,
  isMountPoint: (path) => mountPoints().includes(path),
  ballastBytes: 4 * 1024 * 1024,
};

const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
]);
/** FUSE: sshfs and other network mounts, but also some local disks. */
const FUSE = 0x65735546;

/**
 * Refuses a network disk: SQLite's locks are not reliable there, and without them two runners could call twice.
 * @param path of the database; it need not exist yet
 * @throws AppError `STORE_ON_NETWORK` (exit 2)
 */
export function refuseNetworkDisk(path: string, disk: Disk): void {
  const name = NETWORK_FILE_SYSTEMS.get(disk.fileSystemType(nearestFolder(path)));
  if (name === undefined) return;
  throw usageError(
    'STORE_ON_NETWORK',
    `The database ${path} is on a network file system (${name}): its locks are not reliable there, so people could be called twice.`,
    'Put it on a local disk (an existing one together with its -wal and .dials, when no callsheet works), and name it there with --db.',
  );
}

/** A sentence about a file system that may be a network mount; undefined when there is nothing to say. */
export function networkWarning(path: string, disk: Disk): string | undefined {
  if (disk.fileSystemType(nearestFolder(path)) !== FUSE) return undefined;
  return `The database ${path} is on a FUSE file system: if that is a mount over a network (such as sshfs), put it on a local disk.`;
}

export function freeBytesBeside(path: string, disk: Disk): number {
  return disk.freeBytes(nearestFolder(path));
}

function nearestFolder(path: string): string {
  let folder = dirname(realPath(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function statfs(folder: string) {
  try {
    return statfsSync(folder);
  } catch {
    return undefined;
  }
}

/** Read from Linux's mountinfo, which writes blanks and similar characters as octal escapes. */
function mountPoints(): string[] {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return lines.map((line) =>
      (line.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(parseInt(octal, 8)),
      ),
    );
  } catch {
    return [];
  }
}
