import { existsSync } from 'node:fs';
import type {
  Campaign,
  Doubt,
  EndedCall,
  HeldSlot,
  HistoryEntry,
  List,
  Progress,
  SlotShare,
  Store,
} from '../../store/port.ts';
import { locateDatabase, type DatabaseRequest } from '../places/home.ts';
import {
  databasePlaces,
  withCampaign,
  withStore,
  type CampaignRequest,
  type OpenCampaign,
} from '../places/databases.ts';
import type { UnknownWord } from '../../domain/outcome.ts';
import type { Openings } from '../../domain/calling/openings.ts';
import { budgetOf, type BudgetView } from '../nights/budget-lines.ts';
import { openHoursOf } from '../plan/planned-hours.ts';
import { unfinishedImport, unfinishedSentence } from '../plan/unfinished-import.ts';
import { isInDoubt } from '../run/count-leads.ts';
import { exitReason } from '../run/exit-reason.ts';
import { whoWorks, type Works } from '../run/who-works.ts';
import { localTime } from '../../text/times.ts';
import { asSentence } from '../../text/wording.ts';
import type { World } from '../world.ts';

/** The state of a campaign at `now`, epoch ms. */
export interface CampaignView {
  now: number;
  campaign: Campaign;
  progress: Progress;
  works: Works;
  /** The unfinished import that keeps the campaign from being called, as a sentence; null: none. */
  heldUpBy: string | null;
  /** How many of those who wait may be called now, later and never, by the hours. */
  hours: Openings;
  /** What the campaign's budgets allow; null: it has none. */
  budget: BudgetView | null;
  /** What the campaign's state means, in the same words as at the end of a run. */
  why: string;
  /** What a person is needed for, see `ExitReason`; null: nobody is. */
  attention: string | null;
}

export interface CampaignList {
  campaigns: CampaignView[];
  /** Services whose slots several campaigns hold or want now, and what each has. */
  shares: ServiceShares[];
  /** How many archived campaigns are left out. */
  hidden: number;
  /** The database that was searched. */
  database: { path: string; exists: boolean };
}

export interface ServiceShares {
  service: string;
  campaigns: SlotShare[];
}

/** Lists every campaign with a list, including rehearsals. */
export async function listCampaigns(
  request: DatabaseRequest & { archived: boolean },
  world: World,
): Promise<CampaignList> {
  const found: CampaignView[] = [];
  const shares: ServiceShares[] = [];
  for (const { path } of databasePlaces(request, world)) {
    await withStore(path, 'read', world, async (store) => {
      const services = new Set<string>();
      for (const campaign of await store.listCampaigns())
        if (campaign.kind === 'list') {
          services.add(campaign.service);
          const view = await viewOf({ store, campaign, world });
          // A cancelled campaign makes no calls, whatever the state of its imports.
          found.push(campaign.state === 'cancelled' ? { ...view, heldUpBy: null } : view);
        }
      for (const service of services) shares.push(...(await sharesAt(service, store, world)));
    });
  }
  const campaigns = found.filter(
    ({ campaign }) => request.archived || campaign.archivedAt === undefined,
  );
  const { path } = locateDatabase(request, world, false);
  const database = { path, exists: existsSync(path) };
  return { campaigns, shares, hidden: found.length - campaigns.length, database };
}

/**
 * Tells of each campaign that nobody calls, though people of it wait or its import was broken off, with what goes on.
 *
 * @param serves this process calls every campaign that was started
 */
export async function tellUncalled(request: DatabaseRequest, serves: boolean, world: World) {
  const { campaigns } = await listCampaigns({ ...request, archived: false }, world);
  for (const { campaign, progress, works, heldUpBy, why } of campaigns) {
    const isCalled = works.calls !== null || (serves && campaign.state === 'running');
    if (!isCalled && (progress.waiting > 0 || heldUpBy !== null))
      world.tell(`Nobody calls ${campaign.name}: ${why}`);
  }
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
}

/**
 * One campaign with the calls that hold its slots, its doubts and its history.
 *
 * @param newest so many of the calls that ended last; default: none
 */
export function campaignStatus(
  { newest = 0, ...request }: CampaignRequest & { newest?: number },
  world: World,
): Promise<CampaignStatus> {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const { id } = campaign;
    const view = await viewOf(open);
    const { now, works } = view;
    const held = await store.heldSlots(id, now);
    const history = await store.history(id);
    const failing = history.findLast(({ what }) => what.startsWith('service.'));
    const fails = failing?.what === 'service.failing' && failing.at >= (works.since ?? Infinity);
    const since = localTime(failing?.at ?? now, campaign.settings.timezone);
    return {
      ...view,
      ...(fails && {
        why: `${campaign.service} has failed since ${since}, and nobody is called until it answers: ${asSentence(String(failing.detail['why']))} ${view.why}`,
      }),
      held,
      ended: newest === 0 ? [] : await store.endedCalls(id, newest),
      shares: await sharesAt(campaign.service, store, world),
      heldByDoubts: held.filter(isInDoubt),
      doubts: (await store.doubts(id)).filter(({ resolution }) => resolution === null),
      blank: await store.blankPeople(id),
      history,
      unknownWords: history
        .filter(({ what }) => what === 'word.unknown')
        .map(({ at, detail }) => ({ ...(detail as unknown as UnknownWord), at })),
      lists: await store.lists(id),
    };
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

export async function viewOf({ store, campaign, world }: OpenCampaign) {
  const now = world.clock.now();
  const progress = await store.progress(campaign.id, now);
  const works = whoWorks(await store.runners(campaign.id), world);
  const unfinished = await unfinishedImport(store, campaign, world);
  const heldUpBy = unfinished === undefined ? null : unfinishedSentence(unfinished, campaign);
  const hours = await openHoursOf(campaign, store, now);
  const budget = await budgetOf(campaign, store, now);
  const gates = await store.claimGates({ campaignId: campaign.id, serviceSlots: null, now });
  const full = gates.some(({ why }) => why === 'disk_full') && { dispatch: 'disk_full' as const };
  const seen = { ...works, unfinished, hours, budget, ...full };
  const { why, attention = null } = exitReason(campaign, progress, now, seen);
  return { now, campaign, progress, works, heldUpBy, hours, budget, why, attention };
}
