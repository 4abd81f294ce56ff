import { inject, onTestFinished } from 'vitest';
import pg from 'pg';
import { AppError } from '../../../src/runtime/errors.ts';

/** A module of `src/store/postgres` as it is built: threads are started by the names of compiled files. */
export async function built<Module>(name: string): Promise<Module> {
  const { href } = new URL(`../../../dist/store/postgres/${name}.js`, import.meta.url);
  return (await import(href)) as Module;
}

/** On the disk of the journal. */
export const room = {
  hasFreeSpace: () => true,
  hasRoom: () => true,
  full: () => new AppError('STORE_FULL', ''),
};

/** One that keeps nothing. */
export const journal = { append: () => Promise.resolve(), close: () => undefined };

let schemas = 0;

/** How to open a schema that does not exist yet, and that goes with the test. */
export function aSchema() {
  const schema = `t${process.pid}_${schemas++}`;
  const { host, port, ...who } = inject('postgres');
  onTestFinished(() => asServer(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  const address = { hosts: [{ host, port }], ...who, application_name: schema };
  return { address, schema, name: `the database ${schema}`, folder: '' };
}

/** Runs a statement on a connection of its own. */
export async function asServer(text: string): Promise<void> {
  const client = new pg.Client(inject('postgres'));
  await client.connect();
  await client.query(text);
  await client.end();
}
