import type { DialCounts } from '../../domain/nights/dial-counts.ts';
import { endOfNight } from '../../domain/notices/end-of-night.ts';
import type { NoticeTarget } from '../../domain/notices/target.ts';
import type { Campaign, OpenNight, Progress, Store } from '../../store/port.ts';
import { NO_CALLS, nightFigures } from '../../results/night-change.ts';
import { dialsText } from '../../results/summary.ts';
import { counted } from '../../text/plural.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import type { World } from '../world.ts';
import { countsOf, writeNotice } from './write.ts';

/** A run that has ended just now. */
export interface EndedRun {
  campaignId: string;
  /** Why it ended, as the operator is told. */
  why: string;
  /** The results file that it has written; null: none. */
  results: string | null;
}

interface NightDesk {
  store: Store;
  own: readonly NoticeTarget[];
  /** Writes the results of a campaign whose night is over; null: there is no file; undefined: it cannot be written yet. */
  writeResults: (campaign: Campaign, night: string) => Promise<string | null | undefined>;
}

/**
 * Tells `finished` of nights that are over, whoever called in them: a process that was killed before it could tell is
 * made up for by the next one.
 *
 * @param ended null: no run has ended, all campaigns are looked at
 */
export async function tellEndedNights(
  ended: EndedRun | null,
  desk: NightDesk,
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
  { store, own, writeResults }: NightDesk,
  world: World,
): Promise<void> {
  const { settings, state } = campaign;
  const now = world.clock.now();
  const progress = await store.progress(campaign.id, now);
  const tonight = campaignNight(now, settings).date;
  const { nextDueAt, calling } = progress;
  const isRunning = state === 'running' && nextDueAt !== null;
  const nextNight = isRunning ? campaignNight(Math.max(nextDueAt, now), settings).date : tonight;
  const isOver = tonight !== night;
  const rows = (await store.nights(campaign.id)).filter((row) => row.night === night);
  const [figures = NO_CALLS] = await nightFigures(store, campaign.id, rows);
  const { made, refused, inDoubt, notMade, answered } = figures;
  const counts = { calls: made + inDoubt, made, refused, inDoubt, notMade, answered };
  const reason = endOfNight({
    night,
    nextNight: isOver ? tonight : nextNight,
    ...{ calls: counts.calls, toldCalls },
    isCompleted: state === 'completed' || (state === 'cancelled' && calling === 0),
    runEnded: ended !== null,
    isBusy: calling > 0 && !isOver,
  });
  if (reason === null) return;
  const silent = reason === 'silent';
  // A run that ended after its night has written the results of the next one.
  const written = isOver ? null : ended?.results;
  const results = written ?? (silent ? null : await writeResults(campaign, night));
  // The night stays open, so that the next look, of this process or a later one, writes them and tells.
  if (results === undefined) return;
  const text = `${whatIsOver(reason, state)}: ${nightText(counts, progress)}${ended === null ? '' : ` ${ended.why}`}`;
  const more = { counts: countsOf(progress), tonight: counts, results };
  const said = silent ? 'night' : reason;
  // Calls may follow what ended the night, such as those of a further list: its end is told once more then.
  const about = `${said} ${counts.calls}`;
  await writeNotice(
    { event: 'finished', campaign, night, reason: said, about, text, more },
    { store, own, silent },
    world,
  );
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
