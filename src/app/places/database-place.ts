import { dirname, join, resolve } from 'node:path';
import type { World } from '../world.ts';
import { homeOf } from './home.ts';

/** Which database is meant; it need not exist. */
export interface DatabasePlace {
  /** Absolute. */
  path: string;
  /** True when a flag or the environment named it. */
  given: boolean;
  /** It was found above the current folder; see `homeOf`. */
  above?: true;
}

/** The database that somebody names, if they do. */
export interface DatabaseRequest {
  db?: string | undefined;
}

/**
 * The one that is named, else `CALLSHEET_DB`, else `data/callsheet.db` of `homeOf`. A rehearsal is apart from all of them
 * but the one that is named: it uses `simulated.db` in the same folder.
 */
export function locateDatabase(
  { db }: DatabaseRequest,
  world: Pick<World, 'env' | 'cwd'> & Partial<Pick<World, 'userId'>>,
  simulated: boolean,
): DatabasePlace {
  if (db !== undefined) return { path: resolve(world.cwd, db), given: true };
  const named = world.env['CALLSHEET_DB'];
  const given = named !== undefined && named !== '';
  const home = given ? undefined : homeOf(world);
  const path = given
    ? resolve(world.cwd, named)
    : join(home?.folder ?? world.cwd, 'data', 'callsheet.db');
  if (simulated) return { path: join(dirname(path), 'simulated.db'), given: false };
  return { path, given, ...(home?.from === 'above' && { above: true }) };
}
