import type {
  Doubt,
  EndedCall,
  HeldSlot,
  HistoryEntry,
  List,
  Store,
  Progress,
} from '../../store/port.ts';
import {
  databasePlaces,
  withCampaign,
  withStore,
  type CampaignRequest,
  type OpenCampaign,
} from '../places/databases.ts';
import { isThere, locateDatabase, nameOf, type DatabaseRequest } from '../places/home.ts';
import type { E164 } from '../../domain/phone.ts';
import type { UnknownWord } from '../../domain/lead.ts';
import { isInDoubt } from '../run/run-events.ts';
import { viewOf, type CampaignView } from '../run/situation.ts';
import type { World } from '../world.ts';
import { printSettings } from '../../config/setting-changes.ts';
import type { Openings } from '../../domain/calling/openings.ts';
import { rounded } from '../../domain/money.ts';
import type { Night } from '../../domain/nights/night.ts';
import type { Spent } from '../../domain/nights/spent.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import { nameIn } from '../../results/columns.ts';
import { timesIn, withIso, zonedTime } from '../../text/times.ts';
import type { Begins, CallMinutes, Campaign, CampaignDetail } from '../../views/campaigns.ts';
import { budgetLines } from '../nights/budgets.ts';
import { statusOf } from '../sentences/situations.ts';
import { entryText } from '../sentences/story-events.ts';
import { awaiting, beginsOf, type IsAwaited } from './begins.ts';
import { nameFinder } from './people.ts';

export interface CampaignList {
  campaigns: (CampaignView & Pick<CampaignStatus, 'begins'>)[];
  /** Services whose slots several campaigns hold or want now, and what each has. */
  shares: ServiceShares[];
  /** How many archived campaigns are left out. */
  hidden: number;
  /** The database that was searched. */
  database: { path: string; exists: boolean };
}

export type ServiceShares = CampaignDetail['serviceSlots'][number];

/** Lists every campaign with a list, including rehearsals; `begins` only of those that a process calls at their time. */
export async function listCampaigns(
  {
    isAwaited = () => false,
    ...request
  }: DatabaseRequest & { archived: boolean; isAwaited?: IsAwaited },
  world: World,
): Promise<CampaignList> {
  const found: CampaignList['campaigns'] = [];
  const shares: ServiceShares[] = [];
  for (const place of databasePlaces(request, world)) {
    await withStore(place, 'read', world, async (store) => {
      const services = new Set<string>();
      const isCalledBy = awaiting(isAwaited, store);
      for (const campaign of await store.listCampaigns())
        if (campaign.kind === 'list') {
          services.add(campaign.service);
          const view = await viewOf({ store, campaign, world });
          const isLeft = campaign.state === 'running' && view.progress.waiting > 0;
          const isLater = isLeft && view.works.calls === null && isCalledBy(campaign);
          const { id } = campaign;
          const begins = isLater
            ? beginsOf(view, await store.history(id), await store.placesOf(id, view.now), true)
            : null;
          found.push({ ...view, begins });
        }
      for (const service of services) shares.push(...(await sharesAt(service, store, world)));
    });
  }
  const campaigns = found.filter(
    ({ campaign }) => request.archived || campaign.archivedAt === undefined,
  );
  const place = locateDatabase(request, world, false);
  const database = { path: nameOf(place), exists: isThere(place) };
  return { campaigns, shares, hidden: found.length - campaigns.length, database };
}

/**
 * Tells of each campaign that nobody calls though it is not over, with what goes on.
 *
 * @param serves this process calls every campaign that was started
 */
export async function tellUncalled(request: DatabaseRequest, serves: boolean, world: World) {
  const { campaigns } = await listCampaigns({ ...request, archived: false }, world);
  for (const { campaign, situation, exit, begins } of campaigns)
    if (situation.isUncalled && begins?.isOn !== true && !(serves && campaign.state === 'running'))
      world.tell(`Nobody calls ${campaign.name}: ${exit.why}`);
}

export interface CampaignStatus extends CampaignView {
  lists: List[];
  held: HeldSlot[];
  /** The calls that ended last, the newest first. */
  ended: EndedCall[];
  /** The campaign's service, if other campaigns hold or want its slots, too. */
  shares: ServiceShares[];
  /** Those of `held` that calls in doubt hold. */
  heldByDoubts: HeldSlot[];
  /** Only doubts that are not settled. */
  doubts: Doubt[];
  /** People whom `variables` holds, as something is blank in their rows. */
  blank: number;
  history: HistoryEntry[];
  /** Words of the service that its profile does not know, and when each was first read. */
  unknownWords: (UnknownWord & { at: number })[];
  begins: Begins | null;
}

/**
 * One campaign with the calls that hold its slots, its doubts and its history.
 *
 * @param request.newest so many of the calls that ended last; default: none
 * @param request.isAwaited whether this process calls it when its time has come; default: it does not
 */
export function campaignStatus(
  {
    newest = 0,
    isAwaited = () => false,
    ...request
  }: CampaignRequest & { newest?: number; isAwaited?: IsAwaited },
  world: World,
): Promise<CampaignStatus> {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const { id } = campaign;
    const view = await viewOf(open);
    const held = await store.heldSlots(id, view.now);
    const history = await withNames(await store.history(id), open);
    const isLater = view.works.calls === null && awaiting(isAwaited, store)(campaign);
    return {
      ...view,
      held,
      ended: newest === 0 ? [] : await store.endedCalls(id, newest),
      shares: await sharesAt(campaign.service, store, world),
      heldByDoubts: held.filter(isInDoubt),
      doubts: (await store.doubts(id)).filter(({ resolution }) => resolution === null),
      blank: await store.blankPeople(id),
      history,
      begins: beginsOf(view, history, await store.placesOf(id, view.now), isLater),
      unknownWords: history
        .filter(({ what }) => what === 'word.unknown')
        .map(({ at, detail }) => ({ ...(detail as unknown as UnknownWord), at })),
      lists: await store.lists(id),
    };
  });
}

/** Entries that are shown at first have the name of who has their number. */
const NAMED = 200;

async function withNames(history: readonly HistoryEntry[], { store, campaign }: OpenCampaign) {
  const nameOf = nameFinder(store);
  const named = async (entry: HistoryEntry, i: number): Promise<HistoryEntry> => {
    const phone = entry.detail['phone'];
    if (typeof phone !== 'string' || i < history.length - NAMED) return entry;
    const person = await nameOf(phone as E164, campaign.name);
    return { ...entry, detail: { ...entry.detail, person } };
  };
  return Promise.all(history.map(named));
}

/** As far back as charts show calls. */
const SHOWN_MS = 6 * HOUR_MS;

/** The calls of the last hours by the minute. @param request.from ISO 8601; default: all that is shown */
export function callsByMinute(
  { from, ...request }: CampaignRequest & { from?: string | undefined },
  world: World,
): Promise<CallMinutes> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const { longestCallMs: longestMs, timezone } = campaign.settings;
    const now = world.clock.now();
    const earliest = now - SHOWN_MS;
    const asked = Math.max(earliest, from === undefined ? earliest : Date.parse(from));
    const found = await store.callsByMinute(campaign.id, { from: asked, now, longestMs });
    const minutes = found ?? { from: asked, begun: [], held: [] };
    return { ...minutes, from: zonedTime(timezone)(minutes.from) };
  });
}

/** Nothing where one campaign alone is called. */
async function sharesAt(
  service: string,
  store: Pick<Store, 'slotShares'>,
  { clock }: World,
): Promise<ServiceShares[]> {
  const campaigns = await store.slotShares(service, clock.now());
  return campaigns.length < 2 ? [] : [{ service, campaigns }];
}

/** A campaign in short, as lists show it. @param perMinute calls begun in the last minute; null: not known */
export function campaignView(
  view: CampaignList['campaigns'][number],
  perMinute: number | null = null,
): Campaign {
  const { campaign, progress, works, situation, begins } = view;
  const { name, version, state, simulated, service, settings, createdAt } = campaign;
  const { agent, timezone, schedule = null, concurrency } = settings;
  const time = timesIn(timezone);
  const ended = progress.dials.made - progress.open;
  return {
    ...progressView(progress, timezone),
    ...{ name, version, state, shown: situation.shown, situation: situation.is },
    status: statusOf(view, situation, begins),
    isUncalled: situation.isUncalled,
    archived: campaign.archivedAt !== undefined,
    ...{ simulated, service, agent, timezone, schedule, concurrency },
    createdAt: time(createdAt),
    pauseReason: campaign.pauseReason,
    pauseDetail: campaign.pauseDetail,
    answerRate: ended <= 0 ? null : rounded(progress.answered / ended),
    perMinute,
    runner: works.runner,
    runnerCalls: works.calls !== null,
    runnerSince: time(works.since),
    until: time(situation.until),
    why: view.exit.why,
    heldUpBy: view.heldUpBy,
    todo: view.todo,
    attention: situation.attention,
    hours: openingsView(view.hours, timezone),
    budget: budgetView(view),
  };
}

/** One campaign with its calls, doubts, lists, history and settings. */
export function campaignDetail(
  status: CampaignStatus,
  perMinute: number | null = null,
): CampaignDetail {
  const { timezone } = status.campaign.settings;
  return {
    ...campaignView(status, perMinute),
    begins: status.begins,
    heldSlots: status.held.map((slot) => heldView(slot, timezone)),
    ended: status.ended.map(({ cells, mapping, ...call }) => {
      return { ...withIso(call, ['endedAt'], timezone), name: nameIn({ mapping }, cells) };
    }),
    openDoubts: status.doubts.map((doubt) => heldView(doubt, timezone)),
    blank: status.blank,
    serviceSlots: status.shares,
    unknownWords: status.unknownWords.map(({ of, word, at }) => {
      return { of, word, at: zonedTime(timezone)(at) };
    }),
    lists: status.lists.map((list) => listView(list, timezone)),
    history: status.history.map((entry) => historyView(entry, timezone)),
    settings: printSettings(status.campaign.settings, true),
  };
}

export const progressView = (progress: Progress, timezone: string) => ({
  ...withIso(progress, ['lastCallAt', 'nextDueAt'], timezone),
  results: { ...progress.results },
});

export function openingsView({ now, later, never, next, shut }: Openings, timezone: string) {
  const opening = next && { ...next, at: zonedTime(timezone)(next.at) };
  return { now, later, never, next: opening, shut };
}

export function listView(list: List, timezone: string): CampaignDetail['lists'][number] {
  const { number, path, at, finishedAt, asOf, good, rejected, duplicates, suppressed } = list;
  const times = withIso({ finishedAt, asOf }, ['finishedAt', 'asOf'], timezone);
  const counts = { good, rejected, duplicates, suppressed };
  const importer = list.importer && { host: list.importer.host, pid: list.importer.pid };
  return { number, path, at: zonedTime(timezone)(at), ...times, ...counts, importer };
}

export function historyView(
  entry: HistoryEntry,
  timezone: string,
): CampaignDetail['history'][number] {
  const { at, who, what, detail } = entry;
  // In entries of a schedule, `detail.at` is the scheduled time.
  const shown = 'at' in detail ? withIso(detail, ['at'], timezone) : detail;
  return { at: zonedTime(timezone)(at), who, what, text: entryText(entry), detail: shown };
}

function heldView(slot: HeldSlot, timezone: string): CampaignDetail['heldSlots'][number] {
  const { attemptId, key, state, phone, list, line, callId, intentAt, holdsUntil, detail } = slot;
  const name = nameIn(slot, slot.cells);
  const iso = zonedTime(timezone);
  return {
    ...{ attempt: attemptId, externalId: key, state, phone, name, list, line, callId },
    ...{ sentAt: iso(intentAt), heldUntil: iso(holdsUntil), whatFailed: detail },
    owner: { host: slot.owner.host, pid: slot.owner.pid },
  };
}

/** What budgets allow; `more` is null where none limits the calls. */
function budgetView({
  budget,
  campaign,
  begins,
}: CampaignList['campaigns'][number]): Campaign['budget'] {
  if (budget === null) return null;
  const { timezone } = campaign.settings;
  const iso = zonedTime(timezone);
  const nightView = ({ date, beginsAt, endsAt }: Night) => {
    return { date, beginsAt: iso(beginsAt), endsAt: iso(endsAt) };
  };
  const { night, next, tonight, more, limit, goesOnAt } = budget;
  return {
    night: nightView(night),
    next: nightView(next),
    tonight: spentView(tonight),
    campaign: spentView(budget.campaign),
    more: more === Infinity ? null : more,
    limit,
    goesOnAt: goesOnAt === null ? null : iso(goesOnAt),
    lines: budgetLines(budget, campaign, begins?.at),
  };
}

function spentView({ calls, open, answered, talkMs, costs }: Spent) {
  const sums = Object.entries(costs).map(([currency, { sum }]) => ({ amount: sum, currency }));
  return { calls, open, answered, talkMs, costs: sums };
}
