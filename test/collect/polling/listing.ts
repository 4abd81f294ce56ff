import { aScene, type Plan, type Scene } from '../../helpers/campaign-run.ts';
import { withCallList, type ListingOptions } from '../../helpers/services/listing-service.ts';
import { unknown } from '../../helpers/services/service-double.ts';
import type { CallListing, ListedCall } from '../../../src/service/port.ts';
import type { Campaign, HistoryEntry } from '../../../src/store/port.ts';

export const BY_KEY: ListingOptions = { names: 'keys' };
export const BY_NUMBER: ListingOptions = { names: 'numbers' };
/** The answer is lost, and the phone rings all the same. */
export const LOST = { answer: unknown(), rings: true };

interface Listing extends Pick<Plan, 'leads' | 'dial'> {
  /** Whether the answer of the n-th dial is lost. Default: none is. */
  lost?: (n: number) => boolean;
  talkMs?: number;
  /** Above five calls at once, lists are read for polls, too. Default 5. */
  concurrency?: number;
}

export const isFirst = (n: number) => n === 0;

/** A campaign at a service that has a list of calls. */
export async function listing(
  { leads = 1, lost = () => false, talkMs = 2_000, concurrency = 5, dial }: Listing,
  options: ListingOptions,
  answer?: (calls: ListedCall[], n: number) => CallListing,
) {
  const scene = await aScene({
    leads,
    settings: { concurrency, requests: concurrency },
    dial: dial ?? ((_, n) => (lost(n) ? { ...LOST, talkMs } : { talkMs })),
  });
  const { service, lists } = withCallList(scene, answer, options);
  const at = { dialAt: { service, maxCalls: null }, collectFrom: [service] };
  const run = (overrides: Parameters<Scene['run']>[0] = {}) => scene.run({ ...at, ...overrides });
  const start = (overrides: Parameters<Scene['run']>[0] = {}) =>
    scene.start({ ...at, ...overrides });
  return { scene, service, lists, run, start };
}

export function listed(calls: ListedCall[]): CallListing {
  return { kind: 'listed', calls, complete: true };
}

export async function states(scene: Scene, campaign?: Campaign): Promise<string[]> {
  return (await scene.rows(campaign)).map(({ state, result }) => `${state} ${String(result)}`);
}

export async function contradictions({ store, campaign }: Scene): Promise<unknown[]> {
  const history: HistoryEntry[] = await store.history(campaign.id);
  return history
    .filter(({ what }) => what === 'attempt.contradicted')
    .map(({ detail }) => detail['why']);
}
