import type { Options } from 'better-sqlite3';
import { connect } from './world/machine.ts';

/** What the program gets for `better-sqlite3`, see `run-typescript.mjs`. */
export default function Sqlite(path: string, options?: Options): unknown {
  return connect(path, options);
}
