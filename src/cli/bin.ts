import { realpathSync } from 'node:fs';
import { systemClock } from '../runtime/clock.ts';
import { EXIT } from '../runtime/errors.ts';
import { ignoresHangup, keepHeapSmall, thisProcess, userName } from '../runtime/process.ts';
import { randomId, systemRandom } from '../runtime/random.ts';
import type { Io, Signal } from './io.ts';
import { main, wantsStacks } from './main.ts';

// Stack traces only for debugging and for the log file.
if (!wantsStacks(process.argv)) Error.stackTraceLimit = 0;

const CLOSING: Signal[] = ['SIGTERM', 'SIGHUP'];
const ignore = () => undefined;
const hasNohup = ignoresHangup(process.env);
if (hasNohup) process.on('SIGHUP', ignore);
const signals: Signal[] = hasNohup ? ['SIGINT', 'SIGTERM'] : ['SIGINT', ...CLOSING];

const { stdin, stdout, stderr } = process;

const io: Io = {
  stdout,
  stderr,
  stdin,
  stdoutIsTty: stdout.isTTY,
  stderrIsTty: stderr.isTTY,
  stdinIsTty: stdin.isTTY,
  logTime: !stderr.isTTY,
  columns: stdout.columns || stderr.columns || 80,
  env: process.env,
  cwd: process.cwd(),
  program: [process.execPath, realpathSync(process.argv[1] ?? process.execPath)],
  platform: process.platform,
  openBrowser: async (url) => {
    const { default: open } = await import('open');
    await open(url);
  },
  keepHeapSmall,
  clock: systemClock,
  random: systemRandom,
  newId: randomId,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  user: userName(),
  userId: process.getuid?.(),
  owner: thisProcess(),
  connect: async (options) =>
    (await import('../service/voice-service.ts')).createVoiceService(options),
  onSignal: (listener) => {
    const told = (signal: Signal) => {
      // Closing a terminal sends several signals: the later ones must not break the stop that the first one began.
      if (signal !== 'SIGINT') for (const late of CLOSING) process.on(late, ignore);
      listener(signal);
    };
    for (const signal of signals) process.on(signal, told);
    return () => {
      for (const signal of signals) process.off(signal, told);
    };
  },
};

// What ends before `main` does has failed. There is no await at the top, as CommonJS has none.
process.exitCode = EXIT.failed;
void main(process.argv.slice(2), io).then(async (code) => {
  // Waits for output that is still in a pipe; then exits, as a command that was interrupted twice may leave sockets open.
  for (const stream of [stdout, stderr]) {
    await new Promise((resolve) => {
      stream.write('', resolve);
    });
  }
  process.exit(code);
});
