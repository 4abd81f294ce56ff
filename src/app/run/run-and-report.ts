import { dirname, join } from 'node:path';
import { writeResults } from '../../results/write.ts';
import type { Campaign, HeldSlot, Progress, Store } from '../../store/port.ts';
import { shellWord } from '../../text/shell-word.ts';
import { requireOutput } from '../places/output-file.ts';
import { budgetOf } from '../nights/budget-lines.ts';
import { openHoursOf } from '../plan/open-hours.ts';
import { unfinishedImport } from '../plan/unfinished-import.ts';
import type { World } from '../world.ts';
import { heldByDoubts } from './count-leads.ts';
import { exitReason, type ExitReason } from './exit-reason.ts';
import { needsPerson, refusalText } from '../notices/refusals.ts';
import { runWatched, type WatchedRun } from './watched-run.ts';

interface RunAndReportOptions extends WatchedRun {
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
  /** Rows of results, and the path of the file; null: they went to the standard output. */
  results: { rows: number; path: string | null };
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
    const now = world.clock.now();
    const progress = await store.progress(campaign.id, now);
    const results = await writeResultsFile(store, campaign, force, world);
    const unfinished = await unfinishedImport(store, campaign, world);
    const hours = await openHoursOf(campaign, store, now);
    const budget = await budgetOf(campaign, store, now);
    const exit = exitReason(campaign, progress, now, { ...end, unfinished, hours, budget });
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

/** Writes the results to the file of `run`. @throws AppError those of `requireOutput` and `writeResults` */
export async function writeResultsFile(
  store: Store,
  campaign: Campaign,
  force: boolean,
  world: World,
): Promise<RunReport['results']> {
  const { format } = campaign.settings.results;
  const file = resultsFile(campaign, store.location);
  if (file !== '-') {
    await requireOutput(file, { store, force, hint: replaceOnce(campaign.name) }, world);
  }
  const to = file === '-' ? world.data : file;
  return writeResults({ store, campaign, to, format });
}

/** The next step, for commands without `--force`, when a file that callsheet did not write is in the way. */
export function replaceOnce(name: string): string {
  return `move that file away, or let \`callsheet export ${shellWord(name)} --force\` replace it this once`;
}

/** The results file of `run` and `collect`: from the settings, else beside the database; `-` for stdout. */
export function resultsFile(
  { name, settings }: Pick<Campaign, 'name' | 'settings'>,
  databasePath: string,
): string {
  const { file, format } = settings.results;
  const ending = format === 'excel' ? 'csv' : format;
  return file ?? join(dirname(databasePath), 'results', `${name}.${ending}`);
}

/** Completes a running campaign that has no lead to call and no call to read. */
export async function completeIfDone(
  store: Store,
  campaign: Campaign,
  world: World,
): Promise<Campaign> {
  const now = (await store.findCampaign(campaign.name)) ?? campaign;
  const { total, done } = await store.progress(campaign.id, world.clock.now());
  if (now.state !== 'running' || done < total) return now;
  // Its folders may bring further lists any time.
  if (now.settings.sources !== undefined) return now;
  // During an unfinished import, more rows are still to come.
  if ((await store.lists(campaign.id)).some(({ finishedAt }) => finishedAt === null)) return now;
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
