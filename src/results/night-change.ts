import { NO_DIALS, type DialCounts } from '../domain/nights/night-end.ts';
import type { LeadResult } from '../domain/lead.ts';
import { nightAt } from '../domain/nights/night.ts';
import { zoneOffsets } from '../runtime/time-zones.ts';
import type { Money } from '../views/fields.ts';
import type { Campaign, List, NightRow, Store } from '../store/port.ts';

/** A night in numbers. */
export interface NightFigures extends DialCounts {
  /** `2026-01-05`; `''`: all calls from before nights were kept. */
  night: string;
  /** Calls made whose end is known, and those in which a person spoke. */
  ended: number;
  answered: number;
  /** Of all calls, as budgets count it; see `Spent`. */
  talkMs: number;
  /** By currency; `''`: the service named none. The sum is decimal text, without rounding. */
  costs: Money[];
  /** The budget that ended its dialling; null: none. */
  endedBy: string | null;
}

/** What a night has brought, beside the night with calls before it. */
export interface NightChange {
  tonight: NightFigures;
  /** Null: there was none. */
  before: NightFigures | null;
  /** Leads that are final by a call of this night, the most frequent result first. */
  final: { result: LeadResult; leads: number }[];
  /** Leads that a call of this night, and of the one before, has ended because they asked for it. */
  optOuts: { tonight: number; before: number };
  /** Lists that came after the night before, until the end of this one. */
  lists: Pick<List, 'path' | 'good' | 'at'>[];
}

type NightReads = Pick<Store, 'nights' | 'nightDoubts' | 'finalLeads' | 'lists'>;

/** @param night its date, `2026-01-05`; also of a night without calls */
export async function changeOfNight(
  store: NightReads,
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
  night: string,
): Promise<NightChange> {
  const rows = await store.nights(id);
  const figures = await nightFigures(store, id, rows);
  const before = rows.findLastIndex((row) => row.night !== '' && row.night < night);
  const tonight = rows.findIndex((row) => row.night === night);
  const next = rows.find((row) => row.night > night);
  const borderOf = (row: NightRow | undefined, which: 'beginsAt' | 'endsAt', otherwise: number) =>
    row === undefined
      ? otherwise
      : nightAt(row.beganAt, settings, zoneOffsets(settings.policy?.zoneOverrides ?? []))[which];
  const from = borderOf(rows[before], 'endsAt', 0);
  const until = borderOf(rows[tonight], 'endsAt', borderOf(next, 'beginsAt', Infinity));
  const lists = (await store.lists(id)).filter(({ at }) => at >= from && at < until);
  const final = await store.finalLeads(id, night);
  const previous = rows[before];
  const earlier = previous === undefined ? [] : await store.finalLeads(id, previous.night);
  return {
    tonight: figures[tonight] ?? { ...NO_CALLS, night },
    before: figures[before] ?? null,
    final,
    optOuts: { tonight: optOutsOf(final), before: optOutsOf(earlier) },
    lists: lists.map(({ path, good, at }) => ({ path, good, at })),
  };
}

function optOutsOf(final: NightChange['final']): number {
  return final.find(({ result }) => result === 'opted_out')?.leads ?? 0;
}

/** The nights of a campaign in numbers, in the order of the rows. */
export async function nightFigures(
  store: Pick<Store, 'nightDoubts'>,
  campaignId: string,
  rows: readonly NightRow[],
): Promise<NightFigures[]> {
  const doubts = new Map((await store.nightDoubts(campaignId)).map((each) => [each.night, each]));
  return rows.map(({ night, calls, open, refused, notMade, answered, talkMs, costs, endedBy }) => {
    const { inDoubt = 0, open: openDoubts = 0 } = doubts.get(night) ?? {};
    const made = calls - inDoubt;
    return {
      ...{ night, made, refused, inDoubt, notMade },
      ended: made - (open - openDoubts),
      ...{ answered, talkMs },
      costs: Object.entries(costs).map(([currency, { sum }]) => ({ currency, amount: sum })),
      endedBy,
    };
  });
}

export const NO_CALLS: Omit<NightFigures, 'night'> = {
  ...NO_DIALS,
  ...{ ended: 0, answered: 0, talkMs: 0, costs: [], endedBy: null },
};
