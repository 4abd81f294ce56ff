import { invalidFlag, type FlagsInput } from '../../config/campaign-file.ts';
import { resolveSettings, type SettingsInput } from '../../config/settings.ts';
import type { Agent } from '../../service/port.ts';
import type { Campaign, List, Progress, Store } from '../../store/port.ts';
import { fillPlaces } from '../../leads/rows/row-person.ts';
import {
  choosePlace,
  databasePlaces,
  namesService,
  openExisting,
  openPatiently,
  unknownCampaign,
} from '../places/databases.ts';
import { homeOf, requireMayCreate, requireSaidHome, type DatabasePlace } from '../places/home.ts';
import { askForAgent, flagsOf, type Beginning } from '../services/agents.ts';
import { requireAllowed } from '../notices/send.ts';
import type { World } from '../world.ts';
import {
  AS_FOUND,
  listPaths,
  readLists,
  withList,
  type ListInput,
  type ListPath,
  type PlannedLists,
} from './plan-lists.ts';
import { nobodyToCall, withForetold } from '../lists/scan-places.ts';
import { keepingOptOuts } from '../lists/keep-opt-outs.ts';
import { countToCall, plannedHours, type PlannedHours } from './planned-hours.ts';
import { nobodyChoseRules } from '../rules/rules.ts';
import {
  chooseService,
  knownServices,
  openService,
  profileOf,
  refuseSimulatedMix,
  requireListKey,
  type ServiceRequest,
} from '../services/service.ts';
import {
  targetOf,
  withoutLeads,
  type Target,
  type TargetRequest,
} from '../places/list-or-campaign.ts';
import { sentPaths } from '../lists/look.ts';
import { isTogether, unfinishedImport, type UnfinishedImport } from './unfinished-import.ts';

/** Everything that is known before the first change: what would be called, where, with which settings. */
export interface Plan extends PlannedLists, PlannedHours, Beginning {
  target: Target;
  place: DatabasePlace;
  /** Undefined while there is no database; `createStore` creates it. */
  store: Store | undefined;
  progress: Progress | undefined;
  /** The agent as the service returned it; null: not among those that could be read; undefined: not looked up. */
  agentSeen: Agent | null | undefined;
  input: ListInput;
  /** An import that was broken off and that this plan continues. */
  goesOn: List | undefined;
  /** An unfinished import that this plan does not continue: nobody is called until it is finished. */
  unfinished: UnfinishedImport | undefined;
  /** Leads that can be called, now or later: those that wait, and the new ones of the lists. */
  toCall: number;
  /** Returns the store, and creates a missing database. Only for plans made with `to: 'change'`. */
  createStore(): Promise<Store>;
  /** This plan for a campaign that another process has created meanwhile: checked and read as in a second run. */
  join(campaign: Campaign): Promise<Plan>;
}

export interface PlanRequest extends ServiceRequest, TargetRequest {
  lists?: readonly ListPath[] | undefined;
  /** Settings as typed; they override the campaign file and the stored settings. */
  given?: Omit<FlagsInput, 'cwd'>;
  /** How the lists are to be read; default: as they are found. */
  input?: ListInput;
  yes?: boolean | undefined;
  /** The given lists are complete, together. */
  sync?: boolean;
  /** The given list replaces an import that was broken off, which is not continued. */
  instead?: boolean;
  /** People are called at the times of the campaign's schedule, if it has one. Default: at once. */
  atSchedule?: boolean;
  /** This process calls nobody. Default: it may. */
  forLater?: true;
}

/** Placeholder for the agent until the embedded service is asked for its first one. */
const ANY_AGENT = 'any';

/**
 * Reads target, stored campaign, settings, lists and service, in the order in which mistakes cost least, and creates no
 * file. Everything that the plan has opened is closed when `use` has ended.
 *
 * @param to `change` opens the database for dialling, and refuses a missing one that must not be created;
 *   `try` refuses the same and only reads; `look` only reads
 * @param ask runs before the lists are read (after them for the embedded service), so that a refusal comes without a
 *   long wait. Default: checks that the service has the agent
 * @throws AppError of every part; all of them before anything was written or anybody called
 */
export async function withPlan<T>(
  request: PlanRequest,
  world: World,
  to: 'change' | 'try' | 'look',
  use: (plan: Plan) => Promise<T>,
  ask: Ask = askForAgent,
): Promise<T> {
  const undo: (() => Promise<void>)[] = [];
  try {
    return await use(await makePlan(request, world, to, ask, undo));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

type Ask = (beginning: Beginning, world: World) => Promise<Agent | null | undefined>;

async function makePlan(
  request: PlanRequest,
  world: World,
  to: 'change' | 'try' | 'look',
  ask: Ask,
  undo: (() => Promise<void>)[],
): Promise<Plan> {
  const { input = AS_FOUND } = request;
  const target = targetOf(request, world.cwd);
  // Filled in as soon as the service, its profile and the stored campaign are known.
  const known: Partial<SettingsInput['defaults']> = {};
  const settingsOf = (agent: string | undefined, stored?: Campaign) =>
    resolveSettings({
      ...request.given,
      cwd: world.cwd,
      file: target.file,
      sources: target.folder === undefined ? [] : [target.folder],
      stored: stored?.settings,
      home: homeOf(world).folder,
      defaults: { timezone: world.timezone, agent, ...known },
    });
  const given = settingsOf(ANY_AGENT);
  requireAllowed(given.settings, knownServices(request, world));
  requireListKey(given.settings.sources, request, world);
  const name = given.name ?? target.name;
  if (to !== 'look' && target.lists.includes('-') && given.name === undefined) {
    throw invalidFlag('A list from standard input has no name; give the campaign one with --name.');
  }
  const lists = given.leads.length > 0 ? given.leads : target.lists;
  const givenPaths = request.lists ?? (await listPaths(lists, world, undo));
  const place = await choosePlace(name, given, request, world);
  const toWrite = request.forLater === true ? 'plan' : 'dial';
  const store = await openExisting(place, to === 'change' ? toWrite : 'read', world);
  if (store !== undefined) undo.push(() => store.close());
  const campaign = await store?.findCampaign(name);
  const found = campaign && store && (await unfinishedImport(store, campaign, world));
  // What was sent to a draft is imported by whatever calls it.
  const sent = campaign && store ? await sentPaths(await store.lists(campaign.id), world) : [];
  const allPaths = [...sent, ...givenPaths];
  // One that is given again to be complete with others is one of them, and not only continued.
  const isAmong = request.sync === true && allPaths.some(({ path }) => path === found?.list.path);
  const mayResume = found?.is === 'resumable' && request.instead !== true && !isAmong;
  const goesOn = mayResume ? found.list : undefined;
  const isOneOfAll = found?.is === 'together' && request.sync === true && request.instead !== true;
  const opens = goesOn ?? (isOneOfAll ? found.list : undefined);
  const paths =
    opens === undefined ? allPaths : withList(opens, allPaths, isOneOfAll ? 'input' : 'goesOn');
  if (campaign === undefined && paths.length === 0 && given.settings.sources === undefined) {
    if (target.file !== undefined) throw withoutLeads(target.file, name);
    const searched = namesService(given) ? [place] : databasePlaces(request, world);
    throw await unknownCampaign(name, searched, request, world);
  }

  const config = chooseService(request, world, {
    choice: given.service,
    // A draft may have none yet.
    stored: campaign?.service || undefined,
    beside: target.file?.folder,
  });
  known.live = config.live;
  known.serviceFlags = flagsOf(config);
  let made: Store | undefined;
  const createStore = async () => {
    if (store !== undefined) return store;
    const opening = await openPatiently(place, world, toWrite);
    undo.unshift(() => opening.close());
    made = opening;
    return opening;
  };
  const draftOf = async (stored?: Campaign, from?: Store) => {
    refuseSimulatedMix(stored, config.simulated);
    const wasNeverLive = config.live && stored !== undefined && from !== undefined;
    known.replacesRules = wasNeverLive && (await nobodyChoseRules(stored, from));
    return settingsOf(config.simulated ? ANY_AGENT : undefined, stored);
  };
  const readListsOf = async (stored?: Campaign, from?: Store) => {
    const draft = await draftOf(stored, from);
    const { settings } = draft;
    const where = { live: config.live, input, store: from, campaign: stored };
    const read = await readLists(paths, draft, where, world);
    const lists = to === 'change' ? read : await withForetold(read, settings, where, world);
    // The first lists of a folder may come later.
    if (!lists.isForNobody || settings.sources !== undefined) return lists;
    const refuse = () => Promise.reject(lists.undecided ?? nobodyToCall(lists.surveys, input));
    if (to !== 'change') return refuse();
    const all = { ...lists, campaign: stored, opened: { config }, resolved: draft, createStore };
    return keepingOptOuts(all, world, refuse);
  };
  if (to !== 'look') {
    requireMayCreate(place, world, config.live, request);
    if (config.live && campaign === undefined) requireSaidHome(place, name, world);
  }
  await draftOf(campaign, store);
  // Read before the lists: a mistake in the profile shows at once, and no list is in memory yet.
  const profile = await profileOf(config);
  // The embedded service creates a file, which must not happen for a list that is refused: its lists are read first.
  const early = config.simulated ? await readListsOf(campaign, store) : undefined;
  const opened = await openService(config, request, world, { keep: to === 'change', profile });
  undo.push(opened.close);
  known.longestCallMs = opened.longestCallMs;
  const agent = config.simulated ? (await opened.service.listAgents()).agents[0]?.id : undefined;
  const resolved = settingsOf(agent, campaign);
  const agentSeen =
    paths.length === 0 && campaign !== undefined
      ? undefined
      : await ask({ name, campaign, store, opened, resolved }, world);
  const planned = early ?? (await readListsOf(campaign, store));
  const hoursOf = async (lists: PlannedLists, stored?: Campaign, from?: Store) => {
    const by = settingsOf(agent, stored);
    if (to === 'change' && stored && from) await fillPlaces(from, { ...stored, ...by });
    const of = { surveys: lists.surveys, campaign: stored, store: from, now: world.clock.now() };
    return plannedHours(by, { ...of, atSchedule: request.atSchedule === true });
  };
  const byRules = await hoursOf(planned, campaign, store);
  const progressOf = (stored?: Campaign, from?: Store) =>
    stored && from?.progress(stored.id, world.clock.now());
  const progress = await progressOf(campaign, store);
  const isGiven = planned.known.some(({ id }) => id === found?.list.id);
  const mayGoOn = request.sync === true || found === undefined || !isTogether(found.list);
  const unfinished = isGiven && mayGoOn ? undefined : found;
  const isHeldUp = unfinished !== undefined && unfinished.is !== 'going_on';
  const plan: Plan = {
    ...planned,
    ...{ input, target, name, place, store, campaign, progress },
    ...{ opened, resolved, agentSeen, goesOn, unfinished, createStore },
    ...byRules,
    toCall: isHeldUp ? 0 : countToCall(progress, planned, byRules),
    join: async (stored) => {
      const from = store ?? made;
      const again = await readListsOf(stored, from);
      const now = await progressOf(stored, from);
      const open = await hoursOf(again, stored, from);
      const counts = { ...open, progress: now, toCall: countToCall(now, again, open) };
      const own = settingsOf(agent, stored);
      return { ...plan, ...again, ...counts, campaign: stored, resolved: own };
    },
  };
  return plan;
}
