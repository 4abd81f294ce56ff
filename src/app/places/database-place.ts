import { dirname, join, resolve } from 'node:path';
import type { World } from '../world.ts';
import { homeOf } from './home.ts';

/** The database of rehearsals, beside the real one. */
export const SIMULATED_DB = 'simulated.db';

/** The path of a database; the file need not exist. */
export interface DatabasePlace {
  /** An absolute path. */
  path: string;
  /** True when a flag or the environment named it. */
  given: boolean;
  /** Set when the path was found in a folder above the current one; see `homeOf`. */
  above?: true;
  /** Set when a missing database may be created without a typed yes. */
  mayBeNew?: true;
}

/** A request that may name its database; without `db`, see `locateDatabase`. */
export interface DatabaseRequest {
  db?: string | undefined;
  /** A missing database may be created, though nobody types a yes. Default false. */
  newDb?: boolean | undefined;
}

/**
 * The database is `db`, else `CALLSHEET_DB`, else `data/callsheet.db` in the folder of `homeOf`. Rehearsals use
 * `simulated.db` in the same folder instead, unless `db` is given.
 */
export function locateDatabase(
  { db, newDb }: DatabaseRequest,
  world: Pick<World, 'env' | 'cwd'> & Partial<Pick<World, 'userId'>>,
  simulated: boolean,
): DatabasePlace {
  const more = newDb === true ? { mayBeNew: true as const } : {};
  if (db !== undefined) return { path: resolve(world.cwd, db), given: true, ...more };
  const named = world.env['CALLSHEET_DB'];
  const given = named !== undefined && named !== '';
  const home = given ? undefined : homeOf(world);
  const path = given
    ? resolve(world.cwd, named)
    : join(home?.folder ?? world.cwd, 'data', 'callsheet.db');
  if (simulated) return { path: join(dirname(path), SIMULATED_DB), given: false };
  return { path, given, ...(home?.from === 'above' && { above: true }), ...more };
}
