import type {
  Doubt,
  EndedCall,
  HeldSlot,
  HistoryEntry,
  List,
  SlotShare,
  Store,
} from '../../store/port.ts';
import {
  databasePlaces,
  withCampaign,
  withStore,
  type CampaignRequest,
} from '../places/databases.ts';
import { isThere, locateDatabase, nameOf, type DatabaseRequest } from '../places/home.ts';
import type { UnknownWord } from '../../domain/lead.ts';
import { isInDoubt } from '../run/run-events.ts';
import { viewOf, type CampaignView } from '../run/situation.ts';
import type { World } from '../world.ts';

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
  for (const place of databasePlaces(request, world)) {
    await withStore(place, 'read', world, async (store) => {
      const services = new Set<string>();
      for (const campaign of await store.listCampaigns())
        if (campaign.kind === 'list') {
          services.add(campaign.service);
          found.push(await viewOf({ store, campaign, world }));
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
  for (const { campaign, situation, exit } of campaigns)
    if (situation.isUncalled && !(serves && campaign.state === 'running'))
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
    const held = await store.heldSlots(id, view.now);
    const history = await store.history(id);
    return {
      ...view,
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
