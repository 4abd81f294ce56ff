import { askedSince } from '../../collect/settle.ts';
import type { FlagsInput } from '../../config/campaign-file.ts';
import type { ServiceConfig } from '../../config/resolve-service.ts';
import { resolveSettings } from '../../config/settings.ts';
import { openings } from '../../domain/calling/openings.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import type { E164 } from '../../domain/phone.ts';
import { isFictional } from '../../leads/phone/parse-phone.ts';
import { placeOfPerson } from '../../leads/zones/place-of-person.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { CalledPerson } from '../../views/calls.ts';
import { withNotices } from '../notices/with-notices.ts';
import {
  databasePlaces,
  openExisting,
  openPatiently,
  withCampaign,
  withStore,
} from '../places/databases.ts';
import { homeOf, locateDatabase, nameOf, requireMayCreate } from '../places/home.ts';
import { requireYes } from '../plan/approve.ts';
import { hoursOf } from '../plan/schedule-times.ts';
import { openingText, policyLines, ruleNames } from '../sentences/hours-lines.ts';
import { checkAgent, flagsOf } from '../services/agents.ts';
import { openCollectors } from '../services/known-services.ts';
import { chooseService, openService, type ServiceRequest } from '../services/service.ts';
import { refuseSuppressed } from '../suppression/suppression-store.ts';
import { readTypedPhone } from '../typed.ts';
import { calledPeople } from '../watch/calls.ts';
import { applyLeftovers } from '../webhooks/inbox.ts';
import type { World } from '../world.ts';
import {
  completeIfDone,
  runAndReport,
  runWatched,
  type RunReport,
  type WatchedRun,
} from './watched-run.ts';
import type { RunWatch } from './run-events.ts';
import { viewOf, type ExitReason } from './situation.ts';

/**
 * Refuses a single call to a person whose hours are closed.
 *
 * @param zoneKey where the person is, see `zoneKey` of domain/calling
 */
function refuseOutsideHours(
  phone: string,
  zoneKey: string,
  settings: CampaignSettings,
  now: number,
): void {
  const person = { zoneKey, waiting: 1, firstNotBefore: 0 };
  const { next, shut } = openings([person], hoursOf(settings.policy), now);
  const [never] = shut;
  const other = 'choose other rules with --rules NAME (`--rules always`: none)';
  if (next !== null) {
    throw usageError(
      'CALL_OUTSIDE_HOURS',
      `${phone} may not be called now: ${next.why}. The hours open ${openingText(next, settings)}.`,
      `call then, or ${other}`,
    );
  }
  if (never === undefined) return;
  const where = never.zones.length === 0 ? '' : ` (in ${never.zones.join(', ')})`;
  const zone = never.by === 'zones.unknown' ? '--set zones.unknown=ZONE says where it is, or ' : '';
  throw usageError(
    'CALL_OUTSIDE_HOURS',
    `${phone} may never be called: ${never.by}: ${never.why}${where}.`,
    `${zone}${other}`,
  );
}

interface CallRequest extends ServiceRequest {
  /** The phone number as typed. */
  number: string;
  /** Settings as they were typed. */
  given: Omit<FlagsInput, 'cwd'>;
  /** The call was confirmed beforehand. */
  yes: boolean;
}

/**
 * Makes one call outside campaigns, and waits until it is over.
 *
 * @returns null when the operator left at once, e.g. by a second Ctrl-C
 * @throws AppError before anybody is called: `PHONE_INVALID`, `PHONE_FICTIONAL`, `CALL_OUTSIDE_HOURS`,
 *   `PHONE_SUPPRESSED`, `NOT_CONFIRMED` and those of settings, rules, service, agent and database (exit 2)
 */
export async function callOneNumber(
  request: CallRequest,
  extras: Pick<WatchedRun, 'log' | 'watch'>,
  world: World,
): Promise<CallReport | null> {
  const { number, yes } = request;
  const config = chooseService(request, world);
  const settingsOf = (agent: string | undefined) => {
    const service = { live: config.live, serviceFlags: flagsOf(config) };
    const defaults = { timezone: world.timezone, agent, ...service };
    const home = homeOf(world).folder;
    return resolveSettings({ ...request.given, cwd: world.cwd, home, defaults });
  };
  const draft = settingsOf(config.simulated ? 'any' : undefined);
  const phone = readNumber(number, draft.settings.country, config.live);
  const { zoneKey: place } = placeOfPerson({ phone });
  refuseOutsideHours(phone, place, draft.settings, world.clock.now());
  const database = locateDatabase(request, world, config.simulated);
  requireMayCreate(database, world, config.live, { yes });
  const existing = await openExisting(database, 'dial', world);
  const undo = [async () => existing?.close()];
  try {
    await refuseSuppressed(existing, phone, world);
    const opened = await openService(config, request, world);
    undo.push(opened.close);
    const { service } = opened;
    const first = config.simulated ? (await service.listAgents()).agents[0]?.id : undefined;
    const { settings } = settingsOf(first);
    const agentName = (await checkAgent(opened, settings.agent, world))?.name ?? null;
    if (config.live) {
      const agent = agentName === null ? settings.agent : `${agentName} (${settings.agent})`;
      world.tell(
        `LIVE ${service.url} agent ${agent}: 1 call to ${phone}; rules ${ruleNames(settings)}; database ${nameOf(database)}`,
      );
      for (const line of policyLines(settings)) world.tell(line);
      await requireYes(1, yes, world);
    }
    const store = existing ?? (await openPatiently(database, world));
    if (existing === undefined) undo.unshift(() => store.close());
    const campaign = await createSingleCall(
      store,
      config,
      { number, phone, place, settings },
      world,
    );
    world.tell(`Calling ${phone} ...`);
    const run = {
      dialAt: { service, maxCalls: opened.config.maxCalls },
      collectFrom: [service],
      limit: 1,
      until: null,
      waitUntil: null,
    };
    return await runSingleCall({ store, campaign, run, ...extras }, world);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

function readNumber(text: string, country: string | null, live: boolean): E164 {
  const phone = readTypedPhone(text, country);
  if (live && isFictional(phone)) {
    throw usageError(
      'PHONE_FICTIONAL',
      `${phone} is of a range kept for fiction; a real service is not asked to call it.`,
      'rehearse with --service simulated',
    );
  }
  return phone;
}

interface SingleCall {
  phone: E164;
  /** The number as typed. */
  number: string;
  /** See `zoneKey` of domain/calling. */
  place: string;
  settings: CampaignSettings;
}

/** A campaign of one lead, ready to be dialled: a single call is recorded and counted like any other. */
async function createSingleCall(
  store: Store,
  { name: service, simulated, live }: ServiceConfig,
  { phone, number, place, settings }: SingleCall,
  world: World,
): Promise<Campaign> {
  const at = world.clock.now();
  const id = world.newId('cmp');
  // A number alone has no row that could be blank.
  const own: CampaignSettings = settings.variables
    ? { ...settings, variables: { from: 'named', columns: [] } }
    : settings;
  const campaign = {
    id,
    name: `call ${phone} ${new Date(at).toISOString()}`,
    kind: 'call',
    service,
    simulated,
    settings: own,
    createdAt: at,
  } as const;
  const entry = { at, who: world.user, detail: { live, phone } };
  await store.createCampaign(campaign, { ...entry, what: 'campaign.created' });
  const list = await store.beginList(id, {
    id: world.newId('list'),
    path: '(call)',
    sha256: id,
    headers: ['phone'],
    at,
  });
  await store.addLeads(list.id, [{ phone, line: 1, cells: [number], zoneKey: place }]);
  await store.finishList(list.id, { good: 1, rejected: 0, duplicates: 0 });
  return store.changeCampaign(id, { state: 'running' }, { ...entry, what: 'campaign.started' });
}

/** The outcome of a single call. */
export interface CallReport {
  /** The campaign after the call. */
  campaign: Campaign;
  person: CalledPerson;
  exit: ExitReason;
}

/** Makes or collects a single call. @returns null when the operator left at once */
function runSingleCall(options: WatchedRun, world: World): Promise<CallReport | null> {
  const { store } = options;
  return runWatched(options, world, async (end) => {
    const campaign = await completeIfDone(store, options.campaign, world);
    const [row] = await store.exportPage(campaign.id, null, 1);
    if (row === undefined) throw new Error('the call left no row');
    const { exit } = await viewOf({ store, campaign, world }, end);
    return { campaign, person: calledPeople(campaign, [])(row), exit };
  });
}

export interface CollectRequest extends ServiceRequest {
  /** The campaign's name; undefined: all campaigns with open calls. */
  campaign: string | undefined;
  /** Calls without a result are asked for again however old they are, and however lately they were asked for. */
  all: boolean;
}

interface CollectWatch extends Pick<WatchedRun, 'log'> {
  /** Makes the watch of one campaign; the campaigns are collected one after the other. */
  watch: () => RunWatch;
  onReport: (report: Collected) => void;
}

/** What was collected; null: the operator left at once. */
type Collected =
  { kind: 'list'; report: RunReport | null } | { kind: 'call'; report: CallReport | null };

/** Fetches outstanding analytics and writes the results again; never dials. */
export async function collectCalls(
  request: CollectRequest,
  watch: CollectWatch,
  world: World,
): Promise<void> {
  if (request.campaign !== undefined) {
    const named = { ...request, campaign: request.campaign };
    return withCampaign(named, world, 'write', async ({ store, campaign }) => {
      await applyLeftovers(store, request, world);
      watch.onReport(await collectOne(store, campaign, request, watch, world));
    });
  }
  let found = 0;
  for (const place of databasePlaces(request, world)) {
    await withStore(place, 'write', world, async (store) => {
      await applyLeftovers(store, request, world);
      for (const campaign of await store.listCampaigns()) {
        if (!(await hasOpenCalls(store, campaign, request, world))) continue;
        found += 1;
        world.tell(`Collecting "${campaign.name}".`);
        watch.onReport(await collectOne(store, campaign, request, watch, world));
      }
    });
  }
  if (found === 0) world.tell('No call is open.');
}

async function hasOpenCalls(
  store: Store,
  { id }: Campaign,
  request: CollectRequest,
  { clock }: World,
): Promise<boolean> {
  const now = clock.now();
  if ((await store.progress(id, now)).calling > 0) return true;
  return (await store.servicesWithOpenCalls(id, Infinity, lateSince(request, now))).length > 0;
}

function lateSince({ all }: CollectRequest, now: number): number {
  return askedSince(all ? 'all' : 'due', now);
}

async function collectOne(
  store: Store,
  campaign: Campaign,
  request: CollectRequest,
  { log, watch }: CollectWatch,
  world: World,
): Promise<Collected> {
  const since = lateSince(request, world.clock.now());
  const collectors = await openCollectors(store, campaign, undefined, request, world, since);
  const bounds = { limit: null, until: null, waitUntil: null };
  const askAgain = request.all ? ('all' as const) : ('due' as const);
  const run = { dialAt: null, askAgain, collectFrom: collectors.services, ...bounds };
  const options = { store, campaign, run, log, watch: watch() };
  const desk = { store, flags: request, log, stop: options.watch.stop };
  try {
    if (campaign.kind === 'call')
      return { kind: 'call', report: await runSingleCall(options, world) };
    const report = await withNotices(desk, world, (noticeWatch) =>
      runAndReport({ ...options, noticeWatch }, world),
    );
    return { kind: 'list', report };
  } finally {
    await collectors.close();
  }
}
