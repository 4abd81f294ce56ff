import { countsSince, endOf } from '../../domain/called-before.ts';
import { PhoneTable } from '../../leads/rows/phone-table.ts';
import type { Campaign, EarlierCall, OtherCampaigns, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { NUMBERS_AT_ONCE, phonePages } from './phone-pages.ts';
import type { Plan } from './plan.ts';

/** Who of the people that would be called now was called before by other campaigns; each by their newest call. */
export interface CalledBefore {
  people: number;
  /** How many of them `skipCalled` leaves out. */
  leftOut: number;
  /** When the newest of those calls began, epoch ms. */
  lastAt: number;
  /** The campaign that called last comes first; single test calls are one. */
  campaigns: CampaignBefore[];
  /** How those calls ended, and how many did so. */
  ends: Record<string, number>;
}

interface CampaignBefore {
  /** Null: single test calls. */
  name: string | null;
  people: number;
  lastAt: number;
}

type Asked = Pick<
  Plan,
  'store' | 'campaign' | 'surveys' | 'progress' | 'callNow' | 'opened' | 'resolved'
>;

const CALLS_AT_ONCE = 5_000;

/** For few people the calls of each are looked up, in each of the other campaigns; for more all calls are read. */
const MOST_LOOKUPS = 500_000;

/**
 * Reads the calls of all other campaigns once at most, however long the list is; null where there is no other
 * campaign, and where nobody was called before.
 */
export async function findCalledBefore(plan: Asked, world: World): Promise<CalledBefore | null> {
  const { store, campaign, surveys, progress, callNow, opened, resolved } = plan;
  if (store === undefined || callNow === 0) return null;
  const { simulated } = opened.config;
  const others = (await store.listCampaigns()).filter(
    (other) => other.id !== campaign?.id && other.simulated === simulated,
  );
  if (others.length === 0) return null;
  const names = new Map(others.map((other) => [other.id, nameOf(other)]));
  const now = world.clock.now();
  const { skipCalled } = resolved.settings;
  const since = skipCalled === undefined ? Infinity : countsSince(skipCalled, now);
  const counts = new Counts();
  const seen = new PhoneTable();
  const query = { campaignId: campaign?.id ?? null, simulated, now };
  const numbers = surveys.reduce((sum, { phones }) => sum + phones.size, progress?.waiting ?? 0);
  const isShort = numbers * others.length <= MOST_LOOKUPS;
  const pages = isShort ? callsOf(store, plan, query) : allCalls(store, query);
  for await (const page of pages) {
    for (const call of page) {
      if (!isToCall(call, plan) || seen.add(call.phone, 1) !== undefined) continue;
      counts.add(call, names.get(call.campaignId) ?? null, call.at >= since);
    }
  }
  return counts.people === 0 ? null : counts.toFigures();
}

type Query = OtherCampaigns & { now: number };

/** The newest first. */
async function* allCalls(store: Store, query: Query): AsyncGenerator<EarlierCall[]> {
  let before: string | null = null;
  do {
    const page: EarlierCall[] = await store.earlierCalls({
      ...query,
      before,
      limit: CALLS_AT_ONCE,
    });
    yield page;
    before = page.length < CALLS_AT_ONCE ? null : (page.at(-1)?.attemptId ?? null);
  } while (before !== null);
}

/** Of each number the newest first. */
async function* callsOf(
  store: Store,
  { campaign, surveys }: Asked,
  query: Query,
): AsyncGenerator<EarlierCall[]> {
  if (campaign !== undefined) {
    const { id } = campaign;
    const waiting = phonePages((after, limit) => store.waitingPhones(id, after, limit));
    for await (const phones of waiting) yield store.earlierCallsOf({ ...query, phones });
  }
  for (const survey of surveys) {
    for (const phones of inPieces(survey.phones, NUMBERS_AT_ONCE))
      yield store.earlierCallsOf({ ...query, phones });
  }
}

function* inPieces<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let piece: T[] = [];
  for (const item of items) {
    piece.push(item);
    if (piece.length < size) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

class Counts {
  people = 0;
  #leftOut = 0;
  #lastAt = 0;
  readonly #campaigns = new Map<string | null, CampaignBefore>();
  readonly #ends: Record<string, number> = {};

  add(call: EarlierCall, name: string | null, isLeftOut: boolean): void {
    this.people += 1;
    if (isLeftOut) this.#leftOut += 1;
    this.#lastAt = Math.max(this.#lastAt, call.at);
    const campaign = this.#campaigns.get(name) ?? { name, people: 0, lastAt: 0 };
    campaign.people += 1;
    campaign.lastAt = Math.max(campaign.lastAt, call.at);
    this.#campaigns.set(name, campaign);
    const end = endOf(call);
    this.#ends[end] = (this.#ends[end] ?? 0) + 1;
  }

  toFigures(): CalledBefore {
    return {
      people: this.people,
      leftOut: this.#leftOut,
      lastAt: this.#lastAt,
      campaigns: [...this.#campaigns.values()].toSorted((a, b) => b.lastAt - a.lastAt),
      ends: this.#ends,
    };
  }
}

/** A lead that waits, or a good row of a list that is still to come in. */
function isToCall({ lead, phone, suppressed }: EarlierCall, { surveys }: Asked): boolean {
  if (lead !== null) return lead === 'waiting';
  if (suppressed) return false;
  return surveys.some(({ phones, asked }) => phones.has(phone) && !asked.has(phone));
}

function nameOf({ kind, name }: Campaign): string | null {
  return kind === 'call' ? null : name;
}
