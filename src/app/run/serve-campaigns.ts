import type { CallFeed } from '../../collect/polling/call-feed.ts';
import { createSearchLog, type SearchLog } from '../../collect/polling/search-log.ts';
import { SEARCH_BACK_MS } from '../../domain/polling/search-plan.ts';
import { runCampaign, type RunEnd } from '../../run-campaign.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import { Folding } from '../../runtime/fold-repeats.ts';
import type { Log } from '../../runtime/log.ts';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, Progress, Store } from '../../store/port.ts';
import { asSentence, counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { checkSuppressionAge, suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import type { OpenService } from '../services/service.ts';
import type { Listener } from '../webhooks/webhook-listener.ts';
import type { NoticeWatch } from '../notices/watch.ts';
import type { World } from '../world.ts';
import { fillPlaces } from '../../leads/fill-places.ts';
import { keepEndOfRun } from '../nights/night-ends.ts';
import { openHoursOf } from '../plan/open-hours.ts';
import { exitReason, type ExitReason } from './exit-reason.ts';
import { foldNotices, type NoticeEvent } from './fold-notices.ts';
import { resultsFile, writeResultsFile } from '../results/results-file.ts';
import { completeIfDone } from './run-and-report.ts';
import type { RunBounds, StopSignals } from './run-events.ts';
import { watchOpenings } from '../lists/watch-openings.ts';
import { createSchedules } from './schedules.ts';
import { checkImports, checkResults, neverOpen, type TellProblem } from './serve-checks.ts';

export type ServeEvent =
  /** Serving has begun: a stop is reported from now on. */
  | { is: 'begun' }
  /** Webhooks are received from now on. */
  | { is: 'listening'; addresses: Listener['addresses'] }
  /** Calls of a campaign may begin now. */
  | { is: 'calling'; campaign: Campaign; bounds: RunBounds }
  /** `campaign` is a name; it is empty for a notice about a delivery. */
  | (NoticeEvent & { campaign: string });

export interface ServeWatch {
  log: Log;
  stop: StopSignals;
  onEvent: (event: ServeEvent) => void;
}

export interface ServeOptions extends ServeWatch {
  store: Store;
  feed: CallFeed;
  noticeWatch: NoticeWatch;
  /** A service's client, opened at its first use; undefined when that failed, which has been reported. */
  open: (service: string) => Promise<OpenService | undefined>;
}

/** How often the campaigns are checked, so that one that was started meanwhile is dialled. */
const LOOK_OVER_MS = 1_000;
/** A campaign whose run has ended is checked again after this time, since usually nothing has changed. */
const REST_MS = 5_000;

/** Errors that end `serve`: the files on disk are no longer those that were opened. */
const LOST = ['STORE_GONE', 'JOURNAL_GONE'];

/** Until it is stopped, dials every campaign that was started, collects open calls, and writes results. */
export async function serveCampaigns(options: ServeOptions, world: World): Promise<void> {
  const { store, noticeWatch } = options;
  const stopDialling = options.stop.dialling;
  const schedules = createSchedules(store, world);
  const problem: TellProblem = (campaign, reason, sentence) => {
    world.tell(`${campaign.name}: ${sentence}`, 'problem');
    void noticeWatch.attention(campaign, reason, sentence);
  };
  const listIsFresh = checkSuppressionAge(store, problem);
  const mayWrite = checkResults(store, problem, world);
  const hasLists = checkImports(store, problem, world);
  const lists = watchOpenings(options, world);
  const shut = neverOpen(store, world);
  // Shared by all runs, so that a campaign that is run again and again does not search for its doubts more often.
  const searches = createSearchLog(world.clock);
  const active = new Map<string, Promise<void>>();
  const restUntil = new Map<string, number>();
  const failures = new Folding(world.clock);
  let lost: AppError | undefined;
  while (!stopDialling.aborted && lost === undefined) {
    const now = world.clock.now();
    for (const campaign of await store.listCampaigns()) {
      const { id } = campaign;
      if (active.has(id)) {
        schedules.passes(campaign, now);
        lists.between(campaign, now);
        await shut.goesOn(campaign);
      }
      if (active.has(id) || now < (restUntil.get(id) ?? 0)) continue;
      const isStarted = campaign.kind === 'list' && campaign.state === 'running';
      const mayDial = isStarted && campaign.archivedAt === undefined;
      const hasOpened = lists.hasOpened(id);
      const isScheduled = mayDial && (hasOpened || (await schedules.isTime(campaign, now)));
      restUntil.set(id, now + REST_MS);
      if (mayDial && !hasOpened && lists.isDue(campaign, isScheduled, now)) {
        const work = lists.open(campaign, isScheduled, now).finally(() => {
          active.delete(id);
          restUntil.delete(id);
        });
        active.set(id, work);
        continue;
      }
      const { waiting, calling } = await store.progress(id, now);
      const isTime =
        isScheduled &&
        waiting + calling > 0 &&
        (await listIsFresh(campaign, now)) &&
        (await mayWrite(campaign)) &&
        (await hasLists(campaign));
      if (calling === 0 && !(isTime && waiting > 0)) continue;
      const run = serveOne(options, campaign, isTime, { searches, shut }, world)
        .catch((error: unknown) => {
          if (error instanceof AppError && LOST.includes(error.code)) lost = error;
          else {
            const why = asSentence(messageOf(error));
            const sentence = `${campaign.name}: ${why}`;
            const tellPeople = () =>
              void noticeWatch.attention(campaign, 'run_failed', why, 'each');
            // The campaign is run again after a few seconds and may fail like this all night, so repeats are combined.
            failures.add(
              sentence,
              () => {
                world.tell(sentence, 'problem');
                world.keepStack(error);
                tellPeople();
              },
              (count) => {
                world.tell(`${sentence} (${counted(count, 'more time')})`, 'problem');
                tellPeople();
              },
            );
          }
        })
        .finally(() => {
          active.delete(id);
          restUntil.set(id, world.clock.now() + REST_MS);
        });
      active.set(id, run);
    }
    await world.clock.sleep(LOOK_OVER_MS, stopDialling);
  }
  await Promise.all([...active.values(), lists.ended()]);
  failures.flush();
  if (lost !== undefined) throw lost;
}

async function serveOne(
  { store, feed, open, log, stop, onEvent, noticeWatch }: ServeOptions,
  campaign: Campaign,
  mayDial: boolean,
  { searches, shut }: { searches: SearchLog; shut: ReturnType<typeof neverOpen> },
  world: World,
): Promise<void> {
  const { id, name, settings } = campaign;
  const doubtsSince = world.clock.now() - SEARCH_BACK_MS;
  const others = await store.servicesWithOpenCalls(id, doubtsSince);
  const names = new Set([campaign.service, ...others]);
  const opened = [];
  for (const service of names) opened.push(await open(service));
  const [own] = opened;
  const collectFrom = opened.flatMap((each) => (each === undefined ? [] : [each.service]));
  const dialAt =
    mayDial && own !== undefined ? { service: own.service, maxCalls: own.config.maxCalls } : null;
  if (mayDial && own === undefined) {
    const why = `service ${campaign.service} could not be opened, so nobody is called`;
    const check = `\`callsheet doctor --service ${shellWord(campaign.service)}\` says why`;
    await noticeWatch.attention(campaign, 'service', `${why}; ${check}.`);
  }
  if (dialAt === null && collectFrom.length === 0) return;
  const holdsUntil = await suppressionHoldsUntil(campaign, store);
  const bounds = {
    limit: null,
    until: holdsUntil === Infinity ? null : holdsUntil,
    // With a schedule, a run ends and waits for its next time; without one, it waits for leads that are due later.
    waitUntil: settings.schedule === undefined ? Infinity : null,
  };
  if (dialAt !== null) {
    await fillPlaces(store, campaign);
    await shut.begins(campaign);
  }
  if (dialAt !== null) onEvent({ is: 'calling', campaign, bounds });
  const onNotice = (event: NoticeEvent) => {
    onEvent({ ...event, campaign: name });
  };
  const notices = foldNotices(log, onNotice, world.clock, { campaign: name });
  const before = await store.progress(id, world.clock.now());
  const end = await runCampaign({
    store,
    campaign,
    dialAt,
    collectFrom,
    clock: world.clock,
    owner: world.owner,
    isGone: (owner) => isGone(owner, world.owner),
    ...bounds,
    notify: (notice) => {
      notices.notify(notice);
      noticeWatch.heard(campaign, notice);
    },
    feed,
    searches,
    stopDialling: stop.dialling,
    stop: stop.all,
  }).finally(notices.flush);
  const after = await completeIfDone(store, campaign, world);
  const progress = await store.progress(id, world.clock.now());
  if (after.kind !== 'list') return;
  const results = progress.done === before.done ? null : await newResults(store, after, world);
  await noticeWatch.runEnded(after, await servedExit(after, progress, end), results);

  async function servedExit(now: Campaign, at: Progress, ended: RunEnd): Promise<ExitReason> {
    const interrupted = stop.dialling.aborted;
    const hours = await openHoursOf(now, store, world.clock.now());
    const exit = exitReason(now, at, world.clock.now(), { ...ended, interrupted, hours });
    await keepEndOfRun(store, now, { ...ended, interrupted, progress: at, hours });
    // Evidence of a fresh doubt may come yet; one that stays is told by itself.
    return exit.attention === 'doubts' ? { ...exit, attention: undefined } : exit;
  }
}

/** @returns the path of the file; null: results go elsewhere */
async function newResults(store: Store, campaign: Campaign, world: World): Promise<string | null> {
  const file = resultsFile(campaign, store.location, world.clock.now());
  if (file === '-') return null;
  const { rows } = await writeResultsFile(store, campaign, false, world);
  world.tell(`${campaign.name}: ${campaign.state}; results: ${file} (${counted(rows, 'row')}).`);
  return file;
}
