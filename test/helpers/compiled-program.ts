import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packageRoot } from '../../src/runtime/files.ts';
import type { Desk, Ended } from './callsheet.ts';

/*
 * The program as it was compiled. Whoever imports this file takes part in no quick run of the tests, see
 * `.config/test-kinds.ts`.
 */

export interface Process {
  pid: number;
  /** Everything written so far. */
  output: { out: string; err: string };
  /** Resolves once stdout and stderr together contain `text`. */
  written(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Ended & { signal: NodeJS.Signals | null }>;
}

/** A file of the compiled program, by its path in `dist/`. */
export function compiled(path: string): string {
  return join(packageRoot(), 'dist', path);
}

/** Starts the compiled program as a process of its own, in a working folder; it is killed when the test ends. */
export function spawnCallsheet(
  { cwd, env }: Pick<Desk, 'cwd' | 'env'>,
  argv: readonly string[],
): Process {
  const child = spawn(process.execPath, [compiled('bin/callsheet.js'), ...argv], { cwd, env });
  const output = { out: '', err: '' };
  const watchers = new Set<() => void>();
  const keep = (to: 'out' | 'err') => (chunk: Buffer) => {
    output[to] += chunk.toString();
    for (const watcher of watchers) watcher();
  };
  child.stdout.on('data', keep('out'));
  child.stderr.on('data', keep('err'));
  const ended = once(child, 'close').then(([code, signal]) => ({
    ...output,
    code: (code as number | null) ?? -1,
    signal: signal as NodeJS.Signals | null,
  }));
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  return {
    pid: child.pid ?? 0,
    output,
    ended,
    kill: (signal) => child.kill(signal),
    written: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!(output.out + output.err).includes(text)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
        void ended.then(() => {
          reject(new Error(`the program ended and had not written "${text}": ${output.err}`));
        });
      }),
  };
}
