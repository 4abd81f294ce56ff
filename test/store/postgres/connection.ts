import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { SyncMessagePort } from 'sync-message-port';
import { parametersOf, postgresStatement, sent, typeOf } from './statements.ts';

interface Answer {
  id: number;
  rows: unknown[][];
  columns: string[];
  changed: number;
  failed?: { message: string; code?: string; detail?: string };
}

/** Without `name`, a text that may hold several statements. */
type Sent = string | { name: string; text: string; values: unknown[] };

const PATIENCE_MS = 30_000;
const CONTROL = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

let wire: Worker | undefined;

/** One thread talks for all connections. */
function wireThread(): Worker {
  wire ??= new Worker(new URL('wire.mjs', import.meta.url));
  wire.unref();
  return wire;
}

/**
 * A connection to PostgreSQL as the store's statements use one of SQLite: whoever asks waits for the answer. A write
 * transaction takes the one lock of its schema first, as `BEGIN IMMEDIATE` does in a file.
 */
export function openPostgres(connect: Record<string, unknown>, schema: string): Database {
  const { port1, port2 } = SyncMessagePort.createChannel();
  wireThread().postMessage(port2, [port2]);
  const port = new SyncMessagePort(port1);
  const prepared = new Map<string, ReturnType<typeof postgresStatement> & { name: string }>();
  let asked = 0;
  let inTransaction = false;
  let isClosed = false;

  function ask(question: object): Answer {
    const id = ++asked;
    port.postMessage({ ...question, id });
    const answer = port.receiveMessage({ timeout: PATIENCE_MS }) as Answer;
    if (answer.id !== id) throw new Error('an answer to another question');
    if (answer.failed === undefined) return answer;
    const { message, code, detail = '' } = answer.failed;
    throw Object.assign(new Error(`${message} ${detail}`.trim()), { code });
  }

  const run = (...statements: Sent[]) => ask({ statements });

  function control(text: string): void {
    if (text === 'BEGIN IMMEDIATE') run('BEGIN', 'SELECT 1 FROM store FOR UPDATE');
    else if (text === 'BEGIN') run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    else run(text);
    if (text.startsWith('BEGIN')) inTransaction = true;
    if (text === 'COMMIT' || text === 'ROLLBACK') inTransaction = false;
  }

  function execute(text: string, args: readonly unknown[]): Answer {
    const [first] = args;
    const isNamed = typeof first === 'object' && first !== null && !(first instanceof Uint8Array);
    const values = (isNamed ? first : args) as Readonly<Record<string | number, unknown>>;
    const ofTypes = parametersOf(text).map((name) => typeOf(values[name]));
    const key = `${text}\n${ofTypes.join()}`;
    const name = `s${prepared.size}`;
    const statement = prepared.get(key) ?? { ...postgresStatement(text, ofTypes), name };
    prepared.set(key, statement);
    const { takes, ...rest } = statement;
    return run({ ...rest, values: takes.map((one) => sent(values[one])) });
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
        const { changed } = execute(text, args);
        return {
          changes: changed,
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

  ask({ connect });
  run(`SET search_path = "${schema}"; SET plan_cache_mode = force_generic_plan`);
  const database = {
    prepare,
    exec: (text: string) => run(text),
    // Settings of SQLite.
    pragma: () => undefined,
    get inTransaction() {
      return inTransaction;
    },
    /** Reads at one moment; within a transaction, that of it. */
    transaction:
      <Args extends unknown[], T>(work: (...args: Args) => T) =>
      (...args: Args): T => {
        if (inTransaction) return work(...args);
        control('BEGIN');
        try {
          return work(...args);
        } finally {
          control('ROLLBACK');
        }
      },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      ask({ end: true });
      port.close();
    },
  };
  return database as unknown as Database;
}

/** Bytes lose their class between threads. */
function asBuffer(cell: unknown): unknown {
  return cell instanceof Uint8Array && !Buffer.isBuffer(cell) ? Buffer.from(cell) : cell;
}
