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
 * A file beside the database that only takes room. When the disk is full it is given up, so that the outcomes
 * of the calls in flight still get written; it is made again as soon as there is room above the floor.
 */
export class Ballast {
  /** How often it was given up: a write that failed before the last time may be tried again. */
  givenUp = 0;
  readonly #databasePath: string;
  readonly #disk: Disk;

  constructor(databasePath: string, disk: Disk) {
    this.#databasePath = databasePath;
    this.#disk = disk;
  }

  /** True while a lead may be claimed: above the floor, with the ballast there, which is made if it is missing. */
  hasRoom(): boolean {
    if (this.#disk.freeBytes(dirname(this.#databasePath)) < FREE_FLOOR_BYTES) return false;
    return this.#isThere() || this.#make();
  }

  /** Makes room. @returns false when there was no ballast left */
  giveUp(): boolean {
    if (sizeOf(this.#path) === 0) return false;
    try {
      // Some file systems need room to remove a name; cutting the file short gives it.
      truncateSync(this.#path, 0);
      rmSync(this.#path, { force: true });
    } catch {
      // What was cut off is free all the same.
    }
    this.givenUp += 1;
    return true;
  }

  get #path(): string {
    return ballastPath(this.#databasePath);
  }

  #isThere(): boolean {
    return sizeOf(this.#path) >= this.#disk.ballastBytes;
  }

  /** @returns false when the disk (or the user's quota) is full; where it cannot be for another reason, the floor alone holds */
  #make(): boolean {
    try {
      const fd = openSync(this.#path, 'w', 0o600);
      try {
        // Random bytes: a file system that compresses would give zeros no room.
        const chunk = randomBytes(Math.min(CHUNK_BYTES, this.#disk.ballastBytes));
        for (let size = 0; size < this.#disk.ballastBytes;) size += writeSync(fd, chunk);
      } finally {
        closeSync(fd);
      }
      return true;
    } catch (error) {
      this.giveUp();
      return !isDiskFull(error);
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
