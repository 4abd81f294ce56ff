import { AppError } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { isDated } from '../../domain/nights/results-name.ts';
import { writeEndedNights } from '../nights/ended-nights.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import { resultsFile, writeResultsFile } from '../results/results-file.ts';
import type { StopSignals } from '../run/run-events.ts';
import { knownServices, type ServiceRequest } from '../services/service.ts';
import type { World } from '../world.ts';
import { receiverLines, refusedLines } from './targets.ts';
import { createNoticeWatch, type NoticeWatch } from './watch.ts';

interface NoticeDesk {
  store: Store;
  flags: Pick<ServiceRequest, 'services'>;
  log: Log;
  stop: StopSignals;
  /** It works for days: says at the start who is told, and looks every few minutes for what nobody reports. */
  serves?: boolean;
}

/** How often it is looked for nights that are over and, by `serve`, for doubts that wait for a person. */
const LOOK_OVER_MS = 5 * 60_000;

/** Writes notices and sends those that are due, of all processes, while `use` is at work. */
export async function withNotices<T>(
  { store, flags, log, stop, serves = false }: NoticeDesk,
  world: World,
  use: (watch: NoticeWatch) => Promise<T>,
): Promise<T> {
  const { notify: own = [], path } = knownServices(flags, world);
  const writeResults = (campaign: Campaign, night: string) =>
    resultsOf(campaign, night, store, world);
  const watch = createNoticeWatch({ store, own, log, writeResults }, world);
  await watch.catchUp();
  // Before the first call, so that the file of a night does not have those of the next one.
  await writeEndedNights(store, world, true);
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, stop.dialling]);
  const work: Promise<void>[] = [];
  if (serves) {
    await tellReceivers();
    work.push(lookOver());
  } else {
    await watch.tellNights();
    if (await hasDatedResults(store)) work.push(lookOver());
  }
  work.push(watch.deliverUntil(serves ? ended : over.signal));
  try {
    return await use(watch);
  } finally {
    over.abort();
    // A second Ctrl-C waits for nobody: what was being sent goes out again, with the same id.
    if (!stop.left.aborted) {
      await Promise.all(work);
      await (serves ? watch.settled() : watch.flush());
    }
  }

  async function lookOver(): Promise<void> {
    while (!ended.aborted) {
      await writeEndedNights(store, world).catch(world.keepStack);
      if (serves) {
        await watch.tellNights();
        await watch.tellDoubts();
      }
      await world.clock.sleep(LOOK_OVER_MS, ended);
    }
  }

  async function tellReceivers(): Promise<void> {
    const campaigns = await store.listCampaigns();
    const settings = campaigns.map((campaign) => campaign.settings);
    const lines = receiverLines(own, settings);
    for (const line of lines) world.tell(`Notices: ${line}.`);
    const stored = campaigns.map(({ name, settings: { notify = [] } }) => ({ name, notify }));
    for (const line of refusedLines(own, stored)) world.tell(`${line}.`, 'problem');
    if (lines.length > 0) return;
    world.tell(`Nobody is told when a person is needed: \`notify\` in ${path} names who is.`);
  }
}

async function hasDatedResults(store: Store): Promise<boolean> {
  return (await store.listCampaigns()).some(({ settings }) => isDated(settings.results.file));
}

/**
 * Writes the results of a campaign whose night is over; a file that must not be replaced is left alone.
 *
 * @returns the path; null: there is no file; undefined: it cannot be written yet (folder away, disk full)
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
      await writeEndedNights(store, world);
      const nights = await store.nights(campaign.id);
      return nights.find((each) => each.night === night)?.resultsFile ?? null;
    }
    await writeResultsFile(store, campaign, false, world);
    return file;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'RESULTS_NOT_WRITABLE' ? undefined : null;
  }
}
