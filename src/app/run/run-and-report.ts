import { dirname, join } from 'node:path';
import { withIso } from '../../text/iso-times.ts';
import { writeResults } from '../../results/write.ts';
import { summaryLines } from '../../results/summary.ts';
import type { ExitCode } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { CommandIo, Io } from '../../cli/io.ts';
import { progressJson } from '../../cli/print/json-times.ts';
import { localTime } from '../../text/local-time.ts';
import { exitReason } from './exit-reason.ts';
import { printJson, say } from '../../cli/terminal/output.ts';
import { requireOutput } from '../places/output-file.ts';
import { counted } from '../../text/plural.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { heldInDoubt } from '../../cli/print/resolve-words.ts';
import { runLine } from '../../cli/print/run-line.ts';
import { shellWord } from '../../text/shell-word.ts';
import { untilWritten } from '../../cli/terminal/stop.ts';
import { dataStream } from '../../cli/terminal/terminal.ts';
import { unfinishedImport } from '../plan/unfinished-import.ts';
import { runWatched, type WatchedEnd, type WatchedRun } from './watched-run.ts';

export interface RunAndReportOptions extends Omit<WatchedRun, 'tell' | 'beforeLeaving'> {
  json: boolean;
  /** A results file that callsheet did not write may be replaced. */
  force?: boolean;
}

/** Runs or collects a campaign before the operator's eyes, writes its results, and says how it ended. */
export async function runAndReport(options: RunAndReportOptions, io: CommandIo): Promise<ExitCode> {
  const { store, campaign } = options;
  io.messages?.begun();
  if (io.messages !== undefined)
    say(io, runLine(campaign, options.run.dialAt === null ? null : options.run, io));
  return untilWritten(io, async (ending) => {
    const progress = showProgress(store, campaign, io);
    let end: WatchedEnd;
    try {
      end = await runWatched({ ...options, tell: progress.say, beforeLeaving: progress.stop }, io);
    } finally {
      ending();
      await progress.stop();
    }
    return end.left ? EXIT.interrupted : finish(options, end, io);
  });
}

async function finish(
  { store, campaign, json, force = false }: RunAndReportOptions,
  end: WatchedEnd,
  io: Io,
): Promise<ExitCode> {
  const after = await completeIfDone(store, campaign, io);
  const now = io.clock.now();
  const progress = await store.progress(campaign.id, now);
  const { format } = after.settings.results;
  const file = resultsFile(after, store.location);
  if (file !== '-') {
    await requireOutput(file, { store, force, hint: replaceOnce(campaign.name) }, io);
  }
  const to = file === '-' ? dataStream(io) : file;
  const written = await writeResults({ store, campaign: after, to, format });
  const unfinished = await unfinishedImport(store, after, io);
  const outcome = exitReason(after, progress, now, { ...end, unfinished });
  const { timezone } = after.settings;
  const next = outcome.nextAt === null ? null : localTime(outcome.nextAt, timezone);
  if (json && file !== '-') {
    printJson(io, {
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
    say(io, sentence, 'end', outcome.code);
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
export async function completeIfDone(store: Store, campaign: Campaign, io: Io): Promise<Campaign> {
  const now = (await store.findCampaign(campaign.name)) ?? campaign;
  const { total, done } = await store.progress(campaign.id, io.clock.now());
  if (now.state !== 'running' || done < total) return now;
  // Its other rows are still to come.
  if ((await store.lists(campaign.id)).some(({ finishedAt }) => finishedAt === null)) return now;
  return store.changeCampaign(
    campaign.id,
    { state: 'completed' },
    {
      at: io.clock.now(),
      who: 'callsheet',
      what: 'campaign.completed',
      detail: { before: now.state, total },
    },
  );
}
