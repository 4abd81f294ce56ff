import { resolveSettings } from '../../config/settings.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { asSentence, shellWord } from '../../text/wording.ts';
import { campaignNight } from '../nights/nights.ts';
import { createNoticeWatch, type NoticeWatch } from '../notices/watch.ts';
import { findCampaign } from '../places/databases.ts';
import { homeOf } from '../places/home.ts';
import { targetOf } from '../places/list-or-campaign.ts';
import { commitPlan } from '../plan/commit-plan.ts';
import { withPlan, type PlanRequest } from '../plan/plan.ts';
import { knownServices, type OpenService, type ServiceRequest } from '../services/service.ts';
import type { World } from '../world.ts';
import type { TakingCampaign } from './import-staged.ts';
import { createListWatch } from './list-watch.ts';

/**
 * Takes the lists of a campaign's folders, globs and addresses before its run, and then runs it; a new campaign is made
 * for that, and calls nobody. For a campaign without such places nothing is done beforehand.
 */
export async function withListsTaken<T>(
  request: PlanRequest & { add: boolean; again: boolean },
  world: World,
  run: () => Promise<T>,
): Promise<T> {
  if (request.lists === undefined && (await haveSources(request, world)))
    await takeLists(request, world);
  return run();
}

/** A look at the settings alone: no list is read, and whatever is wrong with the request is told by the run itself. */
async function haveSources(request: PlanRequest, world: World): Promise<boolean> {
  try {
    const target = targetOf(request, world.cwd);
    const { name, settings, leads } = resolveSettings({
      ...request.given,
      cwd: world.cwd,
      file: target.file,
      sources: target.folder === undefined ? [] : [target.folder],
      home: homeOf(world).folder,
      defaults: { timezone: world.timezone, agent: 'any' },
    });
    if (settings.sources !== undefined) return true;
    if (leads.length + target.lists.length > 0) return false;
    const found = await findCampaign(name ?? target.name, request, world);
    return found?.campaign.settings.sources !== undefined;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function takeLists(
  request: PlanRequest & { add: boolean; again: boolean },
  world: World,
): Promise<void> {
  const { add, again } = request;
  await withPlan(request, world, 'change', async (plan) => {
    const options = { add, again, yes: false, purpose: 'import' } as const;
    const { store, campaign } = await commitPlan(plan, options, world);
    if (campaign.state === 'cancelled') return;
    const live = plan.opened.config.live;
    await takeNow({ store, campaign, live }, request, world);
    const { total } = await store.progress(campaign.id, world.clock.now());
    if (total === 0) world.tell(nothingThere(campaign), 'problem');
  });
}

function nothingThere({ name, settings: { sources } }: Campaign): string {
  const where = (sources?.from ?? []).join(' and ');
  return `No list is in ${where} yet, so nobody can be called: put one there and \`callsheet run ${shellWord(name)}\` again, or let \`callsheet serve\` wait for it.`;
}

/** Looks once at the places of a campaign; a refused list is told like one that `serve` finds. */
export async function takeNow(
  of: TakingCampaign,
  request: ServiceRequest,
  world: World,
): Promise<void> {
  const { notify: own = [] } = knownServices(request, world);
  const { refusedList: onRefused } = createNoticeWatch({ store: of.store, own }, world);
  const { services } = request;
  const watch = createListWatch({ world, stop: world.underway?.signal, onRefused });
  await watch.look({ ...of, services });
}

/** Looks every minute during a run, if the campaign is watched. */
export function watchWhile(
  of: TakingCampaign,
  noticeWatch: Pick<NoticeWatch, 'refusedList'>,
  world: World,
) {
  const ended = new AbortController();
  const { sources } = of.campaign.settings;
  const watch = createListWatch({
    world,
    stop: ended.signal,
    onRefused: noticeWatch.refusedList,
  });
  const looking = (async () => {
    if (sources?.watch !== true) return;
    for (;;) {
      await world.clock.sleep(LOOK_AGAIN_MS, ended.signal);
      if (ended.signal.aborted) return;
      await watch.look(of).catch((error: unknown) => {
        world.tell(`No lists are taken: ${asSentence(messageOf(error))}`, 'problem');
        world.keepStack(error);
      });
    }
  })();
  return {
    stop: async (): Promise<void> => {
      ended.abort();
      await looking;
    },
  };
}

/** With `watch`, places are looked at so often between openings. */
const LOOK_AGAIN_MS = 60_000;

interface WatchedCampaigns {
  store: Store;
  open: (service: string) => Promise<OpenService | undefined>;
  stop: { dialling: AbortSignal };
  noticeWatch: Pick<NoticeWatch, 'refusedList'>;
  /** See `TakingCampaign`. */
  services?: string | undefined;
}

/** Takes the lists of served campaigns: at each opening, and with `watch` every minute. */
export function watchOpenings(options: WatchedCampaigns, world: World) {
  const { store, open, stop, noticeWatch, services } = options;
  const watch = createListWatch({ world, stop: stop.dialling, onRefused: noticeWatch.refusedList });
  /** By campaign: when its places were looked at last, and in which of its nights. */
  const last = new Map<string, { at: number; night: string }>();
  const looking = new Map<string, Promise<void>>();

  /** A campaign's places are looked at once at a time. */
  const look = (campaign: Campaign, now: number): Promise<void> => {
    const { id, name, settings } = campaign;
    last.set(id, { at: now, night: campaignNight(now, settings).date });
    const running = looking.get(id);
    if (running !== undefined) return running;
    const work = open(campaign.service)
      .then((opened) =>
        opened === undefined
          ? undefined
          : watch.look({ store, campaign, live: opened.config.live, services }),
      )
      .catch((error: unknown) => {
        world.tell(`${name}: no lists are taken: ${asSentence(messageOf(error))}`, 'problem');
        world.keepStack(error);
      })
      .finally(() => looking.delete(id));
    looking.set(id, work);
    return work;
  };

  const isMinuteOver = ({ id, settings }: Pick<Campaign, 'id' | 'settings'>, now: number) =>
    settings.sources?.watch === true &&
    // Of either sign: the clock may have been set back.
    Math.abs(now - (last.get(id)?.at ?? -Infinity)) >= LOOK_AGAIN_MS;

  return {
    /**
     * Whether the places are to be looked at before the campaign is called: at its scheduled time, when this process
     * sees it first, and without a schedule in every new night; with `watch` also every minute while nothing of it is called.
     */
    isDue: ({ settings, id }: Campaign, opensNow: boolean, now: number): boolean => {
      if (settings.sources === undefined) return false;
      // With a schedule, its times are the openings; without one, each night is.
      const before = last.get(id)?.night;
      const isNew =
        settings.schedule === undefined
          ? before !== campaignNight(now, settings).date
          : before === undefined;
      return opensNow || isNew || isMinuteOver({ id, settings }, now);
    },
    open: look,
    /** Looks while a campaign is called, without waiting. */
    between: (campaign: Campaign, now: number): void => {
      if (campaign.state === 'running' && isMinuteOver(campaign, now)) void look(campaign, now);
    },
    /** Resolves once nothing is being taken. */
    ended: async (): Promise<void> => {
      await Promise.all(looking.values());
    },
  };
}
