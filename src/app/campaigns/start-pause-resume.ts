import { SIMULATED } from '../../config/services-file.ts';
import { onTheLine } from '../../domain/situation.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import type { Campaign, Progress } from '../../store/port.ts';
import { counted, shellWord, someOf } from '../../text/wording.ts';
import type { Paused } from '../../views/campaigns.ts';
import { isThere, locateDatabase, type DatabaseRequest } from '../places/home.ts';
import {
  databasePlaces,
  MOST_NAMES,
  namesIn,
  findCampaign,
  withCampaign,
  withStore,
  type IfVersion,
  type OpenCampaign,
} from '../places/databases.ts';
import type { CommitOptions } from '../plan/approve.ts';
import { commitPlan, requireVersion } from '../plan/commit-plan.ts';
import { withPlan, type PlanRequest } from '../plan/plan.ts';
import { whoWorks } from '../run/run-events.ts';
import { viewOf } from '../run/situation.ts';
import { historyEntry, type World } from '../world.ts';

type StartRequest = PlanRequest &
  IfVersion &
  Required<Pick<CommitOptions, 'yes' | 'again'>> & {
    /** A `serve` calls in this process; default: another process does. */
    served?: boolean;
    /** Calls at most, which only who calls can keep; null or left out: no limit. */
    limit?: number | null;
  };

/** Another process calls the campaign, at its schedule. */
const LATER = { atSchedule: true, forLater: true } as const;

/**
 * Starts an imported campaign, so that its leads may be called.
 *
 * @returns the campaign; its state is unchanged when the operator has paused it, or when no lead waits
 */
export async function startCampaign(request: StartRequest, world: World): Promise<Campaign> {
  refuseLimit(request);
  const { yes, again } = request;
  return withPlan({ ...request, ...LATER }, world, 'change', async (plan) => {
    await requireVersion(plan, request.ifVersion);
    const options = { add: false, yes, again, purpose: 'start' } as const;
    const { store, campaign } = await commitPlan(plan, options, world);
    const { id, state, pauseReason } = campaign;
    const name = shellWord(campaign.name);
    const { waiting, open } = await store.progress(id, world.clock.now());
    const { calls } = whoWorks(await store.runners(id), world);
    const collect = `\`callsheet collect ${name}\` brings in ${counted(open, 'open call')}. `;
    world.tell(
      pauseReason === 'operator'
        ? `Campaign "${campaign.name}" is paused; \`callsheet resume ${name}\` starts it.`
        : waiting === 0
          ? `Campaign "${campaign.name}" is ${state}: nobody waits to be called. ${open === 0 ? '' : collect}${bringsPeople(campaign)}.`
          : `Campaign "${campaign.name}" is started; ${whoCalls(calls, campaign, 'calls', request)}.`,
    );
    return campaign;
  });
}

/** Lifts a pause; starts a draft, and a campaign that is complete but for people who came later. */
export async function startOrResume(request: StartRequest, world: World) {
  const found = await storedOf(request, world);
  if (found !== undefined && !(await mayStart(found, world))) return resumeCampaign(request, world);
  const campaign = await startCampaign(request, world);
  return { campaign, changed: campaign.state !== found?.campaign.state };
}

type Stored = NonNullable<Awaited<ReturnType<typeof findCampaign>>>;

/** The stored campaign; one of the same name may be in the database of rehearsals. */
async function storedOf(request: StartRequest, world: World): Promise<Stored | undefined> {
  const { list, service, serviceUrl } = request;
  if (service === undefined && serviceUrl === undefined) return findCampaign(list, request, world);
  const place = locateDatabase(request, world, service === SIMULATED);
  return findCampaign(list, request, world, [place].filter(isThere));
}

async function mayStart({ place, campaign: { id, state } }: Stored, world: World) {
  if (state !== 'completed') return state === 'draft';
  const now = world.clock.now();
  return withStore(place, 'read', world, async (store) => {
    return (await store.progress(id, now)).waiting > 0;
  });
}

/** Lifts a pause. @throws AppError as `withPlan` and `commitPlan`, and `CAMPAIGN_CHANGED` (exit 2) */
export async function resumeCampaign(request: StartRequest, world: World) {
  const { list, service, serviceUrl, yes, again } = request;
  const nothingToResume = async (campaign: Campaign) => {
    const { name, state } = campaign;
    const { situation, exit } = await withCampaign(
      { ...request, campaign: name },
      world,
      'read',
      viewOf,
    );
    const more =
      state === 'completed'
        ? `${bringsPeople(campaign)}.`
        : state === 'cancelled'
          ? `\`callsheet cancel ${shellWord(name)} --undo\` takes that back.`
          : exit.why;
    world.tell(`Campaign "${name}" is ${situation.shown}, not paused: nothing to resume. ${more}`);
    return { campaign, changed: false };
  };
  // Without a service flag, the stored state may already show that nothing is paused; then no key is needed.
  const isPlain = service === undefined && serviceUrl === undefined;
  const stored = isPlain ? await findCampaign(list, request, world) : undefined;
  if (stored !== undefined && stored.campaign.state !== 'paused')
    return nothingToResume(stored.campaign);
  return withPlan({ ...request, ...LATER }, world, 'change', async (plan) => {
    if (plan.campaign !== undefined && plan.campaign.state !== 'paused')
      return nothingToResume(plan.campaign);
    await requireVersion(plan, request.ifVersion);
    const options = { add: false, yes, again, purpose: 'resume' } as const;
    const { store, campaign } = await commitPlan(plan, options, world);
    if (campaign.state === 'cancelled') return nothingToResume(campaign);
    const { calls } = whoWorks(await store.runners(campaign.id), world);
    const next = whoCalls(calls, campaign, 'goes on', request);
    world.tell(`Campaign "${campaign.name}" is resumed; ${next}.`);
    return { campaign, changed: true };
  });
}

function refuseLimit({ list, limit = null }: StartRequest): void {
  if (limit === null) return;
  throw usageError(
    'LIMIT_NOT_KEPT',
    `A limit of ${counted(limit, 'call')} cannot be kept: \`callsheet serve\` calls the campaign.`,
    `\`callsheet set ${shellWord(list)} stop.calls=${limit}\` ends each of its nights there`,
  );
}

function whoCalls(
  runner: string | null,
  { name, settings }: Campaign,
  does: 'calls' | 'goes on',
  { served = false }: Pick<StartRequest, 'served'>,
): string {
  if (served && settings.schedule !== undefined) return '`callsheet serve` calls at its schedule';
  if (served) return `\`callsheet serve\` ${does}`;
  if (runner !== null) return `the runner (${runner}) ${does}`;
  const run = `\`callsheet run ${shellWord(name)}\``;
  if (settings.schedule === undefined) return `${run} calls`;
  return `\`callsheet serve\` calls at its schedule, ${run} at once`;
}

function bringsPeople({ name, settings }: Campaign): string {
  if (settings.sources !== undefined)
    return `\`callsheet serve\` takes lists from ${settings.sources.from.join(' and ')}`;
  return `\`callsheet import ${shellWord(name)} <list>\` brings people in`;
}

/** Either `campaign`, the name of one campaign, or `all` for every running one. */
type PauseRequest = DatabaseRequest & IfVersion & { campaign?: string | undefined; all: boolean };

/** Pauses one campaign, or all that run: no new call starts, and calls in progress end by themselves. */
export async function pauseCampaigns(request: PauseRequest, world: World): Promise<Paused[]> {
  const { campaign: name, all } = request;
  if (all === (name !== undefined)) throw await oneOrAll(request, world);
  if (name !== undefined) {
    const one = { ...request, campaign: name };
    return withCampaign(one, world, 'write', async (open) => [
      await pauseOne(open, request.ifVersion),
    ]);
  }
  const paused: Paused[] = [];
  for (const place of databasePlaces(request, world)) {
    await withStore(place, 'write', world, async (store) => {
      for (const campaign of await store.listCampaigns())
        if (mayGoOn(campaign)) paused.push(await pauseOne({ store, campaign, world }));
    });
  }
  if (paused.length === 0) world.tell('No campaign is running; `callsheet list` shows them all.');
  return paused;
}

/** What callsheet has paused by itself goes on with the next run, or with another key. */
function mayGoOn({ kind, state, pauseReason, archivedAt }: Campaign): boolean {
  const isHeld = state === 'paused' && pauseReason !== 'operator';
  return state === 'running' || (isHeld && kind === 'list' && archivedAt === undefined);
}

async function oneOrAll(request: PauseRequest, world: World): Promise<AppError> {
  const { campaign } = request;
  if (campaign !== undefined) {
    return usageError(
      'USAGE',
      `Both "${campaign}" and --all are given; it is one or the other.`,
      `\`callsheet pause ${shellWord(campaign)}\` pauses that one, \`callsheet pause --all\` every one that was started`,
    );
  }
  const places = databasePlaces(request, world);
  const names = (await Promise.all(places.map((place) => namesIn(place, world, 'running')))).flat();
  const running =
    names.length === 0 ? 'no campaign is running' : `started: ${someOf(names, MOST_NAMES)}`;
  return usageError(
    'USAGE',
    `Name one campaign, or give --all; ${running}.`,
    '`callsheet list` shows all campaigns',
  );
}

async function pauseOne(
  { store, campaign, world }: OpenCampaign,
  ifVersion?: number,
): Promise<Paused> {
  const { id, name, state: before, pauseReason } = campaign;
  const pause = { reason: 'operator', detail: `paused by ${world.user}` } as const;
  const entry = historyEntry(world, 'campaign.paused', { before });
  const isHeld = pauseReason === 'operator';
  const { state } = isHeld ? campaign : await store.changeCampaign(id, { pause, ifVersion }, entry);
  if (isHeld || state !== 'paused') {
    world.tell(
      isHeld
        ? `Campaign "${name}" was ${campaign.pauseDetail ?? 'paused'} already.`
        : `Campaign "${name}" is ${state}; it calls nobody anyway.`,
    );
    return { campaign: name, state, held: null, changed: false };
  }
  const progress = await store.progress(id, world.clock.now());
  const { held } = progress;
  world.tell(
    `Campaign "${name}" is paused: no new call is started.${inProgress(progress)} \`callsheet resume ${shellWord(name)}\` goes on.`,
  );
  return { campaign: name, state, held, changed: true };
}

/** A sentence about calls in progress; the service has no hang-up, so they end by themselves. */
export function inProgress(progress: Progress): string {
  const held = onTheLine(progress);
  if (held === 0) return '';
  return held === 1
    ? ' 1 call in progress ends by itself.'
    : ` ${counted(held, 'call')} in progress end by themselves.`;
}
