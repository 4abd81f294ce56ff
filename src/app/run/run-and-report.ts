import type { Campaign, HeldSlot, Progress, Store } from '../../store/port.ts';
import { keepEndOfRun } from '../nights/ended-nights.ts';
import { writeResultsFile, type Written } from '../results/results-file.ts';
import type { World } from '../world.ts';
import { heldByDoubts } from './count-leads.ts';
import { viewOf, type ExitReason } from './situation.ts';
import { needsPerson, refusalText } from '../notices/with-notices.ts';
import { runWatched, type WatchedRun } from './watched-run.ts';

export interface RunAndReportOptions extends WatchedRun {
  /** A results file that callsheet did not write may be replaced. */
  force?: boolean;
}

/** The result of a run. */
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
  return store.changeCampaign(
    campaign.id,
    { state: 'completed' },
    {
      at: world.clock.now(),
      who: 'callsheet',
      what: 'campaign.completed',
      detail: { before: now.state, total },
    },
  );
}
