import type { ServiceConfig } from '../../config/resolve-service.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import type { E164 } from '../../domain/phone.ts';
import type { Campaign, ExportRow, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { openHoursOf } from '../plan/open-hours.ts';
import { exitReason, type ExitReason } from './exit-reason.ts';
import { completeIfDone } from './run-and-report.ts';
import { runWatched, type WatchedRun } from './watched-run.ts';

interface SingleCall {
  phone: E164;
  /** The number as typed. */
  number: string;
  /** See `zoneKey` of domain/calling. */
  place: string;
  settings: CampaignSettings;
}

/** A campaign of one lead, ready to be dialled: a single call is recorded and counted like any other. */
export async function createSingleCall(
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
  row: ExportRow;
  exit: ExitReason;
}

/** Makes or collects a single call. @returns null when the operator left at once */
export function runSingleCall(options: WatchedRun, world: World): Promise<CallReport | null> {
  const { store } = options;
  return runWatched(options, world, async (end) => {
    const campaign = await completeIfDone(store, options.campaign, world);
    const [row] = await store.exportPage(campaign.id, null, 1);
    if (row === undefined) throw new Error('the call left no row');
    const now = world.clock.now();
    const hours = await openHoursOf(campaign, store, now);
    const exit = exitReason(campaign, await store.progress(campaign.id, now), now, {
      ...end,
      hours,
    });
    return { campaign, row, exit };
  });
}
