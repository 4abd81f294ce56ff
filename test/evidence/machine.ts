import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import { lazily } from './lazy.ts';

/**
 * The machine under the program: its disk and its real-time timer, for as long as a simulated one is plugged
 * in. Must be imported before anything of `src`, which takes its functions from `node:fs` when it is loaded.
 */
export interface Machine {
  /** Every statement that the program runs; `run` does it. */
  statement(db: Database, sql: string, run: () => unknown): unknown;
  /** A connection is about to be closed. */
  closing(): void;
  opened(fd: number, path: string): void;
  closed(fd: number): void;
  /** Bytes appended to a file that was opened here, or undefined: not one of ours. */
  append(fd: number, bytes: Buffer): Promise<number> | undefined;
  sync(fd: number): Promise<void> | undefined;
  /** The header of a new file, synced at once. */
  syncNow(fd: number): void;
  /** A wait of a few real milliseconds, such as the one in which a group commit gathers. */
  soon(work: () => void): void;
}

let machine: Machine | undefined;

/** Plugs a simulated machine in, or the real one again. */
export function runOn(next: Machine | undefined): void {
  machine = next;
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
  machine?.closed(fd);
  real.closeSync(fd);
});
patch(fs, 'fsyncSync', (fd: number) => {
  real.fsyncSync(fd);
  machine?.syncNow(fd);
});
promised(fs.write, async (fd: number, bytes: Buffer) => {
  const written = machine?.append(fd, bytes);
  return written === undefined
    ? real.write(fd, bytes)
    : { bytesWritten: await written, buffer: bytes };
});
promised(fs.fdatasync, (fd: number) => machine?.sync(fd) ?? real.fdatasync(fd));
syncBuiltinESMExports();

patch(globalThis, 'setTimeout', (work: () => void, ...rest: unknown[]) => {
  if (machine === undefined)
    return Reflect.apply(real.setTimeout, globalThis, [work, ...rest]) as unknown;
  machine.soon(work);
  return undefined;
});

// A program prepares each of its statements when it opens the database, and most runs use few of them.
const prepare = Reflect.get(Sqlite.prototype, 'prepare') as (sql: string) => Statement;
patch(Sqlite.prototype, 'prepare', function (this: Database, sql: string) {
  const compile = () => Reflect.apply(prepare, this, [sql]);
  return machine === undefined ? compile() : lazily(compile);
});

const close = Reflect.get(Sqlite.prototype, 'close') as () => unknown;
patch(Sqlite.prototype, 'close', function (this: Database) {
  machine?.closing();
  return Reflect.apply(close, this, []);
});

const memory = new Sqlite(':memory:');
const statements = Object.getPrototypeOf(memory.prepare('SELECT 1')) as object;
memory.close();
for (const name of ['run', 'get', 'all'] as const) {
  const native = Reflect.get(statements, name) as (...args: unknown[]) => unknown;
  patch(
    statements,
    name,
    function (this: { database: Database; source: string }, ...args: unknown[]) {
      const run = () => Reflect.apply(native, this, args);
      return machine === undefined ? run() : machine.statement(this.database, this.source, run);
    },
  );
}

function patch(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

/** What `promisify` makes of a function of `node:fs`. */
function promised(target: object, value: unknown): void {
  patch(target, promisify.custom as unknown as string, value);
}
