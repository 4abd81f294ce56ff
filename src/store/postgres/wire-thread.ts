import { parentPort } from 'node:worker_threads';
import pg from 'pg';
import { SyncMessagePort } from 'sync-message-port';

import type { Answer, Question, ServerAddress } from './wire.ts';

// The thread that talks to PostgreSQL for threads that wait: each posts questions on a port of its own and blocks until
// the answer is there.

const CONNECT_WITHIN_MS = 5_000;
/** Longer than the server lets a statement run. A connection without an answer for so long is given up. */
const ANSWER_WITHIN_MS = 15_000;

const [BOOL, INT8, NUMERIC, JSON_TYPE, JSONB] = [16, 20, 1700, 114, 3802];
/** Values as SQLite gives them. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [INT8, Number],
  [NUMERIC, Number],
  [JSON_TYPE, String],
  [JSONB, String],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

/** What waiting does not mend is not `AWAY`. */
function kindOf(message: string, code = ''): string {
  if (/^SASL: .*password/.test(message)) return 'PASSWORD';
  const isAboutTls = /CERT|SIGNATURE|ISSUER|^ERR_(?:TLS|SSL)/.test(code);
  return isAboutTls || message.includes('support SSL') ? 'TLS' : 'AWAY';
}

parentPort?.on('message', (port: ConstructorParameters<typeof SyncMessagePort>[0]) =>
  serve(new SyncMessagePort(port)),
);

function serve(port: SyncMessagePort): void {
  let client: pg.Client | undefined;
  let isWarned = false;
  let connects = 0;

  port.on('message', (question: Question) => {
    void answerTo(question).then((answer) => {
      port.postMessage({ ...answer, id: question.id });
      if ('end' in question) port.close();
    });
  });

  async function answerTo(question: Question): Promise<Omit<Answer, 'id'>> {
    try {
      if ('connect' in question) return await connect(question.connect);
      if ('end' in question) {
        await client?.end();
        return {};
      }
      return await run(question.statements);
    } catch (error) {
      // A defect is told, too: the thread that asks waits for an answer.
      if (error instanceof TypeError || error instanceof RangeError)
        return { failed: { message: error.stack ?? error.message } };
      const { message, code, detail, severity } = error as pg.DatabaseError;
      // What the server says has a severity; all else is about the way there.
      if (severity !== undefined) return { failed: { message, code, detail } };
      // Of several addresses of a host, each error has its own text.
      const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
      return {
        failed: { code: kindOf(message, code), message: message || (first?.message ?? '') },
      };
    }
  }

  /** Connects to the first of the hosts that takes writes. */
  async function connect({ hosts, ...address }: ServerAddress): Promise<Omit<Answer, 'id'>> {
    client?.end().catch(() => undefined);
    client = undefined;
    const turn = ++connects;
    let trouble: unknown = undefined;
    for (const { host, port: number } of hosts) {
      const candidate = new pg.Client({
        ...address,
        host,
        port: number,
        types,
        keepAlive: true,
        // What is sent together goes out together.
        pipeline: true,
        connectionTimeoutMillis: CONNECT_WITHIN_MS,
        query_timeout: ANSWER_WITHIN_MS,
        ...(address.ssl && { ssl: { ...address.ssl, host } }),
      });
      // What is wrong with a connection is said by the next statement.
      candidate.on('error', () => undefined);
      candidate.on('notice', ({ code }) => {
        // The answer of a standby was not waited for.
        isWarned ||= code === '01000';
      });
      try {
        await candidate.connect();
        const { rows } = await candidate.query<{ standby: number; pid: number }>(
          'SELECT pg_is_in_recovery() AS standby, pg_backend_pid() AS pid',
        );
        const [found] = rows;
        // The other thread has given up and asked again: this connection would get no settings and no greeting.
        if (turn !== connects) throw new Error('another connection is made');
        const isLast = host === hosts.at(-1)?.host && number === hosts.at(-1)?.port;
        // Beside one that does not answer, a standby is about to take over, or that one comes back.
        if (found?.standby === 1 && (!isLast || trouble !== undefined)) {
          await candidate.end();
          continue;
        }
        client = candidate;
        return {
          server: {
            host,
            isStandby: found?.standby === 1,
            // A pooler answers with a number of its own.
            isPooled: found?.pid !== (candidate as { processID?: number }).processID,
          },
        };
      } catch (error) {
        trouble = error;
        candidate.end().catch(() => undefined);
      }
    }
    throw trouble as Error;
  }

  async function run(statements: Extract<Question, { statements: unknown }>['statements']) {
    if (client === undefined) throw new Error('there is no connection');
    const current = client;
    isWarned = false;
    const asked = statements.map(async (one) => {
      if (typeof one !== 'string') return current.query<unknown[]>({ ...one, rowMode: 'array' });
      await current.query(one);
      return { rows: [], fields: [], rowCount: 0 };
    });
    // All have ended before one is answered, so that no later one is still under way.
    const ended = await Promise.allSettled(asked);
    const found = ended.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      const { rows, fields, rowCount } = one.value;
      return { rows, columns: fields.map(({ name }) => name), changes: rowCount ?? 0 };
    });
    return { found, isWarned };
  }
}
