import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, uptime, userInfo } from 'node:os';

/** Identifies a process by host, boot and pid, as a pid alone is ambiguous after a reboot. */
export interface ProcessIdentity {
  host: string;
  boot: string;
  pid: number;
}

export function thisProcess(): ProcessIdentity {
  return { host: hostname(), boot: bootId(), pid: process.pid };
}

/**
 * True only when a process is certainly gone: it ran on this host, since the current boot, and no process has its
 * pid now. False proves nothing, as another process may have the pid now.
 */
export function isGone(owner: ProcessIdentity, here: ProcessIdentity = thisProcess()): boolean {
  if (owner.host !== here.host || owner.boot !== here.boot) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    // EPERM means that the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** How many files and connections this process may have open; null: the system, not being Linux, does not say. */
export function openFileLimit(path = '/proc/self/limits'): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync(path, 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** The operating-system user, for the history; `unknown` where the system knows no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/**
 * The id of the current boot. Linux has one; elsewhere the id is made from the time of the boot, rounded to ten
 * seconds. A wrong rounding only makes a dead process count as alive, which is the safe side.
 */
export function bootId(path = '/proc/sys/kernel/random/boot_id'): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    const bootedAt = Math.round((Date.now() / 1000 - uptime()) / 10);
    return createHash('sha256').update(String(bootedAt)).digest('hex').slice(0, 32);
  }
}
