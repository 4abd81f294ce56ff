import { storeConformance } from '../../conformance/store.ts';
import { freshDatabase } from '../../helpers/files/fresh-database.ts';
import { aDatabasePath, aStore } from './database.ts';

storeConformance('an SQLite file', async () => {
  const path = aDatabasePath();
  freshDatabase(path);
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
