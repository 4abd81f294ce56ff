import { createRequire } from 'node:module';
import type { Database, Options, Statement } from 'better-sqlite3';

type Library = typeof import('better-sqlite3'); // eslint-disable-line @typescript-eslint/consistent-type-imports -- a CommonJS module

/** The library itself: whoever imports it here gets `sqlite.ts`. */
const Sqlite = createRequire(import.meta.url)('better-sqlite3') as Library;

/** What a simulated machine hears of the connections that the program opens. */
export interface Host {
  /** Whether a connection to this file may be kept open for the next who opens it. */
  keeps(path: string): boolean;
  /** Every statement that the program runs; `run` does it. */
  statement(connection: Connection, sql: string, run: () => unknown): unknown;
  closing(connection: Connection): void;
}

export const { SqliteError } = Sqlite;

/** A connection of the library itself. */
export function openReally(path: string, options?: Options): Database {
  return new Sqlite(path, options);
}

/** An open file with the statements that were compiled for it: both cost more than most runs. */
class Handle {
  readonly db: Database;
  /** Somebody had it before: what was in the file then was looked through. */
  isUsed = false;
  readonly #compiled = new Map<string, Statement>();
  readonly #flags = new Map<string, string>();

  constructor(path: string, options?: Options) {
    this.db = openReally(path, options);
  }

  compile(sql: string, shape: Shape): Statement {
    const key = `${shape} ${sql}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const compiled = this.db.prepare(sql);
    if (shape !== 'object') compiled[shape]();
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /** What is so already is not done again: to set a flag has every statement compiled anew. */
  pragma(source: string, options?: PragmaOptions): unknown {
    // A file that this very connection has written all along was looked through when it was opened.
    if (this.isUsed && source.startsWith('quick_check')) return 'ok';
    const [, flag, value] = SETS_FLAG.exec(source) ?? [];
    if (flag === undefined || value === undefined) return this.db.pragma(source, options);
    if (this.#flags.get(flag) === value) return [];
    this.#flags.set(flag, value);
    return this.db.pragma(source, options);
  }

  /** As a new connection would be: nothing begun, and as lax about power cuts as the library is. */
  reset(): void {
    if (this.db.inTransaction) this.db.exec('ROLLBACK');
    this.db.pragma('synchronous = NORMAL');
    this.isUsed = true;
  }
}

const SETS_FLAG = /^(foreign_keys|fullfsync) = (\w+)$/;

type PragmaOptions = { simple?: boolean };

type Shape = 'object' | 'pluck' | 'raw';

/** The files that are open, by their path. */
export class Connections {
  readonly #idle = new Map<string, Handle[]>();
  readonly #observers = new Map<string, Database>();

  open(path: string, options: Options | undefined, host: Host): Connection {
    const handle = this.#idle.get(path)?.pop() ?? new Handle(path, options);
    return new Connection(path, handle, host, () => {
      if (host.keeps(path)) this.#put(path, handle);
      else handle.db.close();
    });
  }

  /** For looking at a file whose connections are kept. */
  observer(path: string): Database {
    let observer = this.#observers.get(path);
    if (observer === undefined) {
      observer = openReally(path);
      this.#observers.set(path, observer);
    }
    return observer;
  }

  /** Closes what nobody uses. */
  closeIdle(path: string): void {
    for (const { db } of this.#idle.get(path) ?? []) db.close();
    this.#idle.delete(path);
    this.#observers.get(path)?.close();
    this.#observers.delete(path);
  }

  #put(path: string, handle: Handle): void {
    handle.reset();
    const idle = this.#idle.get(path) ?? [];
    idle.push(handle);
    this.#idle.set(path, idle);
  }
}

/** What the program has of a connection: as much of the library's own as it uses. */
export class Connection {
  readonly name: string;
  readonly host: Host;
  readonly #handle: Handle;
  readonly #put: () => void;
  #isOpen = true;

  constructor(path: string, handle: Handle, host: Host, put: () => void) {
    this.name = path;
    this.host = host;
    this.#handle = handle;
    this.#put = put;
  }

  get open(): boolean {
    return this.#isOpen;
  }

  get inTransaction(): boolean {
    return this.#isOpen && this.#handle.db.inTransaction;
  }

  /** The library's own connection. */
  get db(): Database {
    this.assertOpen();
    return this.#handle.db;
  }

  prepare(sql: string): Prepared {
    this.assertOpen();
    return new Prepared(this, sql, (shape) => this.#handle.compile(sql, shape));
  }

  exec(sql: string): this {
    this.db.exec(sql);
    return this;
  }

  pragma(source: string, options?: PragmaOptions): unknown {
    this.assertOpen();
    const handle = this.#handle;
    return this.host.statement(this, `PRAGMA ${source}`, () => handle.pragma(source, options));
  }

  transaction(work: (...args: unknown[]) => unknown): unknown {
    const variant =
      (begin: string) =>
      (...args: unknown[]) =>
        this.#within(begin, () => work(...args));
    return Object.assign(variant('BEGIN'), { immediate: variant('BEGIN IMMEDIATE') });
  }

  close(): this {
    if (!this.#isOpen) return this;
    this.host.closing(this);
    this.#isOpen = false;
    this.#put();
    return this;
  }

  assertOpen(): void {
    if (!this.#isOpen) throw new TypeError('The database connection is not open');
  }

  #within(begin: string, work: () => unknown): unknown {
    if (this.inTransaction) throw new Error('a transaction within another is not simulated');
    this.prepare(begin).run();
    try {
      const result = work();
      this.prepare('COMMIT').run();
      return result;
    } catch (error) {
      if (this.#handle.db.inTransaction) this.prepare('ROLLBACK').run();
      throw error;
    }
  }
}

/** A statement that is compiled at its first use; what is wrong with its text shows only then. */
class Prepared {
  readonly source: string;
  readonly #connection: Connection;
  readonly #compile: (shape: Shape) => Statement;
  #shape: Shape = 'object';
  #compiled: Statement | undefined;

  constructor(connection: Connection, source: string, compile: (shape: Shape) => Statement) {
    this.#connection = connection;
    this.source = source;
    this.#compile = compile;
  }

  run(...values: unknown[]): unknown {
    return this.#hosted(() => this.#statement().run(...values));
  }

  get(...values: unknown[]): unknown {
    return this.#hosted(() => this.#statement().get(...values));
  }

  all(...values: unknown[]): unknown {
    return this.#hosted(() => this.#statement().all(...values));
  }

  iterate(...values: unknown[]): Iterable<unknown> {
    this.#connection.assertOpen();
    return this.#statement().iterate(...values);
  }

  pluck(): this {
    this.#shape = 'pluck';
    return this;
  }

  raw(): this {
    this.#shape = 'raw';
    return this;
  }

  #hosted(run: () => unknown): unknown {
    return this.#connection.host.statement(this.#connection, this.source, run);
  }

  #statement(): Statement {
    this.#connection.assertOpen();
    return (this.#compiled ??= this.#compile(this.#shape));
  }
}
