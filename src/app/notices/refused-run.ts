import type { Log } from '../../runtime/log.ts';
import type { World } from '../world.ts';
import { findCampaign, withStore } from '../places/databases.ts';
import { targetOf, type TargetRequest } from '../places/list-or-campaign.ts';
import type { StopSignals } from '../run/run-events.ts';
import type { ServiceRequest } from '../services/service.ts';
import type { FlagsInput } from '../../config/flags.ts';
import { needsPerson, refusalText } from './refusals.ts';
import { withNotices } from './with-notices.ts';

interface RefusedRun extends ServiceRequest, TargetRequest {
  given?: Omit<FlagsInput, 'cwd'>;
}

/**
 * Tells people of a run that was refused before its first call, where the next night's will be, too. Whoever sits at a
 * terminal sees it there; a campaign that is not stored yet was begun by somebody who is still there.
 */
export async function tellRefusedRun(
  error: unknown,
  request: RefusedRun,
  desk: { log: Log; stop: StopSignals },
  world: World,
): Promise<void> {
  if (world.attended || !needsPerson(error)) return;
  try {
    const { file, name } = targetOf(request, world.cwd);
    const found = await findCampaign(
      request.given?.flags?.name ?? file?.name ?? name,
      request,
      world,
    );
    if (found === undefined) return;
    await withStore(found.place.path, 'write', world, (store) =>
      withNotices({ store, flags: request, ...desk }, world, (watch) =>
        watch.attention(found.campaign, error.code.toLowerCase(), refusalText(error)),
      ),
    );
  } catch (second) {
    // The first error is the one to report.
    world.keepStack(second);
  }
}
