#!/usr/bin/env node
import { systemClock } from '../runtime/clock.ts';
import { randomId } from '../runtime/ids.ts';
import { thisProcess, userName } from '../runtime/process.ts';
import { systemRandom } from '../runtime/random.ts';
import type { Io, Signal } from './io.ts';
import { main } from './main.ts';

const { stdin, stdout, stderr } = process;

const io: Io = {
  stdout,
  stderr,
  stdin,
  stdoutIsTty: stdout.isTTY,
  stderrIsTty: stderr.isTTY,
  stdinIsTty: stdin.isTTY,
  columns: stdout.columns || stderr.columns || 80,
  env: process.env,
  cwd: process.cwd(),
  clock: systemClock,
  random: systemRandom,
  newId: randomId,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  user: userName(),
  owner: thisProcess(),
  onSignal: (listener) => {
    const signals: Signal[] = ['SIGINT', 'SIGTERM'];
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
};

const code = await main(process.argv.slice(2), io);
// A pipe may still hold output, and a command that was interrupted twice may leave sockets open.
for (const stream of [stdout, stderr]) {
  await new Promise((resolve) => {
    stream.write('', resolve);
  });
}
process.exit(code);
