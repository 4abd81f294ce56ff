import { onTestFinished } from 'vitest';
import type * as Opening from '../../../src/store/postgres/open.ts';
import { consoleConformance } from '../../conformance/console.ts';
import { storeConformance } from '../../conformance/store.ts';
import { aSchema, built } from './a-schema.ts';

const { openServerConsole, openServerStore, migrateServer } = await built<typeof Opening>('open');

storeConformance('PostgreSQL', async () => {
  const options = aSchema();
  await migrateServer(options);
  const open = async () => {
    const store = await openServerStore(options);
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

consoleConformance('PostgreSQL', async () => {
  const options = aSchema();
  await migrateServer(options);
  const store = await openServerConsole(options);
  onTestFinished(() => store.close());
  return { store };
});
