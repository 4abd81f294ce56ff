import { expect } from 'vitest';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import type {
  Campaign,
  ClaimRequest,
  DialRecord,
  ExportRow,
  HistoryEntry,
  Intent,
  PollRecord,
  NewLead,
  NewList,
  Owner,
  Store,
  SweepRequest,
} from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, CREATED, aLead, someAnalytics, someSettings } from '../../helpers/factory.ts';

/** An empty store and the ways to meet its data again. Closing is the opener's duty. */
export interface StoreUnderTest {
  store: Store;
  /** A second store on the same data, as a second runner has it. */
  beside: () => Promise<Store>;
  /** Closes the store and opens its data again, as the next start does. */
  reopen: () => Promise<Store>;
}

/** @param isProven as `prove` leaves it, where the opener has such a one at hand. Default false. */
export type OpenStore = (isProven?: boolean) => Promise<StoreUnderTest>;

export const ME: Owner = { host: 'host-1', boot: 'boot-1', pid: 4_711 };
export const CAMPAIGN = 'cmp_spring';
export const ENTRY: HistoryEntry = { at: START, who: 'operator', what: 'test.done', detail: {} };

interface Plan {
  id?: string;
  service?: string;
  settings?: Partial<CampaignSettings>;
  /** How many leads, or which. Default 5. */
  leads?: number | NewLead[];
  /** False: its service has never answered a dial as expected. Default true. */
  proven?: boolean;
}

/** A campaign that runs, with one finished list. */
export async function aRunningCampaign(store: Store, plan: Plan = {}): Promise<Campaign> {
  const { id = CAMPAIGN, service = 'main', settings = {}, leads = 5, proven = true } = plan;
  if (proven && id !== 'cmp_proof') await prove(store, service);
  await store.createCampaign(aCampaign({ id, name: id, service, settings }), CREATED);
  await addList(store, id, typeof leads === 'number' ? someLeads(leads) : leads);
  return store.changeCampaign(id, { state: 'running' }, ENTRY);
}

/** An empty store with such a campaign. */
export async function aRunningStore(open: OpenStore, plan: Plan = {}): Promise<Store> {
  const { store } = await open(plan.proven ?? true);
  await aRunningCampaign(store, plan);
  return store;
}

export function someLeads(count: number, from = 0): NewLead[] {
  return Array.from({ length: count }, (_, i) => aLead(from + i, { line: i + 2 }));
}

export async function addList(
  store: Store,
  campaignId: string,
  leads: NewLead[],
  list: Partial<NewList> = {},
): Promise<void> {
  const { id } = await store.beginList(campaignId, aList({ id: `list-${campaignId}`, ...list }));
  await store.addLeads(id, leads);
  await store.finishList(id, { good: leads.length, rejected: 0, duplicates: 0 });
}

export function aList(overrides: Partial<NewList> = {}): NewList {
  return {
    id: 'list_1',
    path: 'leads.csv',
    sha256: 'aa11',
    headers: ['name', 'phone'],
    at: START,
    ...overrides,
  };
}

export function aClaim(overrides: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    campaignId: CAMPAIGN,
    want: 1,
    slots: 10_000,
    serviceSlots: null,
    service: 'main',
    fingerprint: 'main-1',
    now: START,
    owner: ME,
    ...overrides,
  };
}

/** Claims `want` leads and insists that it got them. */
export async function claimed(
  store: Store,
  want: number,
  overrides: Partial<ClaimRequest> = {},
): Promise<Intent[]> {
  const { intents } = await store.claim(aClaim({ want, ...overrides }));
  expect(intents).toHaveLength(want);
  return intents;
}

export async function claimedOne(
  store: Store,
  overrides: Partial<ClaimRequest> = {},
): Promise<Intent> {
  const [intent] = await claimed(store, 1, overrides);
  if (intent === undefined) throw new Error('nothing was claimed');
  return intent;
}

/** Claims one lead and tells what its dial came to. */
export async function dialled(
  store: Store,
  answer: DialRecord,
  overrides: Partial<ClaimRequest> = {},
): Promise<Intent> {
  const intent = await claimedOne(store, overrides);
  await store.recordDial(intent.attemptId, answer);
  return intent;
}

export const placed = (callId: string, at = START + 100, nextPollAt = at + 1_000): DialRecord => ({
  kind: 'placed',
  callId,
  at,
  nextPollAt,
  detail: 'placed',
  fingerprint: 'main-1',
});
export const rejected = (at = START + 100): DialRecord => ({
  kind: 'rejected',
  at,
  detail: 'this number is not served',
});
export const unknown = (at = START + 100, answered = false, accepted = false): DialRecord => ({
  kind: 'unknown',
  at,
  detail: 'no answer within 30 s',
  answered,
  accepted,
});
export const released = (
  reason: 'never_sent' | 'refused_without_effect' = 'refused_without_effect',
  notBefore = 0,
): DialRecord => ({
  kind: 'released',
  reason,
  notBefore,
  at: START + 100,
  detail: 'over capacity',
});

export const settled = (
  callId: string,
  overrides: Partial<Extract<PollRecord, { kind: 'settled' }>> = {},
): PollRecord => ({
  kind: 'settled',
  callId,
  at: START + 60_000,
  analytics: someAnalytics(),
  result: 'answered',
  source: 'derived',
  ...overrides,
});

/** A sweep by somebody who knows of no process that is gone. */
export function aSweep(overrides: Partial<SweepRequest> = {}): SweepRequest {
  return {
    campaignId: CAMPAIGN,
    now: START,
    settings: someSettings(),
    gone: [],
    ...overrides,
  };
}

/** Brings one claimed call to `placed` and tells it. */
export async function aPlacedCall(store: Store, callId = 'call_1'): Promise<Intent> {
  const intent = await claimedOne(store);
  expect(await store.recordDial(intent.attemptId, placed(callId))).toBe('moved');
  return intent;
}

/** All rows of a campaign's export. */
export async function exported(store: Store, campaignId = CAMPAIGN): Promise<ExportRow[]> {
  return store.exportPage(campaignId, null, 100_000);
}

/** The export's row of a person. */
export async function rowOf(store: Store, intent: Pick<Intent, 'phone'>): Promise<ExportRow> {
  const row = (await exported(store)).find(({ phone }) => phone === intent.phone);
  if (row === undefined) throw new Error('no such row');
  return row;
}

/** One call of another campaign, answered as expected and over: from now on several may be in flight. */
export async function prove(store: Store, service = 'main'): Promise<void> {
  if ((await store.findCampaign('cmp_proof')) !== undefined) return;
  const leads = [aLead(79_999)];
  await aRunningCampaign(store, { id: 'cmp_proof', service, leads });
  const { attemptId } = await dialled(store, placed('call_proof'), {
    campaignId: 'cmp_proof',
    service,
  });
  await store.recordPoll(attemptId, settled('call_proof'));
}
