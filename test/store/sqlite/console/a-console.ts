import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteConsole } from '../../../../src/store/sqlite/console.ts';
import type { ConsoleStore, UserRecord } from '../../../../src/store/console.ts';
import { START } from '../../../helpers/clock.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';

/** A console's store in a folder of its own, closed with the test. */
export function aConsole(path = join(tempFolder(), 'console.db')): {
  store: ConsoleStore;
  path: string;
} {
  const store = openSqliteConsole(path);
  onTestFinished(() => store.close());
  return { store, path };
}

export const ANN: UserRecord = {
  name: 'ann',
  role: 'operator',
  transcripts: false,
  password: '$scrypt$ln=15,r=8,p=3$AAAA$AAAA',
  changedAt: START,
  createdAt: START,
};
