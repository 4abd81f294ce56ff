import type { Openings } from '../../domain/calling/openings.ts';
import { endOfRun } from '../../domain/nights/night-end.ts';
import type { RunEnd } from '../../run-campaign.ts';
import type { Campaign, NightRow, Progress, Store } from '../../store/port.ts';
import { openHoursOf } from '../plan/open-hours.ts';
import { whoWorks } from '../run/who-works.ts';
import type { World } from '../world.ts';
import { campaignNight } from './campaign-night.ts';

interface EndedRun extends Pick<RunEnd, 'dispatch' | 'keyRefused'> {
  interrupted: boolean;
  suppressionTooOld?: boolean;
  progress: Pick<Progress, 'waiting'>;
  hours: Pick<Openings, 'now'>;
}

/** Keeps why a run has stopped calling, for the night of the last call; results may come long after that. */
export async function keepEndOfRun(
  store: Pick<Store, 'nights' | 'keepNightEnd'>,
  { id, state }: Campaign,
  { dispatch, interrupted, keyRefused, suppressionTooOld = false, progress, hours }: EndedRun,
): Promise<void> {
  const last = (await store.nights(id)).at(-1);
  if (dispatch === null || last === undefined) return;
  const end = endOfRun({
    ...{ state, dispatch, interrupted },
    refused: keyRefused || suppressionTooOld,
    waiting: progress.waiting,
    mayBeCalled: hours.now,
  });
  await store.keepNightEnd(id, last.night, end);
}

/**
 * Keeps why nights ended of which nobody has kept it: whoever called then was killed or, where somebody calls, has gone
 * on through the time in which nobody could be called.
 *
 * @param isStart of a process, which has not called yet: also of tonight, if nobody calls
 */
export async function keepEndsOfNights(
  store: Store,
  campaign: Campaign,
  nights: readonly NightRow[],
  isStart: boolean,
  world: World,
): Promise<void> {
  const now = world.clock.now();
  const tonight = campaignNight(now, campaign.settings).date;
  const open = nights.filter(
    ({ night, endReason, endedBy }) =>
      night !== '' && endReason === null && endedBy === null && (isStart || night < tonight),
  );
  if (open.length === 0) return;
  const { calls } = whoWorks(await store.runners(campaign.id), world);
  for (const { night } of open) {
    if (calls === null) await store.keepNightEnd(campaign.id, night, 'interrupted');
    else if (night < tonight) {
      const hours = await openHoursOf(campaign, store, now);
      await store.keepNightEnd(campaign.id, night, hours.now === 0 ? 'hours' : 'due');
    }
  }
}
