import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { FREE_FLOOR_BYTES, type Disk } from './disk.ts';
import { isDiskFull } from './failures.ts';

const CHUNK_BYTES = 1024 * 1024;

/** The ballast's file name for a database file. */
export function ballastPath(databasePath: string): string {
  return `${databasePath}.ballast`;
}

/**
 * A file beside the database that only takes space. When the disk is full the file is deleted, so that the answers
 * of calls in flight can still be written; it is written again once free space is above FREE_FLOOR_BYTES.
 */
export function ballastOf(databasePath: string, disk: Disk) {
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
  };
}

export type Ballast = ReturnType<typeof ballastOf>;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
