import { randomUUID } from 'node:crypto';

import type { Database } from '../sql/engine.ts';
import { codeOf, CommitUnknown, isAway, NOT_GIVEN } from './failures.ts';
import { parametersOf, postgresStatement, sent, typeOf } from './statements.ts';
import {
  ServerError,
  Wire,
  type Answer,
  type Found,
  type Sent,
  type ServerAddress,
} from './wire.ts';

const WRITE = /^(?:INSERT|UPDATE|DELETE)/;
const CONTROL = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/** How long the server lets a statement run, wait for a lock, and a transaction do nothing, ms: a dead machine's lock. */
const LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
};

const UNKNOWN_SETTING = '42704';

/** Takes the one lock of all writers of a schema, which `BEGIN IMMEDIATE` takes in a file. */
const BEGIN_TO_WRITE = 'BEGIN; SELECT 1 FROM store FOR UPDATE';
/** Fails unless the statement changes one row. */
const guarded = (text: string) =>
  `WITH changed AS (${text} RETURNING 1) SELECT 1 / count(*) FROM changed`;
/** Tables that triggers write. */
const COUNTED = '_counts';
const NOTHING: Found = { rows: [], columns: [], changes: 0 };
const BEGIN_TO_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** A connection to PostgreSQL in the shape that the store's statements use. */
export interface Connection {
  db: Database;
  /** What answered. */
  server: NonNullable<Answer['server']>;
  /** How many were made: another one may lead to another copy of the database. */
  connections: () => number;
  /** Sends a text now, and first on each later connection. */
  greetWith: (text: string) => void;
}

/**
 * Connects to PostgreSQL; a statement waits for its answer. A write transaction takes the one lock of its schema first
 * and leaves a row in `commits`. A connection that was lost is made again by the next transaction.
 * @param schema its name, lower case without quotes
 * @throws ServerError
 */
export function connect(address: ServerAddress, schema: string): Connection {
  const wire = new Wire();
  const prepared = new Map<string, ReturnType<typeof postgresStatement> & { name: string }>();
  let transaction: 'read' | 'write' | undefined;
  /** Statements that go out with the next one whose answer is waited for. */
  let waiting: { statement: Sent; hear?: (found: Found) => void }[] = [];
  /** The first of them begins the transaction. */
  let begins = false;
  /** Answers to reads that were asked ahead, until a write of this transaction could change them. */
  const ahead = new Map<string, { text: string; found?: Found }>();
  let isAhead = false;
  let isLost = false;
  let isClosed = false;
  let connections = 0;
  let greeting: string | undefined;

  const dial = () => {
    const { server } = wire.ask({ connect: address });
    const limits = Object.entries(LIMITS).map(([name, ms]) => `SET ${name} = ${ms};`);
    // A server may have another default, and its snapshots are from before the lock was waited for.
    const isolation = "SET default_transaction_isolation = 'read committed'";
    const settings = `SET search_path = "${schema}"; ${isolation}; SET plan_cache_mode = force_generic_plan; SET timezone = 'UTC'; ${limits.join(' ')}`;
    try {
      wire.ask({ statements: [settings] });
    } catch (error) {
      // Another kind of server, or an old one, lacks one of these: `checkServer` says so.
      if (!(error instanceof ServerError && error.code === UNKNOWN_SETTING)) throw error;
    }
    if (greeting !== undefined) wire.ask({ statements: [greeting] });
    connections += 1;
    isLost = false;
    return server as Connection['server'];
  };

  /**
   * Sends what waits, then these. A connection that is lost is made again for what may be sent twice: outside of a
   * transaction, where nothing is written, and to begin one.
   */
  function run(...last: Sent[]): Answer {
    const [together, isFirst, within] = [waiting, begins, transaction];
    [waiting, begins] = [[], false];
    const statements = [...together.map(({ statement }) => statement), ...last];
    const mayRepeat = isFirst || within === undefined;
    const once = () => {
      try {
        const answer = wire.ask({ statements });
        transaction = within;
        for (const [n, { hear }] of together.entries()) hear?.(answer.found?.[n] ?? NOTHING);
        return answer;
      } catch (error) {
        ahead.clear();
        isLost ||= isAway(error);
        const isRefused = isFirst && codeOf(error) === NOT_GIVEN;
        if (isLost || isRefused) transaction = undefined;
        // The server has begun a transaction that can only be rolled back.
        if (isRefused) wire.ask({ statements: ['ROLLBACK'] });
        throw error;
      }
    };
    if (isLost && mayRepeat) dial();
    try {
      return once();
    } catch (error) {
      if (!isLost || !mayRepeat) throw error;
    }
    dial();
    return once();
  }

  function control(text: string): void {
    ahead.clear();
    if (text.startsWith('BEGIN')) {
      if (isLost) dial();
      transaction = text === 'BEGIN IMMEDIATE' ? 'write' : 'read';
      waiting = [{ statement: transaction === 'write' ? BEGIN_TO_WRITE : BEGIN_TO_READ }];
      begins = true;
      return;
    }
    if (text === 'COMMIT') {
      commit();
      return;
    }
    const isNews = begins;
    // What is undone need not be sent.
    if (text.startsWith('ROLLBACK')) [waiting, begins] = [[], false];
    if (text !== 'ROLLBACK') run(text);
    else {
      if (!isNews) run(text);
      transaction = undefined;
    }
  }

  function commit(): void {
    // Lost before the commit is sent, nothing is in doubt.
    if (begins) run();
    const id = randomUUID();
    const note = `INSERT INTO commits VALUES ('${id}', floor(extract(epoch FROM clock_timestamp()) * 1000))`;
    let answer: Answer;
    try {
      answer = run(transaction === 'write' ? `${note}; COMMIT` : 'COMMIT');
    } catch (error) {
      throw isLost ? new CommitUnknown(id, error) : error;
    }
    transaction = undefined;
    if (answer.isWarned !== true) return;
    isLost = true;
    throw new CommitUnknown(id, new ServerError('the standby did not confirm the commit', '01000'));
  }

  /** A write changes what was asked ahead of its table. */
  function forget(text: string): void {
    const [, table = ''] = /^(?:INSERT INTO|UPDATE) (\w+)/.exec(text) ?? [];
    for (const [key, read] of ahead) if (read.text.includes(table)) ahead.delete(key);
  }

  /** Outside of a transaction, what is lost on its way is sent again. */
  function refuseTwice(text: string): void {
    if (transaction !== 'write') throw new Error(`a write could be done twice: ${text}`);
  }

  function questionOf(text: string, args: readonly unknown[]) {
    const [first] = args;
    const isNamed = typeof first === 'object' && first !== null && !(first instanceof Uint8Array);
    const values = (isNamed ? first : args) as Readonly<Record<string | number, unknown>>;
    const ofTypes = parametersOf(text).map((name) => typeOf(values[name]));
    const key = `${text}\n${ofTypes.join()}`;
    const name = `s${prepared.size}`;
    const statement = prepared.get(key) ?? { ...postgresStatement(text, ofTypes), name };
    prepared.set(key, statement);
    const { takes, ...rest } = statement;
    return { ...rest, values: takes.map((one) => sent(values[one])) };
  }

  function execute(text: string, args: readonly unknown[]): Found {
    const question = questionOf(text, args);
    const key = JSON.stringify([question.name, question.values]);
    const known = ahead.get(key);
    if (!text.startsWith('SELECT')) {
      if (isAhead) throw new Error('nothing is written ahead');
      if (WRITE.test(text)) refuseTwice(text);
      forget(text);
    } else if (isAhead && known === undefined && !text.includes(COUNTED)) {
      const asked: { text: string; found?: Found } = { text };
      ahead.set(key, asked);
      waiting.push({ statement: question, hear: (found) => (asked.found = found) });
    }
    if (isAhead) return known?.found ?? NOTHING;
    if (known !== undefined && known.found === undefined) run();
    return known?.found ?? run(question).found?.at(-1) ?? NOTHING;
  }

  /** See `Together`. */
  function later(
    text: string,
    args: readonly unknown[],
    expects?: 'one' | 'number' | 'changes',
  ): () => number {
    if (isAhead) throw new Error('a write is not asked ahead');
    refuseTwice(text);
    forget(text);
    let number: number | undefined;
    waiting.push({
      statement: questionOf(expects === 'one' ? guarded(text) : text, args),
      ...(expects === 'changes' && { hear: ({ changes }) => (number = changes) }),
    });
    if (expects === 'number') {
      const hear = ({ rows }: Found) => (number = rows[0]?.[0] as number);
      waiting.push({ statement: questionOf('SELECT lastval()', []), hear });
    }
    return () => {
      if (number === undefined) run();
      return number as number;
    };
  }

  function prepare(text: string) {
    let shape: 'objects' | 'first' | 'tuples' = 'objects';
    const all = (...args: unknown[]): unknown[] => {
      const { rows, columns } = execute(text, args);
      const cells = rows.map((row) => row.map(asBuffer));
      if (shape === 'first') return cells.map(([first]) => first);
      if (shape === 'tuples') return cells;
      return cells.map(
        (row) => Object.fromEntries(row.map((cell, n) => [columns[n], cell])) as unknown,
      );
    };
    const as = (one: typeof shape) => () => {
      shape = one;
      return statement;
    };
    const statement = {
      pluck: as('first'),
      raw: as('tuples'),
      run: (...args: unknown[]) => {
        if (CONTROL.test(text)) {
          control(text);
          return { changes: 0 };
        }
        const { changes } = execute(text, args);
        return {
          changes,
          get lastInsertRowid() {
            return execute('SELECT lastval()', []).rows[0]?.[0] as number;
          },
        };
      },
      get: (...args: unknown[]) => all(...args)[0],
      all,
      iterate: (...args: unknown[]) => all(...args).values(),
    };
    return statement;
  }

  function alone<T>(work: () => T): T {
    control('BEGIN IMMEDIATE');
    try {
      const done = work();
      control('COMMIT');
      return done;
    } catch (error) {
      if (transaction !== undefined) control('ROLLBACK');
      throw error;
    }
  }

  const database = {
    prepare,
    later,
    /** What is read without an answer says what else will be read. */
    ahead: (work: () => void) => {
      if (transaction !== 'write') return;
      isAhead = true;
      try {
        work();
      } catch {
        // It needs an answer, or writes.
      } finally {
        isAhead = false;
      }
    },
    exec: (text: string) => run(text),
    // Settings of SQLite.
    pragma: () => undefined,
    get inTransaction() {
      return transaction !== undefined;
    },
    /** Reads at one moment; within a transaction, that of it. */
    transaction: <Args extends unknown[], T>(work: (...args: Args) => T) =>
      Object.assign(
        (...args: Args): T => {
          if (transaction !== undefined) return work(...args);
          control('BEGIN');
          try {
            return work(...args);
          } finally {
            if (!isLost) control('ROLLBACK');
          }
        },
        { immediate: (...args: Args): T => alone(() => work(...args)) },
      ),
    close: () => {
      if (isClosed) return;
      isClosed = true;
      try {
        wire.ask({ end: true });
      } catch {
        // A way that is lost has ended; what was done before is not reported as failed.
      } finally {
        wire.close();
      }
    },
  };
  try {
    const server = dial();
    return {
      db: database as unknown as Database,
      server,
      connections: () => connections,
      greetWith: (text) => {
        run(text);
        greeting = text;
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Bytes lose their class between threads. */
function asBuffer(cell: unknown): unknown {
  return cell instanceof Uint8Array && !Buffer.isBuffer(cell) ? Buffer.from(cell) : cell;
}
