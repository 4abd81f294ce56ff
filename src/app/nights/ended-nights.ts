import type { Openings } from '../../domain/calling/openings.ts';
import {
  datedFile,
  endOfRun,
  isDated,
  nightsWithoutResults,
} from '../../domain/nights/night-end.ts';
import { nightText } from '../../domain/nights/night.ts';
import type { RunEnd } from '../../run-campaign.ts';
import { isOurs } from '../../results/target.ts';
import { AppError } from '../../runtime/errors.ts';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, NightRow, Progress, ResultsTaker, Store } from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import { openHoursOf } from '../plan/planned-hours.ts';
import { identityOf } from '../places/output-file.ts';
import { writeNightFiles } from '../results/results-file.ts';
import { whoWorks } from '../run/run-events.ts';
import type { World } from '../world.ts';
import { campaignNight } from './nights.ts';

interface EndedRun extends Pick<RunEnd, 'dispatch' | 'keyRefused'> {
  interrupted: boolean;
  suppressionTooOld: boolean;
  progress: Pick<Progress, 'waiting'>;
  hours: Pick<Openings, 'now'>;
}

/** Keeps why a run has stopped calling, for the night of the last call; results may come long after that. */
export async function keepEndOfRun(
  store: Pick<Store, 'nights' | 'keepNightEnd'>,
  { id, state }: Campaign,
  { dispatch, interrupted, keyRefused, suppressionTooOld, progress, hours }: EndedRun,
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
 * Keeps why nights ended where that was not kept: the process that called was killed or, where one calls now, it went
 * on through the time in which nobody could be called.
 * @param isStart of a process, which has not called yet: also of tonight, if nobody calls
 */
async function keepEndsOfNights(
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

/** After this time a process that has not written the results of a night is given up, and so is a try that failed. */
const GIVEN_UP_MS = 15 * 60_000;
/** Errors after which a later try may write results although nobody has changed settings or files. */
export const FOR_NOW = /^(RESULTS_NOT_WRITABLE|STORE_)/;

/**
 * Writes the results of nights that are over and have none yet, under the date of each, and keeps why they ended. A
 * process that is killed meanwhile is made up for by the next one, which neither leaves a night out nor writes over a
 * file that is complete.
 * @param isStart of this process, before it calls anybody
 * @returns campaign id + date of each night whose results are still to come: not writable yet, or another process is at
 *   it
 */
export async function writeEndedNights(store: Store, world: World, isStart = false) {
  const owed = new Set<string>();
  for (const campaign of await store.listCampaigns()) {
    if (campaign.kind !== 'list' || campaign.archivedAt !== undefined) continue;
    const nights = await store.nights(campaign.id);
    await keepEndsOfNights(store, campaign, nights, isStart, world);
    const { settings } = campaign;
    if (!isDated(settings.results.file)) continue;
    const tonight = campaignNight(world.clock.now(), settings).date;
    for (const night of nightsWithoutResults(nights, tonight))
      if (!(await writeEnded(store, campaign, night, world))) owed.add(campaign.id + night.night);
  }
  return owed;
}

/** @returns false: the results are still to come */
async function writeEnded(
  store: Store,
  campaign: Campaign,
  { night, resultsTaker: taken }: NightRow,
  world: World,
): Promise<boolean> {
  const { id, name, settings } = campaign;
  const { owner, clock } = world;
  const at = clock.now();
  const file = datedFile(settings.results.file ?? '', night);
  // A file that is replaced has another one.
  const there = identityOf(file) ?? null;
  if (taken !== null) {
    const wasKilled = isGone(taken, owner);
    if (!wasKilled && at - taken.at < GIVEN_UP_MS) return taken.refused === true;
    // It was replaced by results, and the process was killed before it could keep that.
    const isNew = there !== null && there !== taken.before;
    if (wasKilled && isNew && (await isOurs(file))) {
      await store.keepNightFile({
        ...{ campaignId: id, night, file, at },
        calls: null,
        machine: owner.host,
      });
      return true;
    }
  }
  const by: ResultsTaker = { ...owner, at, before: there };
  if (!(await store.takeNightResults(id, night, by, taken))) return false;
  const title = `${name}: the night of ${nightText({ date: night })} is over`;
  try {
    const options = { store, campaign, night, isOver: true, force: false };
    const { rows } = await writeNightFiles(options, world);
    world.tell(`${title}; results: ${file} (${counted(rows, 'row')}), with a report page beside.`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    world.tell(`${title}, and its results are not written. ${error.message}`, 'problem');
    if (FOR_NOW.test(error.code)) return false;
    await store.takeNightResults(id, night, { ...by, refused: true }, by);
  }
  return true;
}
