import { isPath } from '../../config/campaign-file.ts';
import { DEFAULT_PROFILE } from '../../config/profiles.ts';
import type { ServiceConfig } from '../../config/resolve-service.ts';
import { resolveSettings, type ResolvedSettings } from '../../config/settings.ts';
import { personIn, variablesIn } from '../../domain/lists/person.ts';
import type { Survey } from '../../leads/import.ts';
import { assertWritableUnwritten } from '../../results/target.ts';
import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';
import type { Campaign, FirstDial } from '../../store/port.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import type { PlanView } from '../../views/plan.ts';
import { nobodyToCall } from '../lists/scan-places.ts';
import { sentPaths } from '../lists/look.ts';
import {
  campaignFileOf,
  findCampaign,
  openExisting,
  withCampaign,
  withStore,
} from '../places/databases.ts';
import { homeOf, locateDatabase, nameOf, type DatabasePlace } from '../places/home.ts';
import { targetOf, type Target } from '../places/list-or-campaign.ts';
import { agentsNext, flagsOf, type Beginning } from '../services/agents.ts';
import { requiredNow, variablesOf } from '../services/prompt-variables.ts';
import { chooseService, knownServices } from '../services/service.ts';
import type { World } from '../world.ts';
import { approve, refuseMistakes, type CommitOptions } from './approve.ts';
import { findCalledBefore, type CalledBefore } from './called-before.ts';
import { forecastPlan } from './forecast.ts';
import { AS_FOUND, listPaths, readLists, type ListPath, type PlannedLists } from './plan-lists.ts';
import { countToCall, plannedHours } from './planned-hours.ts';
import { planView, unreadyView, type Checked } from './plan-view.ts';
import { withPlan, type Plan, type PlanRequest } from './plan.ts';
import { repeatedLists } from './repeated-lists.ts';

type Seen = Pick<Checked, 'agent' | 'problem' | 'next' | 'exitCode'>;

interface CheckRequest extends PlanRequest {
  /** Other lists than the campaign has join it: nobody has to be told that they need a flag for that. */
  add?: boolean;
  /** Given the campaign's timezone, when it would begin (epoch ms); undefined: now. */
  at?: ((timezone: string) => Promise<number>) | undefined;
}

/**
 * Finds out what would be called, and what would not and why, and how long it would take. Calls nobody and writes nothing. A service that does not
 * answer is part of the result, not an error.
 */
export async function checkPlan(request: CheckRequest, world: World): Promise<PlanView> {
  let service: Seen | undefined;
  const look = async (plan: Plan) => {
    service ??= await checkService(plan);
    if (service.problem === null) requiredNow(plan, service.agent);
    const variables = await variablesOf(plan, service.agent);
    const startAt = await request.at?.(plan.resolved.settings.timezone);
    const called = await findCalledBefore(plan, world);
    const from = {
      startAt: startAt ?? world.clock.now(),
      leftOut: (called?.leftOut ?? 0) + (plan.left ?? 0),
    };
    const forecast = await forecastPlan(plan, from);
    const seen = { variables, forecast, request: await firstRequest(plan, from.startAt) };
    const found = { ...service, ...(await contextOf(plan, called)), ...seen };
    const told = request.add === true ? { ...plan, others: [] } : plan;
    return planView({ plan: told, ...found, resultsFile: null }, world.clock.now());
  };
  return withPlan({ ...request, atSchedule: true }, world, 'look', look, async (beginning) => {
    service = await checkService(beginning);
    return undefined;
  });
}

/**
 * Does all that `run` does before its first change, with the same refusals and exit codes. Questions that `run` would
 * ask on a terminal are left out, because nothing depends on the answers.
 *
 * @param file the results file, absolute, or `-`
 * @throws AppError as `commitPlan` before anything is changed
 */
export async function dryRun(
  plan: Plan,
  file: string,
  options: Omit<CommitOptions, 'purpose' | 'assertResults'>,
  world: World,
): Promise<PlanView> {
  refuseMistakes(plan, options);
  const canAsk = world.attended;
  const again = options.again === true || canAsk;
  const yes = options.yes || canAsk;
  const { agent, called } = await approve(plan, { ...options, again, yes, purpose: 'run' }, world);
  if (file !== '-') await assertWritableUnwritten(file);
  const { limit, until } = options;
  const service = { agent, problem: null, next: null, exitCode: EXIT.ok };
  const found = {
    ...service,
    ...(await contextOf(plan, called)),
    variables: null,
    request: null,
    forecast: null,
  };
  return planView({ plan, ...found, limit, until, resultsFile: file }, world.clock.now());
}

/** @param called the result of `findCalledBefore` */
async function contextOf(
  plan: Plan,
  called: CalledBefore | null,
): Promise<Pick<Checked, 'called' | 'repeated' | 'newestFile'>> {
  const repeated = await repeatedLists(plan);
  return { called, repeated, newestFile: (await plan.store?.suppressionFiles())?.[0] };
}

/**
 * What would be sent for the first person: of those who wait, else of the lists. Made by the function that sends.
 *
 * @param now epoch ms
 */
async function firstRequest(plan: Plan, now: number): Promise<PlanView['request']> {
  const { opened, resolved, campaign, store, surveys } = plan;
  const { service } = opened;
  const stored = campaign && (await store?.firstDial(campaign.id, now));
  const first = stored ?? surveys.map(fromList).find((one) => one !== undefined);
  if (first === undefined || service.requestOf === undefined) return null;
  const { key, phone, person, variables } = first;
  const { agent } = resolved.settings;
  const cells = service.usesLeadColumns === true ? { person, variables } : {};
  const sent = service.requestOf({ attemptKey: key, phone, agent, ...cells });
  return { person: { phone, name: person?.fullName || null }, ...sent };
}

/** A key is made of the campaign, which is not there yet. */
const NO_KEY = 'KEY-OF-THE-CALL';

function fromList({ first, headers, scanned }: Survey): FirstDial | undefined {
  if (first === undefined) return undefined;
  const { phone, cells } = first;
  const person = personIn(scanned.mapping, cells);
  return { key: NO_KEY, phone, person, variables: variablesIn(headers, cells) };
}

async function checkService({ opened, resolved }: Beginning): Promise<Seen> {
  try {
    const { agents, complete } = await opened.service.listAgents();
    const found = agents.find(({ id }) => id === resolved.settings.agent);
    if (found !== undefined) {
      return { agent: found, problem: null, next: null, exitCode: EXIT.ok };
    }
    const sure = complete
      ? 'has no'
      : 'did not list all its agents, and those that it listed include no';
    return {
      agent: null,
      problem: `Service: ${opened.service.url} ${sure} agent "${resolved.settings.agent}".`,
      next: agentsNext(opened.config),
      exitCode: EXIT.failed,
    };
  } catch (error) {
    const known = error instanceof AppError ? error : undefined;
    return {
      agent: null,
      problem: `Service: ${asSentence(messageOf(error))}`,
      next: known?.hint ?? null,
      exitCode: known?.exitCode ?? EXIT.failed,
    };
  }
}

/**
 * Examines a list that cannot be called yet because the service, its key or the agent are not chosen: what
 * is in the list, what would be called, and what is missing. Asks no service, needs no database, writes nothing.
 *
 * @returns undefined when nothing is missing, or when the request is not a list for a new campaign; then plan it
 *   instead
 */
export async function checkList(
  request: PlanRequest,
  world: World,
): Promise<{ view: PlanView; problem: AppError | undefined } | undefined> {
  const draft = await draftOf(request, world);
  const asked = readAsked(request, world, draft?.campaign);
  const { input = AS_FOUND } = request;
  if (asked.missing.length === 0 || (asked.paths.length === 0 && draft === undefined))
    return undefined;
  if (draft === undefined && (await findCampaign(asked.campaign, request, world)) !== undefined)
    return undefined;
  const { planned, database } = await readAlone({ ...request, ...draft }, asked, world);
  const country = missingCountry(planned);
  const isHopeless = planned.surveys.every(({ good }) => good === 0) && country.length === 0;
  const { surveys } = planned;
  const [now, { resolved }] = [world.clock.now(), asked];
  const of = { surveys, campaign: undefined, store: undefined, now, atSchedule: true };
  const hours = await plannedHours(resolved, of);
  const found = {
    ...{ name: asked.campaign, resolved, planned, ...hours },
    toCall: countToCall(undefined, planned, hours),
    missing: [...asked.missing, ...country],
    database,
    problem: planned.undecided ?? (isHopeless ? nobodyToCall(planned.surveys, input) : undefined),
  };
  return { view: unreadyView(found, now), problem: found.problem };
}

/** The request; before the first import, the name of a campaign means its file. */
export async function forCheck<T extends PlanRequest>(request: T, world: World): Promise<T> {
  const { list } = request;
  const file = isPath(list) ? undefined : campaignFileOf(list, world);
  if (file === undefined || (await findCampaign(list, request, world)) !== undefined)
    return request;
  return { ...request, list: file };
}

/** A draft, and the lists that were sent to it; undefined: the request means something else. */
async function draftOf(request: PlanRequest, world: World) {
  const { name, lists, file } = targetOf(request, world.cwd);
  if (lists.length > 0 || file !== undefined) return undefined;
  const found = await findCampaign(name, request, world);
  if (found?.campaign.state !== 'draft') return undefined;
  const { campaign, place } = found;
  const stored = await withStore(place, 'read', world, (store) => store.lists(campaign.id));
  const sent = await sentPaths(stored, world);
  return sent.length === 0 ? undefined : { campaign, place, lists: sent };
}

/**
 * Reads the lists that were sent to a draft as it would take them, whatever is chosen already. Asks no service, writes
 * nothing; lists without anybody to call are read, too.
 *
 * @param watch gets the rows of each list, by its path, as they are judged
 * @returns undefined where nothing was sent
 */
export async function surveyDraft(
  request: PlanRequest,
  watch: (path: string) => ListPath['watch'],
  world: World,
): Promise<(PlannedLists & Pick<ResolvedSettings, 'settings'>) | undefined> {
  const draft = await draftOf(request, world);
  if (draft === undefined)
    return withCampaign({ ...request, campaign: request.list }, world, 'read', nothing);
  const lists = draft.lists.map((list) => ({ ...list, watch: watch(list.path) }));
  const asked = readAsked(request, world, draft.campaign);
  const { planned } = await readAlone({ ...request, ...draft, lists }, asked, world);
  return { ...planned, settings: asked.resolved.settings };
}

const nothing = () => Promise.resolve(undefined);

type Asked = ReturnType<typeof readAsked>;

/** @param draft the campaign that is not called yet; undefined: there is none */
function readAsked(request: PlanRequest, world: World, draft?: Campaign) {
  const target = targetOf(request, world.cwd);
  const resolved = resolveSettings({
    ...request.given,
    cwd: world.cwd,
    file: target.file,
    stored: draft?.settings,
    home: homeOf(world).folder,
    // A service that is not chosen yet may call real people.
    defaults: { timezone: world.timezone, agent: NONE, live: true },
  });
  const paths = resolved.leads.length > 0 ? resolved.leads : target.lists;
  const campaign = resolved.name ?? target.name;
  return {
    resolved,
    paths,
    campaign,
    ...missingFor(resolved, { ...target, draft }, request, world),
  };
}

async function readAlone(
  request: PlanRequest & { place?: DatabasePlace },
  { resolved, paths, config }: Asked,
  world: World,
) {
  const { input = AS_FOUND } = request;
  const place = request.place ?? locateDatabase(request, world, config?.simulated === true);
  const store = await openExisting(place, 'read', world);
  const undo = [async () => store?.close()];
  try {
    const live = config?.live === true;
    const reading = { live, input, store, campaign: undefined };
    const lists = request.lists ?? (await listPaths(paths, world, undo));
    const planned = await readLists(lists, resolved, reading, world);
    return { planned, database: { path: nameOf(place), exists: store !== undefined } };
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Placeholder for an agent that was not named. */
const NONE = 'none';

function missingFor(
  resolved: ResolvedSettings,
  { file, draft }: Target & { draft: Campaign | undefined },
  request: PlanRequest,
  world: World,
): { config: ServiceConfig | undefined; missing: PlanView['missing'] } {
  const missing: PlanView['missing'] = [];
  let config: ServiceConfig | undefined;
  try {
    const [choice, stored] = [resolved.service, draft?.service || undefined];
    config = chooseService(request, world, { choice, stored, beside: file?.folder });
  } catch (error) {
    missing.push(missingService(error, request, world));
  }
  if (config?.simulated !== true && resolved.settings.agent === NONE) {
    const { name = draft?.service || 'NAME', url, profile = DEFAULT_PROFILE } = resolved.service;
    const named =
      url === undefined ? ['--service', name] : ['--service-url', url, '--profile', profile];
    const at = config === undefined ? named.map(shellWord).join(' ') : flagsOf(config);
    const why = `who speaks; \`callsheet agents list ${at}\` shows them`;
    missing.push({ give: '--agent ID', why });
  }
  return { config, missing };
}

function missingService(
  error: unknown,
  request: PlanRequest,
  world: World,
): PlanView['missing'][number] {
  const { code, message, hint = '' } = error instanceof AppError ? error : {};
  if (code === 'SERVICE_KEY_MISSING') return { give: 'the key', why: `${message} ${hint}`.trim() };
  if (code !== 'SERVICE_NOT_CHOSEN') throw error;
  const { path, entries } = knownServices(request, world);
  const why = `of ${path} (${[...entries.keys()].join(', ')}), or --service-url URL`;
  return { give: '--service NAME', why };
}

function missingCountry({ surveys }: PlannedLists): PlanView['missing'] {
  const rows = surveys.reduce((sum, { byReason }) => sum + (byReason.no_country ?? 0), 0);
  if (rows === 0) return [];
  const have = counted(rows, 'row has a number', 'rows have numbers');
  return [{ give: '--country CC', why: `${have} without + and country code, e.g. --country US` }];
}
