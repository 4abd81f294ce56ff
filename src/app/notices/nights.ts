import type { DialCounts } from '../../domain/nights/dial-counts.ts';
import { isDated } from '../../domain/nights/results-name.ts';
import { endOfNight } from '../../domain/notices/end-of-night.ts';
import { NO_CALLS, nightFigures } from '../../results/night-change.ts';
import { dialsText } from '../../results/summary.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Campaign, OpenNight, Progress, Store } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import { FOR_NOW, writeEndedNights } from '../nights/ended-nights.ts';
import { resultsFile, writeResultsFile } from '../results/results-file.ts';
import type { World } from '../world.ts';
import { writeNotice, type OutboxDesk } from './outbox.ts';

/** A run that has ended just now. */
export interface EndedRun {
  campaignId: string;
  /** Why it ended, as the operator is told. */
  why: string;
  /** The results file that it has written; null: none. */
  results: string | null;
}

/**
 * Tells `finished` of nights that are over, whoever called in them: a process that was killed before it could tell is
 * made up for by the next one.
 *
 * @param ended null: no run has ended, all campaigns are looked at
 */
export async function tellEndedNights(
  ended: EndedRun | null,
  desk: OutboxDesk,
  world: World,
): Promise<void> {
  const { store } = desk;
  const open = await store.openNights(ended?.campaignId ?? null);
  if (open.length === 0) return;
  const campaigns = new Map((await store.listCampaigns()).map((each) => [each.id, each]));
  for (const night of open) {
    const campaign = campaigns.get(night.campaignId);
    if (campaign !== undefined) await tellIfOver(night, campaign, ended, desk, world);
  }
}

async function tellIfOver(
  { night, toldCalls }: OpenNight,
  campaign: Campaign,
  ended: EndedRun | null,
  desk: OutboxDesk,
  world: World,
): Promise<void> {
  const { store } = desk;
  const { settings, state } = campaign;
  const now = world.clock.now();
  const progress = await store.progress(campaign.id, now);
  const { nextDueAt, calling } = progress;
  const nightOf = (at: number) => campaignNight(at, settings).date;
  const isPast = nightOf(now) !== night;
  const isLater = state === 'running' && nextDueAt !== null && nightOf(Math.max(nextDueAt, now)) !== night; // prettier-ignore
  const rows = (await store.nights(campaign.id)).filter((row) => row.night === night);
  const [figures = NO_CALLS] = await nightFigures(store, campaign.id, rows);
  const { made, refused, inDoubt, notMade, answered } = figures;
  const tonight = { calls: made + inDoubt, made, refused, inDoubt, notMade, answered };
  const reason = endOfNight({
    isOver: isPast || (isLater && calling === 0),
    isCompleted: state === 'completed' || (state === 'cancelled' && calling === 0),
    runEnded: ended !== null,
    ...{ calls: tonight.calls, toldCalls },
  });
  if (reason === null) return;
  const silent = reason === 'silent';
  // A run that ended after its night has written the results of the next one.
  const written = isPast ? null : ended?.results;
  const results = written ?? (silent ? null : await resultsOf(campaign, night, store, world));
  // The night stays open, so that the next look, of this process or a later one, writes them and tells.
  if (results === undefined) return;
  const text = `${whatIsOver(reason, state)}: ${nightText(tonight, progress)}${ended === null ? '' : ` ${ended.why}`}`;
  const more = { counts: countsOf(progress), tonight, results };
  const said = silent ? 'night' : reason;
  // Calls may follow what ended the night, such as those of a further list: its end is told once more then.
  const about = `${said} ${tonight.calls}`;
  const end = { campaign, night, reason: said, about, text, more, silent };
  await writeNotice({ event: 'finished', ...end }, desk, world);
}

function whatIsOver(reason: string, state: Campaign['state']): string {
  if (reason === 'campaign') return `the campaign is ${state}`;
  return reason === 'run' ? 'a run has ended' : 'the night is over';
}

function nightText(
  counts: DialCounts & { answered: number },
  { done, total, waiting, doubts }: Progress,
): string {
  const doubt = doubts === 0 ? '' : `, ${counted(doubts, 'call')} in doubt`;
  return `tonight ${dialsText(counts)}; ${counts.answered} answered; ${done} of ${counted(total, 'lead')} final, ${waiting} waiting${doubt}.`;
}

/** A campaign in numbers, as they stand in a notice. */
function countsOf({ total, done, waiting, calling, dials, results }: Progress) {
  const { made: calls, ...others } = dials;
  return { leads: total, done, waiting, inProgress: calling, calls, ...others, results };
}

/**
 * Writes the results of a campaign whose night is over; a file that must not be replaced is left alone.
 *
 * @returns the path; null: there is no file; undefined: it is still to come (folder away, disk full, being written)
 */
async function resultsOf(
  campaign: Campaign,
  night: string,
  store: Store,
  world: World,
): Promise<string | null | undefined> {
  const now = world.clock.now();
  const file = resultsFile(campaign, store.location, now);
  if (file === '-') return null;
  const tonight = campaignNight(now, campaign.settings).date;
  try {
    if (isDated(campaign.settings.results.file) && night !== tonight) {
      if ((await writeEndedNights(store, world)).has(campaign.id + night)) return undefined;
      const nights = await store.nights(campaign.id);
      return nights.find((each) => each.night === night)?.resultsFile ?? null;
    }
    await writeResultsFile(store, campaign, false, world);
    return file;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return FOR_NOW.test(error.code) ? undefined : null;
  }
}
