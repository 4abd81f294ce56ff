import { join } from 'node:path';
import { datedFile, isDated, pageBeside } from '../../domain/nights/night-end.ts';
import { changeOfNight } from '../../results/figures.ts';
import { writeReport } from '../../results/report/page.ts';
import { writeResults } from '../../results/write.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { shellWord } from '../../text/wording.ts';
import { campaignNight } from '../nights/nights.ts';
import { requireOutput } from '../places/output-file.ts';
import type { World } from '../world.ts';

/** Rows of results, and the path of the file; null: they went to the standard output. */
export interface Written {
  rows: number;
  path: string | null;
}

/** The most calls that the page of a night shows with transcripts. */
const CALLS_ON_PAGE = 500;

/**
 * The results file of `run` and `collect`: from the settings, else beside the database; `-` for stdout.
 * @param folder that of the database
 * @param at epoch ms; where each night has a file of its own, it is that of the night of this moment
 */
export function resultsFile(
  { name, settings }: Pick<Campaign, 'name' | 'settings'>,
  folder: string,
  at: number,
): string {
  const { file, format } = settings.results;
  if (file !== null && isDated(file)) return datedFile(file, campaignNight(at, settings).date);
  const ending = format === 'excel' ? 'csv' : format;
  return file ?? join(folder, 'results', `${name}.${ending}`);
}

/** The files with results; where each night has its own, the page beside it, too. */
export function outputsOf(file: string, { results }: Campaign['settings']): string[] {
  return isDated(results.file) ? [pageBeside(file), file] : [file];
}

/**
 * Writes the results to the file of `run`. Where each night has its own and a run has gone on over the end of its
 * night, that is the file of the night that it has called in, if that is not complete yet.
 */
export async function writeResultsFile(
  store: Store,
  campaign: Campaign,
  force: boolean,
  world: World,
): Promise<Written> {
  const { file: given, format } = campaign.settings.results;
  const now = world.clock.now();
  if (isDated(given)) {
    const tonight = campaignNight(now, campaign.settings).date;
    const last = (await store.nights(campaign.id)).at(-1);
    const isOver = last !== undefined && last.night !== '' && last.night < tonight && last.resultsAt === null; // prettier-ignore
    const night = isOver ? last.night : tonight;
    return writeNightFiles({ store, campaign, night, isOver, force }, world);
  }
  const file = resultsFile(campaign, store.folder, now);
  if (file === '-') return writeResults({ store, campaign, to: world.data, format });
  await requireOutput(file, { store, force, hint: replaceOnce(campaign.name) }, world);
  return writeResults({ store, campaign, to: file, format });
}

interface NightFiles {
  store: Store;
  campaign: Campaign;
  /** Its date, `2026-01-05`. */
  night: string;
  /** False: further calls of this night may follow. */
  isOver: boolean;
  /** Files that callsheet did not write may be replaced. */
  force: boolean;
}

/**
 * Writes the results of a campaign under the date of a night, and the report page beside them. The page comes first, so
 * that it is there where the results are.
 */
export async function writeNightFiles(
  { store, campaign, night, isOver, force }: NightFiles,
  world: World,
): Promise<Written> {
  const { id, settings, name } = campaign;
  const { file: given, format } = settings.results;
  const file = datedFile(given ?? '', night);
  for (const path of outputsOf(file, settings))
    await requireOutput(path, { store, force, hint: replaceOnce(name) }, world);
  const known = (await store.nights(id)).find((each) => each.night === night);
  const calls = isOver ? null : known === undefined ? 0 : known.calls + known.refused;
  const at = world.clock.now();
  const change = await changeOfNight(store, campaign, night);
  await writeReport({
    store,
    campaign,
    to: pageBeside(file),
    calls: CALLS_ON_PAGE,
    at,
    night: { change, alone: false },
  });
  const written = await writeResults({ store, campaign, to: file, format });
  const machine = world.owner.host;
  await store.keepNightFile({ campaignId: id, night, file, machine, at, calls });
  return written;
}

/** The next step, for commands without `--force`, when a file that callsheet did not write is in the way. */
export function replaceOnce(name: string): string {
  return `move that file away, or let \`callsheet export ${shellWord(name)} --force\` replace it this once`;
}
