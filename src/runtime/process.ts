import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { hostname, uptime, userInfo } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Clock } from './clock.ts';

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

/** Commands that stay, as people know them. */
const STAYING = /^(serve|console|run|resume|start|collect|call|retry|demo)$/;

/** The command of a process of this machine that is callsheet, `serve`; null: it is not to be seen. */
export function commandOf(pid: number, proc = '/proc'): string | null {
  try {
    const words = readFileSync(`${proc}/${pid}/cmdline`, 'utf8').split('\0');
    const program = words.findIndex((word) => /(^|\/)(callsheet(\.c?js)?|bin\.[jt]s)$/.test(word));
    return words.slice(program + 1).find((word) => STAYING.test(word)) ?? null;
  } catch {
    return null;
  }
}

/**
 * True if another process of this machine is `callsheet serve` and has the file open. False proves nothing: it may belong
 * to another user or container, or the system, not being Linux, does not say.
 */
export function isServing(path: string, proc = '/proc'): boolean {
  const file = seen<string | null>(() => realpathSync(path), null);
  if (file === null) return false;
  return seen(() => readdirSync(proc), []).some(
    (pid) =>
      /^\d+$/.test(pid) &&
      Number(pid) !== process.pid &&
      commandOf(Number(pid), proc) === 'serve' &&
      seen(() => readdirSync(`${proc}/${pid}/fd`), []).some(
        (fd) => seen(() => readlinkSync(`${proc}/${pid}/fd/${fd}`), '') === file,
      ),
  );
}

/** What the system says; it is gone, or not to be seen: `otherwise`. */
function seen<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
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

/** Of Linux outside of containers. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/**
 * The id of the current boot, in a container also of its pids: two containers may have the host name of their machine,
 * and each counts its pids from 1. Linux has such an id; elsewhere the id is made from the time of the boot, rounded to ten
 * seconds. A wrong rounding only makes a dead process count as alive, which is the safe side.
 */
export function bootId(
  path = '/proc/sys/kernel/random/boot_id',
  namespace = '/proc/self/ns/pid',
): string {
  try {
    const boot = readFileSync(path, 'utf8').trim();
    const pids = lstatSync(namespace, { throwIfNoEntry: false }) && readlinkSync(namespace);
    return pids === undefined || pids === FIRST_NAMESPACE ? boot : `${boot} ${pids}`;
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

/**
 * For a command that works for days: collects garbage now (10 ms), and from then on whenever the heap has grown by a third.
 * V8 by itself lets 45 MB grow to 150 and more first.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=30');
  setFlagsFromString('--expose-gc');
  runInNewContext('globalThis.gc?.()');
}

/**
 * For a command that reads a list and ends: collects garbage sooner, in a smaller part of the memory. Rows that wait for
 * their transaction would else fill it: an import of 200,000 rows takes 161 MB instead of 280, and as long.
 */
export function expectLongList(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}

/** How a command ended. `output`: the end of what it printed to both its outputs. */
interface CommandEnd {
  ok: boolean;
  /** Why not, without a full stop: `it ended with exit code 3`. Empty if it is ok. */
  why: string;
  output: string;
}

interface CommandOptions {
  /** Its working folder, absolute. */
  folder: string;
  env: Record<string, string>;
  input: string;
  /** It is killed after this, with every process of its group. */
  withinMs: number;
  /** It is killed in the same way when this aborts. */
  signal?: AbortSignal | undefined;
  clock: Pick<Clock, 'after'>;
}

/** A background process of a command may keep the outputs open: they are read for this long. */
const OUTPUT_AFTER_END_MS = 500;

/** The most characters that are kept of a command's output, from its end. */
const MOST_OUTPUT = 4_096;

/** Runs a program without a shell and waits for its end. Never rejects. */
export function runCommand(
  [program = '', ...words]: readonly string[],
  { folder, env, input, withinMs, signal, clock }: CommandOptions,
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    let output = '';
    let late = false;
    const keep = (text: string) => {
      output = (output + text).slice(-MOST_OUTPUT);
    };
    // A group of its own, so that what a script has started ends with it.
    // Without a free file descriptor Node makes none of the three pipes, whatever its types say.
    let child: ChildProcess;
    try {
      child = spawn(program, words, { cwd: folder, env, detached: true, shell: false });
    } catch (error) {
      // Thrown at once for a list of words that is too long (E2BIG), or one with a NUL.
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      resolve({ ok: false, why: `it could not be started (${code})`, output });
      return;
    }
    const letGo = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const stop = () => {
      late = true;
      kill(child.pid);
      // Processes that left the group may keep the outputs open; nobody waits for them.
      letGo();
    };
    const cancel = clock.after(withinMs, stop);
    signal?.addEventListener('abort', stop);
    child.once('exit', () => {
      clock.after(OUTPUT_AFTER_END_MS, letGo);
    });
    const end = (why: string) => {
      cancel();
      signal?.removeEventListener('abort', stop);
      resolve({ ok: why === '', why, output });
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(`it could not be started (${error.code ?? 'unknown error'})`),
    );
    // As text, so that a character in two chunks stays whole.
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    // A program that does not read its input, or that could not be started, closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.on('close', (code, by) => {
      if (late && signal?.aborted === true) end('it was killed when callsheet ended');
      else if (late) end(`it was killed after ${withinMs / 1_000} s`);
      else if (code === null) end(`it was ended by ${by ?? 'a signal'}`);
      else end(code === 0 ? '' : `it ended with exit code ${code}`);
    });
    child.stdin?.end(input);
  });
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in this moment.
  }
}

/**
 * True for this machine: 127.0.0.0/8, ::1 and localhost (RFC 1122 3.2.1.3, RFC 4291 2.5.3, RFC 6761 6.3). Plain http is
 * allowed to such a service, and it cannot call real phones.
 * @param hostname as in `URL`: an IPv6 address is in brackets
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
