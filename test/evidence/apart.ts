import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Tally } from './seeds.ts';

/**
 * Runs `worker.ts` as a process of its own: measuring which lines were reached would take as long again as
 * the runs, and the other tests reach them, too.
 *
 * @returns what it has told: a tally a hundred seeds, or one a scenario
 */
export async function runApart(...args: string[]): Promise<Tally[]> {
  const [hooks, worker] = ['run-typescript.mjs', 'worker.ts'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  ) as [string, string];
  const options = ['--enable-source-maps', '--import', hooks, worker, ...args];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const tallies: Tally[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    tallies.push(JSON.parse(line) as Tally);
  }
  const [code] = (await closed) as [number | null];
  if (code !== 0) throw new Error(`the runs broke off: ${complaint.slice(-2_000)}`);
  return tallies;
}
