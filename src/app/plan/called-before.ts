import { setImmediate } from 'node:timers/promises';

import { countsSince, endOf } from '../../domain/campaign.ts';
import { PhoneTable } from '../../leads/rows/row-numbers.ts';
import type { EarlierCall, OtherCampaigns, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { NUMBERS_AT_ONCE, phonePages } from './plan-lists.ts';
import type { Plan } from './plan.ts';

/** Which people of a plan other campaigns have called before; each person counts once, by the newest call. */
export interface CalledBefore {
  people: number;
  /** How many of these people `skipCalled` leaves out. */
  leftOut: number;
  /** When the newest of those calls began, epoch ms. */
  lastAt: number;
  /** The campaign with the newest call first; all single test calls together are one entry. */
  campaigns: CampaignBefore[];
  /** The number of those calls by how they ended. */
  ends: Record<string, number>;
}

interface CampaignBefore {
  /** Null: single test calls. */
  name: string | null;
  people: number;
  lastAt: number;
}

const CALLS_AT_ONCE = 5_000;

/** Up to this many lookups (numbers times other campaigns), calls are read per number; above it, all calls are read. */
const MOST_LOOKUPS = 500_000;

/**
 * Reads the calls of all other campaigns at most once, however long the list is. Null when there is no other campaign,
 * or when nobody was called before.
 */
export async function findCalledBefore(plan: Plan, world: World): Promise<CalledBefore | null> {
  const { store, campaign, surveys, progress, toCall, opened, resolved } = plan;
  if (store === undefined || toCall === 0) return null;
  const { simulated } = opened.config;
  const others = (await store.listCampaigns()).filter(
    (other) => other.id !== campaign?.id && other.simulated === simulated,
  );
  if (others.length === 0) return null;
  const begun = { people: 0, lastAt: 0 };
  const single: CampaignBefore = { name: null, ...begun };
  const before = new Map(
    others.map(({ id, kind, name }) => [id, kind === 'call' ? single : { name, ...begun }]),
  );
  const found = { leftOut: 0, ...begun, ends: {} as CalledBefore['ends'] };
  const now = world.clock.now();
  const { skipCalled } = resolved.settings;
  const since = skipCalled === undefined ? Infinity : countsSince(skipCalled, now);
  const seen = new PhoneTable();
  const query = { campaignId: campaign?.id ?? null, simulated, now };
  const numbers = surveys.reduce((sum, { phones }) => sum + phones.size, progress?.waiting ?? 0);
  const isShort = numbers * others.length <= MOST_LOOKUPS;
  const pages = isShort ? callsOf(store, plan, query) : allCalls(store, query);
  for await (const page of pages) {
    for (const call of page) {
      if (!isToCall(call, plan) || seen.add(call.phone, 1) !== undefined) continue;
      for (const each of [found, before.get(call.campaignId) ?? single]) {
        each.people += 1;
        each.lastAt = Math.max(each.lastAt, call.at);
      }
      if (call.at >= since) found.leftOut += 1;
      const end = endOf(call);
      found.ends[end] = (found.ends[end] ?? 0) + 1;
    }
  }
  if (found.people === 0) return null;
  const campaigns = [...new Set([single, ...before.values()])]
    .filter(({ people }) => people > 0)
    .toSorted((a, b) => b.lastAt - a.lastAt);
  return { ...found, campaigns };
}

type Query = OtherCampaigns & { now: number };

/** Pages of all calls of the other campaigns, newest first. */
async function* allCalls(store: Store, query: Query): AsyncGenerator<EarlierCall[]> {
  let before: string | null = null;
  do {
    const newest = { ...query, before, limit: CALLS_AT_ONCE };
    const page: EarlierCall[] = await store.earlierCalls(newest);
    yield page;
    await setImmediate();
    before = page.length < CALLS_AT_ONCE ? null : (page.at(-1)?.attemptId ?? null);
  } while (before !== null);
}

/** Earlier calls of the numbers in the plan; for each number, the newest call comes first. */
async function* callsOf(store: Store, { campaign, surveys }: Plan, query: Query) {
  if (campaign !== undefined) {
    for await (const phones of phonePages({ store, campaign }, 'waitingPhones'))
      yield store.earlierCallsOf({ ...query, phones });
  }
  for (const survey of surveys) {
    for (const phones of batchesOf(survey.phones, NUMBERS_AT_ONCE)) {
      yield store.earlierCallsOf({ ...query, phones });
      await setImmediate();
    }
  }
}

export function* batchesOf<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let piece: T[] = [];
  for (const item of items) {
    piece.push(item);
    if (piece.length < size) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** True for a lead that waits, and for a good row of a list that is not imported yet. */
function isToCall({ lead, phone, suppressed }: EarlierCall, { surveys }: Plan): boolean {
  if (lead !== null) return lead === 'waiting';
  if (suppressed) return false;
  return surveys.some(({ phones, asked }) => phones.has(phone) && !asked.has(phone));
}
