import { dirname, join } from 'node:path';
import { withIso } from '../../text/iso-times.ts';
import { writeResults } from '../../results/write.ts';
import { summaryLines } from '../../results/summary.ts';
import type { ExitCode } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { progressJson } from '../../cli/print/json-times.ts';
import { localTime } from '../../text/local-time.ts';
import { exitReason } from './exit-reason.ts';
import { printJson } from '../../cli/terminal/output.ts';
import { requireOutput } from '../places/output-file.ts';
import { counted } from '../../text/plural.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { heldInDoubt } from '../../cli/print/resolve-words.ts';
import { runLine } from '../../cli/print/run-line.ts';
import { shellWord } from '../../text/shell-word.ts';
import { untilWritten } from '../../cli/terminal/stop.ts';
import { unfinishedImport } from '../plan/unfinished-import.ts';
import { runWatched, type WatchedEnd, type WatchedRun } from './watched-run.ts';

export interface RunAndReportOptions extends Omit<WatchedRun, 'tell' | 'beforeLeaving'> {
  json: boolean;
  /** A results file that callsheet did not write may be replaced. */
  force?: boolean;
}

/** Runs or collects a campaign before the operator's eyes, writes its results, and says how it ended. */
export async function runAndReport(options: RunAndReportOptions, world: World): Promise<ExitCode> {
  const { store, campaign } = options;
  world.io.messages?.begun();
  if (world.io.messages !== undefined)
    world.tell(runLine(campaign, options.run.dialAt === null ? null : options.run, world.io));
  return untilWritten(world.io, async (ending) => {
    const progress = showProgress(store, campaign, world.io);
    let end: WatchedEnd;
    try {
      end = await runWatched(
        { ...options, tell: progress.say, beforeLeaving: progress.stop },
        world,
      );
    } finally {
      ending();
      await progress.stop();
    }
    return end.left ? EXIT.interrupted : finish(options, end, world);
  });
}

async function finish(
  { store, campaign, json, force = false }: RunAndReportOptions,
  end: WatchedEnd,
  world: World,
): Promise<ExitCode> {
  const after = await completeIfDone(store, campaign, world);
  const now = world.clock.now();
  const progress = await store.progress(campaign.id, now);
  const { format } = after.settings.results;
  const file = resultsFile(after, store.location);
  if (file !== '-') {
    await requireOutput(file, { store, force, hint: replaceOnce(campaign.name) }, world);
  }
  const to = file === '-' ? world.data : file;
  const written = await writeResults({ store, campaign: after, to, format });
  const unfinished = await unfinishedImport(store, after, world);
  const outcome = exitReason(after, progress, now, { ...end, unfinished });
  const { timezone } = after.settings;
  const next = outcome.nextAt === null ? null : localTime(outcome.nextAt, timezone);
  if (json && file !== '-') {
    printJson(world.io, {
      campaign: campaign.name,
      state: after.state,
      ...progressJson(progress, timezone),
      resultsFile: written.path,
      exitCode: outcome.code,
      why: outcome.why,
      ...withIso({ nextAt: outcome.nextAt }, ['nextAt'], timezone),
    });
  }
  const tell = (sentence: string) => {
    world.tell(sentence, 'end', outcome.code);
  };
  for (const line of summaryLines(progress)) tell(line);
  const inDoubt = progress.doubts === 0 ? [] : await store.heldSlots(campaign.id, now);
  const held = heldInDoubt(inDoubt, after);
  if (held !== undefined) tell(held);
  if (written.path !== null) tell(`Results: ${written.path} (${counted(written.rows, 'row')})`);
  tell(`${outcome.why}${next === null ? '' : ` Next at ${next}.`}`);
  return outcome.code;
}

/** How a file of somebody else is replaced all the same, by those who have no flag for it. */
export function replaceOnce(name: string): string {
  return `move that file away, or let \`callsheet export ${shellWord(name)} --force\` replace it this once`;
}

/** Where `run` and `collect` write: what the settings say, else beside the database; `-` for stdout. */
export function resultsFile(
  { name, settings }: Pick<Campaign, 'name' | 'settings'>,
  databasePath: string,
): string {
  const { file, format } = settings.results;
  const ending = format === 'excel' ? 'csv' : format;
  return file ?? join(dirname(databasePath), 'results', `${name}.${ending}`);
}

/** A running campaign without a lead to call or a call to read is completed. */
export async function completeIfDone(
  store: Store,
  campaign: Campaign,
  world: World,
): Promise<Campaign> {
  const now = (await store.findCampaign(campaign.name)) ?? campaign;
  const { total, done } = await store.progress(campaign.id, world.clock.now());
  if (now.state !== 'running' || done < total) return now;
  // Its other rows are still to come.
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
