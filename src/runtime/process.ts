import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, uptime, userInfo } from 'node:os';

/** Which process, of which boot of which machine: a pid alone means nothing after a reboot. */
export interface ProcessIdentity {
  host: string;
  boot: string;
  pid: number;
}

export function thisProcess(): ProcessIdentity {
  return { host: hostname(), boot: bootId(), pid: process.pid };
}

/**
 * True only when a process is visibly gone: it ran on this host, since this boot, and no process has its
 * pid now. False proves nothing; a pid may have been given to another process.
 */
export function isGone(owner: ProcessIdentity, here: ProcessIdentity = thisProcess()): boolean {
  if (owner.host !== here.host || owner.boot !== here.boot) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
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
 * Linux has an id for each boot; elsewhere it is made of the time of the boot, rounded to ten seconds. A wrong
 * rounding only makes a dead process count as alive, which is the safe side.
 */
export function bootId(path = '/proc/sys/kernel/random/boot_id'): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    const bootedAt = Math.round((Date.now() / 1000 - uptime()) / 10);
    return createHash('sha256').update(String(bootedAt)).digest('hex').slice(0, 32);
  }
}
