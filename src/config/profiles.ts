import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

import { fileTroubleOf } from '../domain/file-trouble.ts';
import { usageError } from '../runtime/errors.ts';
import { packageRoot } from '../runtime/files.ts';
import { parseYaml, readSettingsFile } from '../runtime/yaml.ts';
import { nearest } from '../text/nearest.ts';
import { isPath } from './campaign-file.ts';
import { serviceUrl } from './fields.ts';

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
    const near = nearest(profile, builtInProfiles());
    throw usageError(
      'PROFILE_NOT_FOUND',
      `There is no profile "${profile}"${near === undefined ? '' : ` (did you mean "${near}"?)`}; looked for ${[...new Set(places)].join(', ')}.`,
      `give the path of a profile, or one of ${builtInProfiles().join(', ')}`,
    );
  }
  try {
    return { path, text: readSettingsFile(path) };
  } catch (cause) {
    const { is, check } = fileTroubleOf(cause, 'read');
    const message = `The profile ${path} ${is}.`;
    throw usageError('PROFILE_NOT_FOUND', message, check, cause);
  }
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
  const own = existsSync(profilesOf(home)) ? profilesIn(profilesOf(home)) : [];
  return [...new Set([...builtInProfiles(), ...own])].sort();
}

function builtInProfiles(): string[] {
  return profilesIn(profilesOf(packageRoot()));
}

/** Without the reference, which only explains the format. */
function profilesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'reference.yaml')
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

function profilesOf(home: string): string {
  return join(home, 'campaigns', 'profiles');
}
