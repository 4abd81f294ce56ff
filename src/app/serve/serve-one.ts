import { shownState } from '../../domain/situation.ts';
import type { SearchLog } from '../../collect/polling/list-evidence.ts';
import { SEARCH_BACK_MS } from '../../domain/polling/search-plan.ts';
import { MINUTE_MS } from '../../domain/time-units.ts';
import { fillPlaces } from '../../leads/rows/row-person.ts';
import { runCampaign, type RunEnd } from '../../run-campaign.ts';
import { AppError } from '../../runtime/errors.ts';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, Progress, Store } from '../../store/port.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { isLost } from '../monitoring/monitor.ts';
import { keepEndOfRun } from '../nights/ended-nights.ts';
import { openHoursOf } from '../plan/planned-hours.ts';
import { writeResultsFile } from '../results/results-file.ts';
import { completeIfDone } from '../run/watched-run.ts';
import { viewOf } from '../run/situation.ts';
import { foldNotices, keepTrouble, type NoticeEvent } from '../run/run-events.ts';
import { suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import type { World } from '../world.ts';
import type { neverOpen, ServeOptions, TellProblem } from './serve-options.ts';

/** What the runs of a server share, and until when (epoch ms) this one may call; null: it only collects. */
interface ServedRun {
  searches: SearchLog;
  shut: ReturnType<typeof neverOpen>;
  results: ServedResults;
  callsUntil: number | null;
}

/**
 * Runs a campaign of a server until its night is over or nobody is left, and writes its results.
 *
 * @returns until when another run would find nothing to do; undefined: that is not known
 */
export async function serveOne(
  { store, feed, open, log, stop, onEvent, noticeWatch }: ServeOptions,
  campaign: Campaign,
  { searches, shut, results, callsUntil }: ServedRun,
  world: World,
): Promise<Idle | undefined> {
  const { id, name } = campaign;
  const mayDial = callsUntil !== null;
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
  if (dialAt === null && collectFrom.length === 0) return undefined;
  // People who are due later in the night are waited for, and nobody is called after its end.
  const waitUntil = callsUntil ?? Infinity;
  const holdsUntil = await suppressionHoldsUntil(campaign, store);
  const until = Math.min(holdsUntil, waitUntil);
  const bounds = { limit: null, until: until === Infinity ? null : until, waitUntil };
  if (dialAt !== null) {
    await fillPlaces(store, campaign);
    await shut.begins(campaign);
    const { now: open, next } = await openHoursOf(campaign, store, world.clock.now());
    onEvent({ is: 'calling', campaign, bounds, opensAt: open > 0 ? null : (next?.at ?? null) });
  }
  const onNotice = (event: NoticeEvent) => onEvent({ ...event, campaign: name });
  const notices = foldNotices(log, onNotice, world.clock, { campaign: name });
  const trouble = keepTrouble(store, campaign, world);
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
    patientUntil: waitUntil,
    readsFirst: true,
    notify: (notice) => {
      notices.notify(notice);
      noticeWatch.heard(campaign, notice);
      trouble.heard(notice);
    },
    feed,
    searches,
    stopDialling: stop.dialling,
    stop: stop.all,
  }).finally(notices.flush);
  await trouble.kept();
  const after = await completeIfDone(store, campaign, world);
  const progress = await store.progress(id, world.clock.now());
  if (after.kind !== 'list') return undefined;
  const isNew = progress.done !== before.done || (await results.isBehind(id));
  const written = isNew ? await results.write(after) : null;
  await noticeWatch.runEnded(after, await servedExit(after, end), written);
  const needsChange = end.dispatch === 'budget' || end.dispatch === 'shut';
  const nextAt = needsChange ? Infinity : end.nextAt;
  return end.drained && nextAt !== null ? { until: nextAt, ...progress } : undefined;

  async function servedExit(campaign: Campaign, ended: RunEnd) {
    const interrupted = stop.dialling.aborted;
    // Nobody has given --until: a night has ended.
    const dispatch = ended.dispatch === 'until' ? 'later' : ended.dispatch;
    // Nobody has to run anything for it to go on.
    const suppressionTooOld = ended.dispatch === 'until' && world.clock.now() >= holdsUntil;
    const seen = {
      ...{ ...ended, dispatch, interrupted, suppressionTooOld },
      calledBy: '`callsheet serve`',
    };
    const view = await viewOf({ store, campaign, world }, seen);
    await keepEndOfRun(store, campaign, { ...seen, ...view });
    // Evidence of a fresh doubt may come yet; one that stays is told by itself.
    const { attention, ...exit } = view.exit;
    return attention === 'doubts' ? exit : view.exit;
  }
}

type ServedResults = ReturnType<typeof servedResults>;

/**
 * Writes results after runs; what cannot be written (its folder is away, the disk is full) is told and tried again a
 * minute later, also by the next process.
 */
export function servedResults(store: Store, problem: TellProblem, world: World) {
  /** When they were tried in vain (monotonic, ms), by campaign; -Infinity: before this process; null: they are there. */
  const owed = new Map<string, number | null>();
  /** How many calls with a result the file has, by campaign; a process takes what it finds for complete. */
  const inFile = new Map<string, number>();

  /** @returns the path of the file; null: results go elsewhere, or could not be written yet */
  const write = async (campaign: Campaign): Promise<string | null> => {
    const { id, name, state, settings } = campaign;
    const keep = (what: string, why = '') =>
      store
        .addHistory(id, { at: world.clock.now(), who: 'callsheet', what, detail: { why } })
        .catch(world.keepStack);
    if (settings.results.file === '-') return null;
    const tried = owed.get(id) ?? null;
    try {
      const known = await store.callsWithResult(id);
      const { rows, path } = await writeResultsFile(store, campaign, false, world);
      if (tried !== null) await keep('results.written');
      owed.set(id, null);
      inFile.set(id, known);
      world.tell(
        `${name}: ${shownState(state, false)}; results: ${path ?? ''} (${counted(rows, 'row')}).`,
      );
      return path;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, hint = '' } = error;
      if (isLost(error)) throw error;
      owed.set(id, world.clock.monotonic());
      if (tried !== null && tried > -Infinity) return null;
      problem(campaign, 'results', `${message} It is tried again: ${hint}.`);
      await keep('results.owed', message);
      return null;
    }
  };

  /** Whether a call has got its result, transcript and cost since: also late, of somebody who was done. */
  const isBehind = async (id: string): Promise<boolean> => {
    const known = await store.callsWithResult(id);
    if (!inFile.has(id)) inFile.set(id, known);
    return inFile.get(id) !== known;
  };

  return {
    write,
    isBehind,
    /** To be called again and again while no run writes them. */
    catchUp: async (campaign: Campaign): Promise<void> => {
      const { id, kind } = campaign;
      if (kind === 'list' && !owed.has(id)) {
        const last = (await store.history(id)).findLast(({ what }) => what.startsWith('results.'));
        owed.set(id, last?.what === 'results.owed' ? -Infinity : null);
      }
      const tried = owed.get(id) ?? null;
      const isTime =
        tried === null
          ? kind === 'list' && (await isBehind(id))
          : world.clock.monotonic() - tried >= MINUTE_MS;
      if (isTime) await write(campaign);
    },
  };
}

/** A campaign for which there was nothing to do, or whose run has ended, is looked at again after this. */
const REST_MS = 5_000;

/** That nothing can be done for a campaign until a moment (epoch ms), as long as these counts stay as they are. */
interface Idle extends Counts {
  until: number;
}

type Counts = Pick<Progress, 'total' | 'waiting' | 'calling' | 'open'>;

/**
 * Which campaigns of a server rest. A look counts the leads of a campaign, so it is made every few seconds only; whatever
 * another command changes of the campaign or its lists ends the rest at once.
 */
export function createRests(store: Pick<Store, 'lists'>) {
  /** `at` (epoch ms): when the rest began. */
  const resting = new Map<string, { at: number; as: string; idle: Idle | undefined }>();

  const asStored = async ({ id, ...campaign }: Campaign): Promise<string> =>
    JSON.stringify([campaign, await store.lists(id)]);

  return {
    isResting: async (campaign: Campaign, now: number): Promise<boolean> => {
      const rest = resting.get(campaign.id);
      // A clock that was set back since must not make the rest longer.
      if (rest === undefined || Math.abs(now - rest.at) >= REST_MS) return false;
      return rest.as === (await asStored(campaign));
    },
    begin: async (campaign: Campaign, now: number): Promise<void> => {
      const as = await asStored(campaign);
      const before = resting.get(campaign.id);
      const holds = before?.as === as && before.at <= now;
      resting.set(campaign.id, { at: now, as, idle: holds ? before.idle : undefined });
    },
    /** Whether its last run has found that there is nothing to do yet, and nothing has changed since. */
    isIdle: (campaignId: string, now: number, counts: Counts): boolean => {
      const idle = resting.get(campaignId)?.idle;
      if (idle === undefined || now >= idle.until) return false;
      return (['total', 'waiting', 'calling', 'open'] as const).every(
        (key) => idle[key] === counts[key],
      );
    },
    /** Its run has ended. It rests as it was stored at the last look: what was changed since ends the rest. */
    again: (campaignId: string, now: number, idle: Idle | undefined): void => {
      const rest = resting.get(campaignId);
      if (rest !== undefined) Object.assign(rest, { at: now, idle });
    },
    end: (campaignId: string): void => {
      resting.delete(campaignId);
    },
  };
}
