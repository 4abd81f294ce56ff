import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteConsole } from '../../../../src/store/sqlite/console.ts';
import type { ConsoleStore } from '../../../../src/store/console.ts';
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
