import { formatSkipCalled } from '../config/setting-changes.ts';
import { countsSince, endOf } from '../domain/called-before.ts';
import { PhoneTable } from '../leads/phone-table.ts';
import { grouped } from '../results/words.ts';
import type { Campaign, EarlierCall } from '../store/port.ts';
import type { Io } from './io.ts';
import { localTime } from './local-time.ts';
import type { Plan } from './plan.ts';
import { counted } from './plural.ts';

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

type Asked = Pick<Plan, 'store' | 'campaign' | 'surveys' | 'callNow' | 'opened' | 'resolved'>;

const CALLS_AT_ONCE = 5_000;
const CAMPAIGNS_NAMED = 3;

/**
 * Reads the calls of all other campaigns once, however long the list is; null where there is no other campaign, and
 * where nobody was called before.
 */
export async function findCalledBefore(plan: Asked, io: Io): Promise<CalledBefore | null> {
  const { store, campaign, callNow, opened, resolved } = plan;
  if (store === undefined || callNow === 0) return null;
  const { simulated } = opened.config;
  const others = (await store.listCampaigns()).filter(
    (other) => other.id !== campaign?.id && other.simulated === simulated,
  );
  if (others.length === 0) return null;
  const names = new Map(others.map((other) => [other.id, nameOf(other)]));
  const now = io.clock.now();
  const { skipCalled } = resolved.settings;
  const since = skipCalled === undefined ? Infinity : countsSince(skipCalled, now);
  const counts = new Counts();
  const seen = new PhoneTable();
  let before: string | null = null;
  do {
    const query = { campaignId: campaign?.id ?? null, simulated, now };
    const page: EarlierCall[] = await store.earlierCalls({
      ...query,
      before,
      limit: CALLS_AT_ONCE,
    });
    for (const call of page) {
      if (!isToCall(call, plan) || seen.add(call.phone, 1) !== undefined) continue;
      counts.add(call, names.get(call.campaignId) ?? null, call.at >= since);
    }
    before = page.length < CALLS_AT_ONCE ? null : (page.at(-1)?.attemptId ?? null);
  } while (before !== null);
  return counts.people === 0 ? null : counts.toFigures();
}

/** The same for programs: times are ISO 8601. */
export function calledBeforeJson({ lastAt, campaigns, ...found }: CalledBefore) {
  const iso = (at: number) => new Date(at).toISOString();
  const by = campaigns.map(({ lastAt: at, ...campaign }) => ({ ...campaign, lastAt: iso(at) }));
  return { ...found, lastAt: iso(lastAt), campaigns: by };
}

/** What is said of it before anybody is asked. */
export function calledBeforeLines(
  found: CalledBefore | null,
  { settings }: Plan['resolved'],
): string[] {
  if (found === null) return [];
  const { people, leftOut, campaigns, ends } = found;
  const { skipCalled, timezone } = settings;
  const by = campaigns
    .slice(0, CAMPAIGNS_NAMED)
    .map(
      ({ name, people, lastAt }) =>
        `${grouped(people)} by ${quoted(name)} (last ${localTime(lastAt, timezone)})`,
    );
  const rest = campaigns.slice(CAMPAIGNS_NAMED);
  if (rest.length > 0) {
    const more = rest.reduce((sum, each) => sum + each.people, 0);
    by.push(`and ${grouped(more)} by ${counted(rest.length, 'other')}`);
  }
  const ended = Object.entries(ends)
    .toSorted(([, a], [, b]) => b - a)
    .map(([end, count]) => `${end} ${grouped(count)}`);
  const were = people === 1 ? 'was' : 'were';
  return [
    `Called before: ${grouped(people)} of these people ${were} called by other campaigns: ${by.join(', ')}. How the last call of each ended: ${ended.join(', ')}.`,
    whatBecomes(people, leftOut, skipCalled),
  ];
}

function whatBecomes(
  people: number,
  leftOut: number,
  skip: Parameters<typeof formatSkipCalled>[0],
): string {
  if (skip === undefined) {
    const who = people === 1 ? 'That one is' : 'They are';
    return `${who} called again; --skip-called ever leaves out whoever was called before, --skip-called 30d whoever was within 30 days.`;
  }
  const again = people - leftOut;
  const others =
    again === 0
      ? ''
      : `; ${grouped(again)} called longer ago ${again === 1 ? 'is' : 'are'} called again`;
  return `skipCalled ${formatSkipCalled(skip)}: ${grouped(leftOut)} of them ${leftOut === 1 ? 'is' : 'are'} left out and ${leftOut === 1 ? 'ends' : 'end'} as cancelled${others}.`;
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

function quoted(name: string | null): string {
  return name === null ? 'single calls' : `"${name}"`;
}
