import { fillPlaces } from '../../leads/rows/row-person.ts';
import { runCampaign, type RunOptions } from '../../run-campaign.ts';
import type { Log } from '../../runtime/log.ts';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, HeldSlot, Progress, Store } from '../../store/port.ts';
import { keepEndOfRun } from '../nights/ended-nights.ts';
import type { NoticeWatch } from '../notices/watch.ts';
import { needsPerson, refusalText } from '../notices/with-notices.ts';
import { writeResultsFile, type Written } from '../results/results-file.ts';
import { suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import type { World } from '../world.ts';
import {
  countLeads,
  foldNotices,
  heldByDoubts,
  keepTrouble,
  type RunBounds,
  type RunWatch,
  type WatchedEnd,
} from './run-events.ts';
import { viewOf, type ExitReason } from './situation.ts';

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

export interface RunAndReportOptions extends WatchedRun {
  /** A results file that callsheet did not write may be replaced. */
  force?: boolean;
}

export interface RunReport {
  /** The campaign after the run. */
  campaign: Campaign;
  progress: Progress;
  /** The slots that calls in doubt hold. */
  heldByDoubts: HeldSlot[];
  results: Written;
  exit: ExitReason;
}

/** Runs or collects a campaign and writes its results. @returns null when the operator left at once */
export function runAndReport(
  options: RunAndReportOptions,
  world: World,
): Promise<RunReport | null> {
  const { store, force = false } = options;
  const running = runWatched(options, world, async (end) => {
    const campaign = await completeIfDone(store, options.campaign, world);
    const view = await viewOf({ store, campaign, world }, end);
    const { now, progress, exit } = view;
    await keepEndOfRun(store, campaign, { ...end, ...view });
    const results = await writeResultsFile(store, campaign, force, world);
    await options.noticeWatch?.runEnded(campaign, exit, results.path);
    return {
      campaign,
      progress,
      heldByDoubts: progress.doubts === 0 ? [] : await heldByDoubts(store, campaign, now),
      results,
      exit,
    };
  });
  return running.catch(async (error: unknown) => {
    if (needsPerson(error))
      await options.noticeWatch?.attention(
        options.campaign,
        error.code.toLowerCase(),
        refusalText(error),
      );
    throw error;
  });
}

/** Completes a running campaign that has no lead to call, no call to read and no list to import. */
export async function completeIfDone(
  store: Store,
  campaign: Campaign,
  world: World,
): Promise<Campaign> {
  const now = (await store.findCampaign(campaign.name)) ?? campaign;
  // Its folders may bring further lists any time.
  if (now.state !== 'running' || now.settings.sources !== undefined) return now;
  // The store refuses it, too; most runs leave somebody waiting, and need not write for that.
  const { total, done } = await store.progress(campaign.id, world.clock.now());
  if (done < total) return now;
  const detail = { before: now.state, total };
  const entry = { at: world.clock.now(), who: 'callsheet', what: 'campaign.completed', detail };
  return store.changeCampaign(campaign.id, { state: 'completed' }, entry);
}
