import { readFileSync, readlinkSync } from 'node:fs';

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
