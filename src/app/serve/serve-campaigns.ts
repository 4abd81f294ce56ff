import { createSearchLog } from '../../collect/polling/list-evidence.ts';
import { title } from '../../domain/calling/policy.ts';
import { MINUTE_MS } from '../../domain/time-units.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import { Folding } from '../../runtime/log.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { asSentence, counted } from '../../text/wording.ts';
import { watchOpenings } from '../lists/lists-of-run.ts';
import { isLost } from '../monitoring/monitor.ts';
import { budgetClause, budgetOf } from '../nights/budgets.ts';
import type { StopSignals } from '../run/run-events.ts';
import { checkSuppressionAge } from '../suppression/suppression-age.ts';
import type { World } from '../world.ts';
import { createRests, servedResults, serveOne } from './serve-one.ts';
import { createSchedules } from './schedules.ts';
import {
  checkImports,
  checkResults,
  neverOpen,
  type ServeOptions,
  type TellProblem,
} from './serve-options.ts';

/**
 * Lets runs follow the keys of their services: a run in progress is ended when its service has another key, and begins
 * again with that one; a campaign that was paused because its key was refused goes on once the service takes another.
 */
function watchKeys({ store, open, stop }: ServeOptions, world: World) {
  /** The key of the last run, or of the last test, by campaign. */
  const used = new Map<string, string | null | undefined>();
  const runs = new Map<string, AbortController>();

  const isUsed = async ({ id, service }: Campaign): Promise<boolean> => {
    const opened = await open(service);
    return opened === undefined || (used.has(id) && used.get(id) === opened.config.key);
  };

  return {
    /** To be called before a run. @returns the signals that stop it */
    begins: async ({ id, service }: Campaign): Promise<StopSignals> => {
      used.set(id, (await open(service))?.config.key);
      const halt = new AbortController();
      runs.set(id, halt);
      const or = (signal: AbortSignal) => AbortSignal.any([signal, halt.signal]);
      return { ...stop, dialling: or(stop.dialling), all: or(stop.all) };
    },
    /** To be called again and again during a run. */
    goesOn: async (campaign: Campaign): Promise<void> => {
      if (used.has(campaign.id) && !(await isUsed(campaign))) runs.get(campaign.id)?.abort();
    },
    /** True for a campaign that was paused because its key was refused, once there is a key that it has not used. */
    mayBeMended: async (campaign: Campaign): Promise<boolean> =>
      campaign.pauseReason === 'key' &&
      campaign.state === 'paused' &&
      campaign.archivedAt === undefined &&
      !(await isUsed(campaign)),
    /** Asks the service with the new key, and ends the pause if it takes that. */
    lift: async ({ id, name, service }: Campaign): Promise<void> => {
      const opened = await open(service);
      if (opened === undefined) return;
      const { key, keyAt = '' } = opened.config;
      const found = await opened.service.probe();
      // A service that is down is asked again.
      if (!found.ok && !found.keyRefused) return;
      used.set(id, key);
      if (!found.ok) return;
      const detail = { key: keyAt };
      const entry = { at: world.clock.now(), who: 'callsheet', what: 'campaign.resumed', detail };
      const { state } = await store.changeCampaign(id, { state: 'running' }, entry);
      if (state !== 'running') return;
      world.tell(`${name}: the service takes the key in ${keyAt}, so calling goes on.`, 'problem');
    },
  };
}

/** How often budgets are looked at, to tell that one is used up. */
const LOOK_EVERY_MS = MINUTE_MS;

/** Tells which budget holds a campaign back, once a night; a budget of the whole campaign needs a person. */
function tellBudgets(
  store: Pick<Store, 'budget' | 'placesOf'>,
  problem: TellProblem,
  world: World,
) {
  /** When budgets were looked at last, on the monotonic clock, by campaign. */
  const lookedAt = new Map<string, number>();
  /** What was told last, by campaign. */
  const told = new Map<string, string>();
  return {
    /** Asked again and again in the nights of a campaign; the claim alone decides. */
    look: async (campaign: Campaign, now: number): Promise<void> => {
      const { id, name, settings } = campaign;
      const monotonic = world.clock.monotonic();
      const sinceMs = monotonic - (lookedAt.get(id) ?? -Infinity);
      if (settings.stop === undefined || sinceMs < LOOK_EVERY_MS) return;
      lookedAt.set(id, monotonic);
      const budget = await budgetOf(campaign, store, now);
      const clause = budgetClause(budget, campaign);
      // Calls in progress give back what they do not use.
      if (budget?.limit == null || clause === null || budget.limit.until === 'calls_end') return;
      const what = `${budget.night.date} ${budget.limit.by}`;
      if (told.get(id) === what) return;
      told.set(id, what);
      const sentence = `${title(clause)}.`;
      if (budget.limit.until === 'change') problem(campaign, 'budget', sentence);
      else world.tell(`${name}: ${sentence}`);
    },
  };
}

/** How often the campaigns are checked, so that one that was started meanwhile is dialled. */
const LOOK_OVER_MS = 1_000;
/** After a check that has failed, each pause is twice as long as the last one, up to this. */
const LONGEST_PAUSE_MS = 16_000;

/**
 * Until it is stopped, dials every campaign that was started, collects open calls, and writes results. A check that
 * fails, because of a lock or a full disk, is told and repeated.
 *
 * @throws AppError see `isLost`, once the calls in progress have ended
 */
export async function serveCampaigns(given: ServeOptions, world: World): Promise<void> {
  const { store, noticeWatch, stop } = given;
  const ending = new AbortController();
  const stopDialling = AbortSignal.any([stop.dialling, ending.signal]);
  const options = { ...given, stop: { ...stop, dialling: stopDialling } };
  const problem: TellProblem = (campaign, reason, sentence) => {
    world.tell(`${campaign.name}: ${sentence}`, 'problem');
    void noticeWatch.attention(campaign, reason, sentence);
  };
  const schedules = createSchedules(store, problem, world);
  const budgets = tellBudgets(store, problem, world);
  const listIsFresh = checkSuppressionAge(store, problem);
  const mayWrite = checkResults(store, problem, world);
  const hasLists = checkImports(store, problem, world);
  const lists = watchOpenings(options, world);
  const shut = neverOpen(store, world);
  const results = servedResults(store, problem, world);
  // Shared by all runs, so that a campaign that is run again and again does not search for its doubts more often.
  const searches = createSearchLog(world.clock);
  const active = new Map<string, Promise<void>>();
  const rests = createRests(store);
  /** Campaigns whose time has just come, until their lists were looked at. */
  const opening = new Set<string>();
  /** Campaigns that could not be looked after, and when (monotonic, ms) they are looked at again. */
  const troubled = new Map<string, { pauseMs: number; until: number }>();
  const keys = watchKeys(options, world);
  const failures = new Folding(world.clock);
  let lost: AppError | undefined;
  // What fails is tried again after a few seconds and may fail all night, so repeats are combined.
  const failed = (error: unknown, campaign?: Campaign, what = campaign?.name) => {
    if (isLost(error)) {
      lost = error;
      ending.abort();
      return;
    }
    const why = asSentence(messageOf(error));
    const sentence = `${what ?? 'Campaigns cannot be looked after'}: ${why}`;
    failures.add(sentence, (times) => {
      const more = times === undefined ? '' : ` (${counted(times, 'more time')})`;
      world.tell(`${sentence}${more}`, 'problem');
      if (campaign !== undefined) void noticeWatch.attention(campaign, 'run_failed', why);
      if (times === undefined) world.keepStack(error);
    });
  };

  const onLost = () => failed(given.lost?.reason);
  if (given.lost?.aborted === true) onLost();
  else given.lost?.addEventListener('abort', onLost);

  /** Begins what is due for each campaign: one that cannot be looked after does not hold up the others. */
  async function lookOver(now: number): Promise<void> {
    for (const campaign of await store.listCampaigns()) {
      const trouble = troubled.get(campaign.id);
      if (trouble !== undefined && world.clock.monotonic() < trouble.until) continue;
      try {
        await lookAt(campaign, now);
        troubled.delete(campaign.id);
      } catch (error) {
        // A lock or a full disk concerns every campaign: the round ends, and is told once.
        if (error instanceof AppError && error.code.startsWith('STORE_')) throw error;
        failed(error, campaign, `${campaign.name} cannot be looked after`);
        const pauseMs = Math.min(2 * (trouble?.pauseMs ?? LOOK_OVER_MS), LONGEST_PAUSE_MS);
        troubled.set(campaign.id, { pauseMs, until: world.clock.monotonic() + pauseMs });
      }
    }
  }

  /** Begins what is due for a campaign, and does not wait for it. */
  async function lookAt(campaign: Campaign, now: number): Promise<void> {
    const { id } = campaign;
    const isStarted = campaign.kind === 'list' && campaign.state === 'running';
    const mayDial = isStarted && campaign.archivedAt === undefined;
    const due = mayDial ? await schedules.look(campaign, now) : null;
    if (due?.opensNow === true) opening.add(id);
    if (due?.isOpen === true) await budgets.look(campaign, now);
    if (active.has(id)) {
      lists.between(campaign, now);
      await shut.goesOn(campaign);
      await keys.goesOn(campaign);
      return;
    }
    if (await keys.mayBeMended(campaign)) {
      active.set(
        id,
        keys
          .lift(campaign)
          .catch(failed)
          .finally(() => active.delete(id)),
      );
      return;
    }
    if (!opening.has(id) && (await rests.isResting(campaign, now))) return;
    await rests.begin(campaign, now);
    await results.catchUp(campaign);
    if (mayDial && lists.isDue(campaign, opening.has(id), now)) {
      opening.delete(id);
      const work = lists.open(campaign, now).finally(() => {
        active.delete(id);
        rests.end(id);
      });
      active.set(id, work);
      return;
    }
    const progress = await store.progress(id, now);
    const { waiting, calling, open } = progress;
    if (!opening.delete(id) && rests.isIdle(id, now, progress)) return;
    const isTime =
      due?.isOpen === true &&
      waiting + calling > 0 &&
      (await listIsFresh(campaign, now)) &&
      (await mayWrite(campaign)) &&
      (await hasLists(campaign));
    // A call of somebody who was withdrawn may be found, and is read.
    if (calling + open === 0 && !(isTime && waiting > 0)) return;
    const callsUntil = isTime ? due.until : null;
    const stopped = await keys.begins(campaign);
    const run = serveOne(
      { ...options, stop: stopped },
      campaign,
      { searches, shut, results, callsUntil },
      world,
    )
      .catch((error: unknown) => {
        failed(error, campaign);
        return undefined;
      })
      .then((idle) => {
        active.delete(id);
        rests.again(id, world.clock.now(), idle);
      });
    active.set(id, run);
  }

  let pauseMs = LOOK_OVER_MS;
  while (!stopDialling.aborted) {
    options.onRound?.();
    try {
      await lookOver(world.clock.now());
      pauseMs = LOOK_OVER_MS;
    } catch (error) {
      failed(error);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    await world.clock.sleep(pauseMs, stopDialling);
  }
  await Promise.all([...active.values(), lists.ended()]);
  failures.flush();
  if (lost !== undefined) throw lost;
}
