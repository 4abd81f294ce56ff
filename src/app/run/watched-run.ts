import type { Log } from '../../runtime/log.ts';
import { isGone } from '../../runtime/process.ts';
import { runCampaign, type RunOptions } from '../../run-campaign.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { NoticeWatch } from '../notices/watch.ts';
import type { World } from '../world.ts';
import { suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import { countLeads } from './count-leads.ts';
import { fillPlaces } from '../../leads/rows/row-person.ts';
import {
  foldNotices,
  keepTrouble,
  type RunBounds,
  type RunWatch,
  type WatchedEnd,
} from './run-events.ts';

export interface WatchedRun {
  store: Store;
  campaign: Campaign;
  run: RunBounds & Pick<RunOptions, 'dialAt' | 'collectFrom' | 'feed' | 'patientUntil'>;
  log: Log;
  watch: RunWatch;
  /** Tells people who are not there; left out: nobody. */
  noticeWatch?: NoticeWatch;
}

/**
 * Runs a campaign with the log and the watch attached.
 *
 * @param finish called after the campaign's run, still under the same watch
 * @returns null when the operator left at once: nothing more is shown or written
 */
export async function runWatched<T>(
  options: WatchedRun,
  world: World,
  finish: (end: WatchedEnd) => Promise<T>,
): Promise<T | null> {
  const { onEvent } = options.watch;
  try {
    const end = await runUntilEnd(options, world);
    return end === null ? null : await finish(end);
  } finally {
    onEvent({ is: 'over' });
  }
}

async function runUntilEnd(
  { store, campaign, run, log, watch, noticeWatch }: WatchedRun,
  world: World,
): Promise<WatchedEnd | null> {
  const { stop, onEvent } = watch;
  const { clock, owner } = world;
  onEvent({ is: 'begun', campaign, bounds: run.dialAt === null ? null : run });
  const counting = campaign.kind === 'list' ? countLeads(store, campaign, watch, world) : undefined;
  const leave = async () => {
    await counting?.stop();
    const { open } = await store.progress(campaign.id, clock.now());
    onEvent({ is: 'left', campaign, open });
  };
  let leaving: Promise<void> | undefined;
  const onLeft = () => {
    leaving ??= leave();
    // Awaited only after the run, which has calls to record: until then a failure waits.
    leaving.catch(() => undefined);
  };
  if (stop.left.aborted) onLeft();
  else stop.left.addEventListener('abort', onLeft);
  let readingFails = false;
  const notices = foldNotices(log, onEvent, clock);
  const trouble = keepTrouble(store, campaign, world);
  try {
    // A run may take days, and no call may begin once the suppression list has grown too old.
    const holdsUntil = await suppressionHoldsUntil(campaign, store);
    if (run.dialAt !== null) await fillPlaces(store, campaign);
    const end = await runCampaign({
      ...run,
      until: Math.min(run.until ?? Infinity, holdsUntil),
      store,
      campaign,
      clock,
      owner,
      isGone: (other) => isGone(other, owner),
      notify: (notice) => {
        if (leaving !== undefined) return;
        notices.notify(notice);
        noticeWatch?.heard(campaign, notice);
        trouble.heard(notice);
        if (notice.event !== 'poll.failed' || readingFails) return;
        readingFails = true;
        onEvent({ is: 'reading_fails', detail: notice.detail });
      },
      stopDialling: stop.dialling,
      stop: stop.all,
    });
    if (leaving !== undefined) return null;
    const suppressionTooOld = end.dispatch === 'until' && clock.now() >= holdsUntil;
    return { ...end, interrupted: stop.dialling.aborted, suppressionTooOld };
  } finally {
    stop.left.removeEventListener('abort', onLeft);
    if (leaving === undefined) notices.flush();
    onEvent({ is: 'ended' });
    await trouble.kept();
    await leaving;
    await counting?.stop();
  }
}
