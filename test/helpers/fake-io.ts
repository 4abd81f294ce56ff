import { PassThrough, Writable } from 'node:stream';
import type { CommandIo, Io, Signal } from '../../src/cli/io.ts';
import { withOperator } from '../../src/cli/terminal/stop.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { thisProcess } from '../../src/runtime/process.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { leadTo } from './services/live-service.ts';

/** An Io off a terminal whose output can be read; `overrides` names only what matters to the test. */
export interface FakeIo extends Io {
  stdin: PassThrough;
  /** Everything written so far. */
  out(): string;
  err(): string;
  /** Ctrl-C. */
  signal(signal?: Signal): void;
  /** Resolves once stdout and stderr together contain `text`. */
  written(text: string): Promise<void>;
}

export function fakeIo(overrides: Partial<Io> & { cwd: string }): FakeIo {
  const chunks: { to: 'out' | 'err'; text: string }[] = [];
  const listeners = new Set<(signal: Signal) => void>();
  const watchers = new Set<() => void>();
  const textOf = (to: 'out' | 'err') =>
    chunks
      .filter((chunk) => chunk.to === to)
      .map(({ text }) => text)
      .join('');
  const sink = (to: 'out' | 'err') =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push({ to, text: chunk.toString() });
        for (const watcher of watchers) watcher();
        done();
      },
    });
  let ids = 0;
  return {
    stdout: sink('out'),
    stderr: Object.assign(sink('err'), { isTTY: overrides.stderrIsTty === true }),
    stdin: new PassThrough(),
    stdoutIsTty: false,
    stderrIsTty: false,
    stdinIsTty: false,
    logTime: false,
    columns: 80,
    env: {},
    program: ['/usr/bin/node', '/srv/callsheet/dist/bin/callsheet.js'],
    platform: 'linux',
    openBrowser: () => Promise.reject(new Error('there is no browser')),
    keepHeapSmall: () => undefined,
    clock: systemClock,
    random: seededRandom('test'),
    newId: (prefix) => `${prefix}_${(ids += 1)}`,
    timezone: 'America/New_York',
    user: 'operator',
    userId: process.getuid?.(),
    owner: thisProcess(),
    passwordCost: { ln: 5, r: 8, p: 1 },
    connect: leadTo({}),
    onSignal: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...overrides,
    out: () => textOf('out'),
    err: () => textOf('err'),
    signal: (signal = 'SIGINT') => {
      for (const listener of listeners) listener(signal);
    },
    written: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!(textOf('out') + textOf('err')).includes(text)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  } as FakeIo;
}

/** The same as a command gets it, for functions of the application. */
export function fakeWorld(overrides: Partial<Io> & { cwd: string }): FakeIo & CommandIo {
  return withOperator({ ...fakeIo(overrides), leave: () => undefined });
}
