import { inject, onTestFinished } from 'vitest';
import type * as Opening from '../../../src/store/postgres/open.ts';
import { consoleConformance } from '../../conformance/console.ts';
import { STORE_RULES, storeConformance } from '../../conformance/store.ts';
import { shareOf } from '../../helpers/properties.ts';
import type { OpenStore } from '../../conformance/store/setup.ts';
import { aSchema, built } from './a-schema.ts';

const { openServerConsole, openServerStore, migrateServer } = await built<typeof Opening>('open');

/** All of them, and those of the console, by `npm run postgres`. */
const isSample = inject('isSample') ?? false;
const rules = shareOf(STORE_RULES, isSample ? STORE_RULES.length : 1);

const openOnServer: OpenStore = async () => {
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
};
storeConformance('PostgreSQL', openOnServer, rules);

if (!isSample)
  consoleConformance('PostgreSQL', async () => {
    const options = aSchema();
    await migrateServer(options);
    const store = await openServerConsole(options);
    onTestFinished(() => store.close());
    return { store };
  });
