import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

import { usageError } from '../runtime/errors.ts';
import { packageRoot } from '../runtime/files.ts';
import { parseYaml, yamlNames } from '../runtime/yaml.ts';
import { nearest } from '../text/nearest.ts';
import { isPath } from './campaign-file.ts';
import { serviceUrl } from './fields.ts';
import { readConfigFile } from './yaml-file.ts';

/** The text of a profile file, which `src/service` reads, and its absolute path. */
export type ProfileText = ReturnType<typeof findProfile>;

/** The profile for the documented interface, with candidate names for fields that are not documented. */
export const DEFAULT_PROFILE = 'voice-agent';

/**
 * Finds a profile. A path is used directly; a name is looked up beside the campaign file, then in `campaigns/` of
 * `home`, then in the package.
 *
 * @param home the folder that holds `campaigns/`, absolute; default: the working folder
 * @param beside the folder of the campaign file, absolute, if there is one
 * @throws AppError `PROFILE_NOT_FOUND` (exit 2), naming the places
 */
export function findProfile(
  profile: string,
  {
    cwd,
    home = cwd,
    beside,
  }: { cwd: string; home?: string | undefined; beside?: string | undefined },
) {
  const own = beside === undefined ? [] : [join(beside, 'profiles')];
  const folders = [...own, ...[home, packageRoot()].map(profilesOf)];
  const places = isPath(profile)
    ? [isAbsolute(profile) ? profile : resolve(cwd, profile)]
    : folders.map((folder) => join(folder, `${profile}.yaml`));
  const path = places.find((place) => existsSync(place) && statSync(place).isFile());
  if (path === undefined) {
    const known = profilesIn(packageRoot());
    const near = nearest(profile, known);
    throw usageError(
      'PROFILE_NOT_FOUND',
      `There is no profile "${profile}"${near === undefined ? '' : ` (did you mean "${near}"?)`}; looked for ${[...new Set(places)].join(', ')}.`,
      `give the path of a profile, or one of ${known.join(', ')}`,
    );
  }
  return { path, text: readConfigFile(path, cwd, 'profile', { code: 'PROFILE_NOT_FOUND' }) };
}

/** What `--profile` finds a profile by: the name of one that comes with callsheet, else the path. */
export function givenProfile({ path }: ProfileText): string {
  return dirname(path) === profilesOf(packageRoot()) ? basename(path, '.yaml') : path;
}

/** The base address (`url`) in a profile; undefined: the profile has no usable address. */
export function addressIn({ text }: ProfileText): string | undefined {
  const { document } = parseYaml(text);
  const given = document.errors.length === 0 ? document.get('url') : undefined;
  return typeof given === 'string' ? serviceUrl.safeParse(given).data : undefined;
}

/** The profiles that have a name: those that come with callsheet, and the operator's own. */
export function profileNames(home: string): string[] {
  return [...new Set([packageRoot(), home].flatMap(profilesIn))].sort();
}

/** Without the reference, which only explains the format. */
function profilesIn(home: string): string[] {
  return yamlNames(profilesOf(home)).filter((name) => name !== 'reference');
}

function profilesOf(home: string): string {
  return join(home, 'campaigns', 'profiles');
}
