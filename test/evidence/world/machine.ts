import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import type { Options } from 'better-sqlite3';
import type { Answer } from '../../../src/store/postgres/wire.ts';
import { openReally, type Connection } from './connections.ts';
import type { Wire } from './wire.ts';

type Host = (question: Parameters<Wire['ask']>[0], run: () => Answer) => Answer;

/**
 * The machine under the program: its disk and its real-time timer, for as long as a simulated one is plugged
 * in. Must be imported before anything of `src`, which takes its functions when it is loaded.
 */
export interface Machine {
  connect(path: string, options?: Options): Connection;
  opened(fd: number, path: string): void;
  readonly disk: {
    closed(fd: number): void;
    /** Bytes appended to a file that was opened here, or undefined: not one of ours. */
    append(fd: number, bytes: Buffer): Promise<number> | undefined;
    sync(fd: number): Promise<void> | undefined;
    /** The header of a new file, synced at once. */
    syncNow(fd: number): void;
  };
  /** The way to a server that the program opens. @returns what does each question of it */
  wired?(wire: Wire): Host | undefined;
  /** A wait of a few real milliseconds, such as the one in which a group commit gathers; or a longer one. */
  soon(work: () => void, ms: number): void;
}

let machine: Machine | undefined;

/** Plugs a simulated machine in, or the real one again. */
export function runOn(next: Machine | undefined): void {
  machine = next;
}

/** Does something on the real machine, at once. */
export function asItIs<T>(work: () => T): T {
  const before = machine;
  machine = undefined;
  try {
    return work();
  } finally {
    machine = before;
  }
}

/** A connection for the program. */
export function connect(path: string, options?: Options): unknown {
  return machine?.connect(path, options) ?? openReally(path, options);
}

export function hostOfWire(wire: Wire): Host | undefined {
  return machine?.wired?.(wire);
}

const real = {
  openSync: fs.openSync,
  closeSync: fs.closeSync,
  fsyncSync: fs.fsyncSync,
  write: promisify(fs.write),
  fdatasync: promisify(fs.fdatasync),
  setTimeout: globalThis.setTimeout,
};

patch(fs, 'openSync', (...args: Parameters<typeof fs.openSync>) => {
  const fd = real.openSync(...args);
  machine?.opened(fd, String(args[0]));
  return fd;
});
patch(fs, 'closeSync', (fd: number) => {
  machine?.disk.closed(fd);
  real.closeSync(fd);
});
patch(fs, 'fsyncSync', (fd: number) => {
  real.fsyncSync(fd);
  machine?.disk.syncNow(fd);
});
promised(fs.write, async (fd: number, bytes: Buffer) => {
  const written = machine?.disk.append(fd, bytes);
  return written === undefined
    ? real.write(fd, bytes)
    : { bytesWritten: await written, buffer: bytes };
});
promised(fs.fdatasync, (fd: number) => machine?.disk.sync(fd) ?? real.fdatasync(fd));
// The results file: handing each step to another thread would take longer than all of them.
atOnce('mkdir', fs.mkdirSync);
atOnce('open', openFile);
atOnce('realpath', fs.realpathSync);
atOnce('rename', fs.renameSync);
atOnce('stat', fs.statSync);
syncBuiltinESMExports();

patch(globalThis, 'setTimeout', (work: () => void, ms = 0, ...rest: unknown[]) => {
  if (machine === undefined)
    return Reflect.apply(real.setTimeout, globalThis, [work, ms, ...rest]) as unknown;
  machine.soon(work, ms);
  return undefined;
});

// Node keeps what listens to `AbortSignal.any` for as long as its process lives, and those that end here live on in ours.
patch(AbortSignal, 'any', (signals: readonly AbortSignal[]) => {
  const any = new AbortController();
  for (const signal of signals) {
    const abort = () => {
      any.abort(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return any.signal;
});

function atOnce(name: keyof typeof fs.promises, does: (...args: never[]) => unknown): void {
  const before = fs.promises[name] as (...args: unknown[]) => Promise<unknown>;
  patch(fs.promises, name, async (...args: unknown[]) =>
    machine === undefined ? before(...args) : does(...(args as never[])),
  );
}

/** As much of a `FileHandle` as the program uses. */
function openFile(path: string, flags: string, mode?: number) {
  const fd = real.openSync(path, flags, mode);
  return {
    writeFile: async (data: string | Uint8Array) => {
      fs.writeFileSync(fd, data);
    },
    sync: async () => {
      real.fsyncSync(fd);
    },
    close: async () => {
      real.closeSync(fd);
    },
  };
}

function patch(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

/** What `promisify` makes of a function of `node:fs`. */
function promised(target: object, value: unknown): void {
  patch(target, promisify.custom as unknown as string, value);
}
