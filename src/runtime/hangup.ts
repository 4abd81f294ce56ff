import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether this process was started so that a terminal that closes does not end it: by `nohup`, or by a script under it.
 *
 * An ignored SIGHUP is inherited, but Node resets all signals before our code runs, and the kernel keeps no trace of it. So
 * other traces are read:
 * - the standard input that `nohup` of a terminal leaves: /dev/null, open for writing alone (Linux);
 * - the shell that started us ignores it itself (`nohup night.sh`, `trap '' HUP`; Linux);
 * - `_`, where bash, zsh and ksh put the command that they began.
 * Where none is found SIGHUP stops the run: calls that go on after their terminal was closed are the worse mistake.
 *
 * @param parent the pid of who started us
 * @param proc where the system tells of processes
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

/** Only for a shell: `screen` also ignores SIGHUP, and its children do not inherit that. */
function isDeafShell(folder: string): boolean {
  try {
    const status = readFileSync(`${folder}/status`, 'utf8');
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1];
    return /^Name:\s*\w*sh$/m.test(status) && (BigInt(`0x${ignored ?? '0'}`) & SIGHUP) !== 0n;
  } catch {
    return false;
  }
}

/** Of open(2), in octal as fdinfo writes them. */
const ACCESS = 0o3;
const WRITE_ONLY = 0o1;
/** Signal 1 is the lowest bit. */
const SIGHUP = 1n;
