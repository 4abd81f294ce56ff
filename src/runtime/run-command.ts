import { spawn, type ChildProcess } from 'node:child_process';
import type { Clock } from './clock.ts';

/** How a command ended. `output`: the end of what it printed to both its outputs. */
export interface CommandEnd {
  ok: boolean;
  /** Why not, without a full stop: `it ended with exit code 3`. Empty if it is ok. */
  why: string;
  output: string;
}

interface CommandOptions {
  /** Its working folder, absolute. */
  folder: string;
  /** Its whole environment. */
  env: Record<string, string>;
  /** Its standard input. */
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
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-MOST_OUTPUT);
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
    child.on('error', (error: NodeJS.ErrnoException) => {
      end(`it could not be started (${error.code ?? 'unknown error'})`);
    });
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
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
