import { storeConformance } from '../../conformance/store.ts';
import { aDatabasePath, aStore } from './database.ts';

storeConformance('an SQLite file', async () => {
  const path = aDatabasePath();
  const store = aStore(path);
  return {
    store,
    beside: async () => aStore(path),
    reopen: async () => {
      await store.close();
      return aStore(path);
    },
  };
});
