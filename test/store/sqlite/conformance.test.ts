import { readFileSync, writeFileSync } from 'node:fs';
import { journalPath } from '../../../src/store/journal/journal.ts';
import { storeConformance } from '../../conformance/store.ts';
import { prove } from '../../conformance/store/setup.ts';
import { aDatabasePath, aStore } from './database.ts';

storeConformance('an SQLite file', async (isProven = false) => {
  const path = aDatabasePath();
  if (isProven) {
    proven ??= await aProvenDatabase();
    for (const [end, bytes] of proven) writeFileSync(path + end, bytes, { mode: 0o600 });
  }
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

/** A database in which a service has answered a dial, with its journal: it is made once and copied. */
let proven: [end: string, bytes: Buffer][] | undefined;

async function aProvenDatabase(): Promise<[end: string, bytes: Buffer][]> {
  const path = aDatabasePath();
  const store = aStore(path);
  await prove(store);
  await store.close();
  return ['', journalPath('')].map((end) => [end, readFileSync(path + end)]);
}
