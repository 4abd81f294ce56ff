// Servers of Debian's PostgreSQL: a primary, its standby, restarts, promotions and copies.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../soak/processes.mjs';

const DEBIAN = '/usr/lib/postgresql';
const VERSION = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().at(-1) : undefined;
/** False where Debian's PostgreSQL is not installed. */
export const isInstalled = VERSION !== undefined;
const isRoot = userInfo().uid === 0;

const running = new Set();

/** Stops all servers that run, at once. */
export async function stopAll() {
  await Promise.all([...running].map((server) => server.stop()));
}

/** PostgreSQL refuses to run as root. */
async function run(program, ...args) {
  const command = [join(DEBIAN, VERSION, 'bin', program), ...args];
  if (isRoot) command.unshift('runuser', '-u', 'postgres', '--');
  const [first, ...rest] = command;
  await promisify(execFile)(first, rest, { cwd: '/' });
}

/** A new primary in a folder of its own. */
export async function startPrimary(folder) {
  makeOpen(folder);
  const data = join(folder, 'data');
  await run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync');
  return serverAt(data);
}

/** A standby of `primary`. @param through the port by which it gets the primary's log */
export async function startStandby(folder, through) {
  makeOpen(folder);
  const data = join(folder, 'data');
  const from = `host=127.0.0.1 port=${through} user=postgres application_name=standby`;
  const how = ['-R', '--no-sync', '-c', 'fast', '-X', 'stream'];
  await run('pg_basebackup', '-D', data, '-d', from, ...how);
  return serverAt(data);
}

/** The user of PostgreSQL has to write there. */
function makeOpen(folder) {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
}

async function serverAt(data) {
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    max_connections: 60,
    shared_buffers: '32MB',
    max_wal_size: '256MB',
    wal_receiver_timeout: '5s',
    wal_sender_timeout: '5s',
    wal_retrieve_retry_interval: '200ms',
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const options = `-p ${port} -k ${join(data, '..')} ${flags.join(' ')}`;
  const control = (...args) => run('pg_ctl', '-D', data, ...args);
  const start = () => control('-o', options, '-l', `${data}.log`, '-w', '-t', '60', 'start');
  await start();
  const server = {
    port,
    /** As a crash: what was not synced is lost, all connections end. */
    restart: async () => {
      await control('-m', 'immediate', '-w', '-t', '60', 'stop');
      await start();
    },
    stop: async () => {
      if (!running.delete(server)) return;
      await control('-m', 'immediate', '-w', '-t', '60', 'stop').catch(() => undefined);
    },
    /** Stops it, and nothing is left of it. */
    drop: async () => {
      await server.stop();
      rmSync(join(data, '..'), { recursive: true, force: true });
    },
    promote: () => control('promote', '-w', '-t', '60'),
    ask: (text, ...values) => ask({ port, database: 'postgres' }, text, values),
    /** Of tables in `schema`. */
    askIn: (database, schema, text) =>
      ask({ port, database, options: `-c search_path=${schema}` }, text, []),
  };
  running.add(server);
  return server;
}

/** @returns the rows, each an object */
async function ask(where, text, values) {
  const client = new pg.Client({
    ...{ host: '127.0.0.1', user: 'postgres', ...where },
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(text, values);
    return rows;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Makes `copy` of a database to which nobody may connect meanwhile. */
export async function copyDatabase(server, database, copy) {
  await insist(() => endAndDo(server, database, `CREATE DATABASE ${copy} TEMPLATE ${database}`));
}

/** `copy` takes the place of a database to which nobody may connect meanwhile. */
export async function putBack(server, database, copy) {
  await insist(() => endAndDo(server, database, `DROP DATABASE ${database} WITH (FORCE)`));
  await insist(() => endAndDo(server, copy, `ALTER DATABASE ${copy} RENAME TO ${database}`));
}

async function endAndDo(server, database, text) {
  await server.ask(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
    database,
  );
  await server.ask(text);
}

async function insist(work) {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === 50) throw error;
      await sleep(100);
    }
  }
}
