import { dirname, resolve } from 'node:path';
import { locateDatabase } from '../places/database-place.ts';
import { homeOf } from '../places/home.ts';
import type { World } from '../world.ts';
import { launchdPlist } from './launchd-plist.ts';
import { systemdUnit } from './systemd-unit.ts';
import type { UnitRequest } from './unit-request.ts';

/** The service managers for which a unit can be printed. */
export const MANAGERS = ['systemd', 'launchd'] as const;
export type Manager = (typeof MANAGERS)[number];

/** A flag that was given, with its value; null: it is a switch. */
export interface GivenFlag {
  flag: string;
  value: string | null;
  /** True for the path of a file, which becomes absolute. */
  isPath: boolean;
}

/**
 * The unit with which a service manager runs `serve` with these flags, in this folder, on the database that is used
 * here now. Nothing is opened and nothing is written.
 *
 * @param stopMs how long a clean stop may take
 * @throws AppError `HOME_INVALID`, `FLAG_INVALID` (exit 2)
 */
export function printUnit(
  manager: Manager,
  given: readonly GivenFlag[],
  { program, stopMs }: Pick<UnitRequest, 'program' | 'stopMs'>,
  world: World,
): string {
  const { cwd, user } = world;
  const valueOf = (flag: string) => given.find((each) => each.flag === flag)?.value ?? undefined;
  const { path } = locateDatabase({ db: valueOf('--db') }, world, false);
  const log = valueOf('--log-file');
  const named = (world.env['CALLSHEET_DB'] ?? '') === '' ? {} : { CALLSHEET_DB: path };
  const words = given.flatMap(({ flag, value, isPath }) =>
    value === null ? [flag] : [flag, isPath ? resolve(cwd, value) : value],
  );
  const request = {
    program,
    words,
    folder: cwd,
    // Not `--db`: a database that is missing at a path that was given is created anew, and knows nobody.
    env: { CALLSHEET_HOME: homeOf(world).folder, ...(valueOf('--db') === undefined && named) },
    user,
    writes: [
      ...new Set([dirname(path), ...(log === undefined ? [] : [dirname(resolve(cwd, log))])]),
    ],
    stopMs,
  };
  return manager === 'systemd' ? systemdUnit(request) : launchdPlist(request);
}
