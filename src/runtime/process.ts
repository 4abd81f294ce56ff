import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime, userInfo } from 'node:os';
import { setFlagsFromString } from 'node:v8';

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
 * True only when a process is certainly gone: it ran on this host, since the current boot, and no process has its pid
 * now. False proves nothing, as another process may have the pid now.
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

/**
 * True if this process was started by `nohup`, or by a script under `nohup`, so that it should survive the closing of
 * its terminal.
 *
 * An ignored SIGHUP is inherited, but Node resets all signals before any JavaScript runs, and the kernel does not tell
 * what was ignored before. So other traces are read:
 * - the standard input that `nohup` sets when started from a terminal: /dev/null, open for writing only (Linux);
 * - the parent shell ignores SIGHUP itself (`nohup night.sh`, `trap '' HUP`; Linux);
 * - `_`, the variable in which bash, zsh and ksh put the command that they start.
 * Without any trace SIGHUP stops the run, as calls that go on after the terminal was closed are the worse mistake.
 *
 * @param parent the pid of the parent process
 * @param proc the folder of the proc file system
 */
export function ignoresHangup(
  env: Readonly<Record<string, string | undefined>>,
  parent = process.ppid,
  proc = '/proc',
): boolean {
  return (
    /(^|\/)nohup$/.test(env['_'] ?? '') || hasInputOfNohup(proc) || isDeafShell(`${proc}/${parent}`)
  );
}

function hasInputOfNohup(proc: string): boolean {
  try {
    if (readlinkSync(`${proc}/self/fd/0`) !== '/dev/null') return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${proc}/self/fdinfo/0`, 'utf8'))?.[1];
    return (parseInt(flags ?? '0', 8) & ACCESS) === WRITE_ONLY;
  } catch {
    return false;
  }
}

/** True for a shell that ignores SIGHUP. Other programs do not count: the children of `screen` do not inherit this. */
function isDeafShell(folder: string): boolean {
  try {
    const status = readFileSync(`${folder}/status`, 'utf8');
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1];
    return /^Name:\s*\w*sh$/m.test(status) && (BigInt(`0x${ignored ?? '0'}`) & SIGHUP) !== 0n;
  } catch {
    return false;
  }
}

/** Access mode flags of open(2), in octal as in fdinfo. */
const ACCESS = 0o3;
const WRITE_ONLY = 0o1;
/** SIGHUP is signal 1, the lowest bit of the mask. */
const SIGHUP = 1n;

/**
 * For a command that sends its service only a few requests: keeps V8 from optimising the parser of the answers
 * (WebAssembly). The optimisation takes 8 MB more while a list is in memory, and the import of a million rows would
 * exceed its limit of 200 MB.
 */
export function expectFewAnswers(): void {
  setFlagsFromString('--liftoff-only');
}
