import { inject, onTestFinished } from 'vitest';
import pg from 'pg';
import type * as Opening from '../../../src/store/postgres/open.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import { journalledStore } from '../../../src/store/journal/journalled-store.ts';
import { storeConformance } from '../../conformance/store.ts';

// As it is built: the threads are started by the names of compiled files.
const { openServerStore, migrateServer } = (await import(
  new URL('../../../dist/store/postgres/open.js', import.meta.url).href
)) as typeof Opening;

const journal = { append: () => Promise.resolve(), close: () => undefined };
const room = {
  hasFreeSpace: () => true,
  hasRoom: () => true,
  full: () => new AppError('STORE_FULL', ''),
};
let schemas = 0;

storeConformance('PostgreSQL', async () => {
  const schema = `t${process.pid}_${schemas++}`;
  const { host, port, ...who } = inject('postgres');
  const address = { hosts: [{ host, port }], ...who, application_name: 'callsheet' };
  const options = { address, schema, name: `the database ${schema}`, folder: '' };
  await migrateServer(options);
  onTestFinished(async () => {
    const client = new pg.Client(inject('postgres'));
    await client.connect();
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
    await client.end();
  });
  const open = async () => {
    const database = await openServerStore(options);
    const store = journalledStore(database, { journal, room });
    onTestFinished(() => store.close());
    return store;
  };
  const store = await open();
  return {
    store,
    beside: open,
    reopen: async () => {
      await store.close();
      return open();
    },
  };
});
