import { join } from 'node:path';
import { tempFolder } from '../../helpers/files/temp.ts';
import { inject, onTestFinished } from 'vitest';
import pg from 'pg';
import { AppError } from '../../../src/runtime/errors.ts';
import { systemDisk, type Disk } from '../../../src/store/sqlite/file/ballast.ts';

/** A module of `src/store/postgres` as it is built: threads are started by the names of compiled files. */
export async function built<Module>(name: string): Promise<Module> {
  const { href } = new URL(`../../../dist/store/postgres/${name}.js`, import.meta.url);
  return (await import(href)) as Module;
}

/** Where tests keep files may be in memory. */
export const anyDisk: Disk = { ...systemDisk, fileSystemType: () => 0 };

/** One that keeps nothing. */
export const journal = { append: () => Promise.resolve(), close: () => undefined };

/** On the disk of the journal. */
export const room = {
  hasFreeSpace: () => true,
  hasRoom: () => true,
  full: () => new AppError('STORE_FULL', ''),
};

let schemas = 0;

/** How to open a schema that does not exist yet, and that goes with the test. */
export function aSchema() {
  const schema = `t${process.pid}_${schemas++}`;
  const { host, port, ...who } = inject('postgres');
  onTestFinished(() => asServer(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  const address = { hosts: [{ host, port }], ...who, application_name: schema };
  const place = { address, schema, name: `the database ${schema}`, folder: '' };
  return {
    ...place,
    journal: join(tempFolder(), 'here.dials'),
    mode: 'dial' as const,
    disk: anyDisk,
  };
}

/** Runs a statement on a connection of its own. */
export async function asServer(text: string, database?: string): Promise<void> {
  const client = new pg.Client({
    ...inject('postgres'),
    ...(database !== undefined && { database }),
  });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Ends the connections of programs to a database. */
export function endConnections(database: string): Promise<void> {
  return asServer(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`,
  );
}

/** Ends the connections of stores of one schema. */
export function endConnectionsOf(schema: string): Promise<void> {
  return asServer(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '${schema}'`,
  );
}
