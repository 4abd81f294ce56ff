import { DEFAULT_PROFILE, findProfile } from '../../config/profiles.ts';
import { AppError } from '../../runtime/errors.ts';
import { homeOf } from '../places/home.ts';
import type { World } from '../world.ts';
import { knownServices } from './service.ts';

/**
 * How many calls may be in progress at a service, over all campaigns, without connecting to it.
 *
 * @returns null: there is no limit, or the files that would say so do not know the service or cannot be read
 */
export async function mostCallsAt(service: string, world: World): Promise<number | null> {
  try {
    const entry = knownServices({}, world).entries.get(service);
    if (entry === undefined) return null;
    if (entry.maxCalls !== undefined) return entry.maxCalls;
    const places = { cwd: world.cwd, home: homeOf(world).folder };
    const { path, text } = findProfile(entry.profile ?? DEFAULT_PROFILE, places);
    const { loadProfile } = await import('../../service/profile/profile.ts');
    return loadProfile(text, path).limits.calls ?? null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
