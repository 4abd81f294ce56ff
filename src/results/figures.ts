import { LEAD_RESULTS, type LeadResult } from '../domain/lead.ts';
import { MoneySum, rounded } from '../domain/money.ts';
import { dialKind, NO_DIALS } from '../domain/nights/night-end.ts';
import { nightAt } from '../domain/nights/night.ts';
import { zoneOffsets } from '../runtime/time-zones.ts';
import type { Campaign, ExportRow, List, NightRow, Snapshot, Store } from '../store/port.ts';
import { remembered } from '../text/fold-words.ts';
import { isTimezone, zonedTime } from '../text/times.ts';
import type { NightFigures } from '../views/night-figures.ts';
import type { Figures } from '../views/results.ts';
import { endOf, resultOf } from './columns.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LENGTHS = [10 * SECOND, 30 * SECOND, MINUTE, 3 * MINUTE, 10 * MINUTE, null];

interface FiguresOptions {
  detail?: 'columns' | 'everything';
  onCall?: (row: ExportRow) => void;
  /** Only the calls of this night, and the people called in it, `''` for calls from before nights. Default: all. */
  night?: string | null;
}

/** Counts a campaign in two passes, leads and attempts, a page at a time. `onCall` receives all but those not made. */
export async function figuresOf(
  snapshot: Snapshot,
  options: FiguresOptions = {},
): Promise<Figures> {
  const { detail = 'columns', onCall, night = null } = options;
  const leads = leadCounter(snapshot);
  const called = new Map<string, ExportRow>();
  if (night === null)
    for await (const page of snapshot.pages({
      per: 'lead',
      detail: 'columns',
      withExported: false,
    }))
      page.forEach(leads.add);
  const count = callCounter(snapshot);
  for await (const page of snapshot.pages({ per: 'attempt', detail, withExported: false })) {
    for (const row of page) {
      if (row.attempt === null) continue;
      if (night !== null && (row.attempt.night ?? '') !== night) continue;
      if (night !== null && row.attempt.state !== 'released')
        called.set(`${row.cursor.list} ${row.cursor.line}`, withoutAnalytics(row));
      if (count.add(row, row.attempt)) onCall?.(row);
    }
  }
  for (const row of called.values()) leads.addCalled(row);
  return { ...leads.figures(), ...count.figures() };
}

function leadCounter({ campaign }: Snapshot) {
  const leads = { total: 0, waiting: 0, calling: 0, done: 0 };
  const byResult = new Map<LeadResult, number>();
  const count = (row: ExportRow): void => {
    const { state, result } = endOf(row, campaign);
    leads.total += 1;
    leads[state] += 1;
    if (result !== null) add(byResult, result);
  };
  return {
    add: count,
    /** Counts somebody called in a night; a person who was called again later counts as waiting. */
    addCalled: (row: ExportRow): void => {
      if (row.attempt?.ordinal === row.attempts) count(row);
      else count({ ...row, state: 'waiting', result: null });
    },
    figures: () => {
      const results = LEAD_RESULTS.map((result) => ({ result, leads: byResult.get(result) ?? 0 }));
      return { leads, results: results.filter((one) => one.leads > 0) };
    },
  };
}

/** All people of a night stay in memory until its last call, so without what they said. */
function withoutAnalytics(row: ExportRow): ExportRow {
  return { ...row, analytics: null, cells: [], capturedLeads: [] };
}

function callCounter({ campaign, lists }: Snapshot) {
  const zoneOf = zoneColumns(lists);
  const timeIn = remembered(zonedTime);
  const { timezone } = campaign.settings;
  const calls = { ...NO_DIALS, ended: 0, answered: 0 };
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, calls: 0, answered: 0 }));
  const hourZones = { ofTheList: 0, ofTheCampaign: 0 };
  const days = new Map<string, { date: string; calls: number; answered: number }>();
  const seconds = new Map<number, number>();
  let totalMs = 0;
  const lengths = LENGTHS.map((upToMs) => ({ upToMs, calls: 0 }));
  const sentiment = new Map<string, number>();
  const score = { calls: 0, sum: 0 };
  const costs = new Map<string, { total: MoneySum; calls: number }>();
  let soundLikeOptOut = 0;
  let from: number | null = null;
  let to: number | null = null;

  function addCall(
    row: ExportRow,
    attempt: NonNullable<ExportRow['attempt']>,
    result: LeadResult | null,
  ): void {
    const { intentAt } = attempt;
    from = Math.min(from ?? intentAt, intentAt);
    to = Math.max(to ?? intentAt, intentAt);
    if (result === null) return;
    const answered = result === 'answered' ? 1 : 0;
    calls.ended += 1;
    calls.answered += answered;
    const zone = zoneOf(row);
    hourZones[zone === null ? 'ofTheCampaign' : 'ofTheList'] += 1;
    const hour = hours[Number(timeIn(zone ?? timezone)(intentAt).slice(11, 13))];
    if (hour !== undefined) count(hour, answered);
    const date = timeIn(timezone)(intentAt).slice(0, 10);
    const day = days.get(date) ?? { date, calls: 0, answered: 0 };
    days.set(date, day);
    count(day, answered);
    const { analytics } = row;
    if (analytics === null) return;
    const { durationMs, cost } = analytics;
    if (answered === 1 && attempt.refusal !== null) soundLikeOptOut += 1;
    if (answered === 1 && durationMs !== null) {
      add(seconds, Math.round(durationMs / SECOND));
      totalMs += durationMs;
      const length = lengths.find(({ upToMs }) => upToMs === null || durationMs < upToMs);
      if (length !== undefined) length.calls += 1;
    }
    if (analytics.sentiment?.label != null) add(sentiment, analytics.sentiment.label);
    if (analytics.sentiment?.score != null) {
      score.calls += 1;
      score.sum += analytics.sentiment.score;
    }
    if (cost !== null) {
      const currency = analytics.costCurrency ?? '';
      const spent = costs.get(currency) ?? { total: new MoneySum(), calls: 0 };
      costs.set(currency, spent);
      spent.total.add(cost);
      spent.calls += 1;
    }
  }

  return {
    /** @returns whether it was sent and may have had an effect */
    add(row: ExportRow, attempt: NonNullable<ExportRow['attempt']>): boolean {
      const kind = dialKind(attempt.state, attempt.resolution);
      if (kind !== null) calls[kind] += 1;
      const isCall = kind === 'made' || kind === 'inDoubt';
      if (isCall) addCall(row, attempt, kind === 'made' ? resultOf(attempt) : null);
      return isCall || kind === 'refused';
    },
    figures: () => ({
      calls,
      talk: { ...talkOf(seconds), totalMs },
      lengths,
      sentiment: Array.from(sentiment, ([label, n]) => ({ label, calls: n })).sort(
        (a, b) => b.calls - a.calls || a.label.localeCompare(b.label),
      ),
      sentimentScore: {
        calls: score.calls,
        mean: score.calls === 0 ? null : rounded(score.sum / score.calls),
      },
      hours,
      hourZones,
      days: [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1)),
      costs: Array.from(costs, ([currency, { total, calls: n }]) => {
        return { amount: total.toString(), currency, calls: n };
      }),
      soundLikeOptOut,
      from: from === null ? null : timeIn(timezone)(from),
      to: to === null ? null : timeIn(timezone)(to),
    }),
  };
}

/** Median and longest from a histogram by second, so that memory does not grow with the calls. */
function talkOf(seconds: ReadonlyMap<number, number>) {
  const sorted = [...seconds].toSorted(([a], [b]) => a - b);
  const calls = sorted.reduce((sum, [, n]) => sum + n, 0);
  let before = 0;
  const median = sorted.find(([, n]) => (before += n) * 2 >= calls)?.[0];
  const longest = sorted.at(-1)?.[0];
  return {
    calls,
    medianMs: median === undefined ? null : median * SECOND,
    longestMs: longest === undefined ? null : longest * SECOND,
  };
}

/** The time zone of a lead: the cell of its list's time zone column, if the cell is an IANA name; else null. */
function zoneColumns(lists: readonly List[]): (row: ExportRow) => string | null {
  const columns = new Map(
    lists.map(({ number, headers }) => [
      number,
      headers.findIndex((header) => /^(time[ _-]?zone|tz)$/i.test(header.trim())),
    ]),
  );
  const isZone = remembered(isTimezone);
  return ({ cursor, cells }) => {
    const cell = cells[columns.get(cursor.list) ?? -1]?.trim() ?? '';
    return isZone(cell) ? cell : null;
  };
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function count(place: { calls: number; answered: number }, answered: number): void {
  place.calls += 1;
  place.answered += answered;
}

export interface OneNight extends NightFigures {
  /** `2026-01-05`; `''`: all calls from before nights were kept. */
  night: string;
  /** The budget that ended its dialling; null: none. */
  endedBy: string | null;
}

/** A night beside the last night with calls before it. */
export interface NightChange {
  tonight: OneNight;
  /** Null: there was none. */
  before: OneNight | null;
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
    tonight: figures[tonight] ?? { ...NO_CALLS, night, endedBy: null },
    before: figures[before] ?? null,
    final,
    optOuts: { tonight: optOutsOf(final), before: optOutsOf(earlier) },
    lists: lists.map(({ path, good, at }) => ({ path, good, at })),
  };
}

function optOutsOf(final: NightChange['final']): number {
  return final.find(({ result }) => result === 'opted_out')?.leads ?? 0;
}

/** In the order of the rows. */
export async function nightFigures(
  store: Pick<Store, 'nightDoubts'>,
  campaignId: string,
  rows: readonly NightRow[],
): Promise<OneNight[]> {
  const doubts = new Map((await store.nightDoubts(campaignId)).map((each) => [each.night, each]));
  return rows.map(({ night, calls, open, refused, notMade, answered, talkMs, costs, endedBy }) => {
    const { inDoubt = 0, open: openDoubts = 0 } = doubts.get(night) ?? {};
    const made = calls - inDoubt;
    const ended = made - (open - openDoubts);
    return {
      ...{ night, made, refused, inDoubt, notMade, ended, answered, talkMs },
      answerRate: answerRate({ ended, answered }),
      costs: Object.entries(costs).map(([currency, { sum }]) => ({ currency, amount: sum })),
      endedBy,
    };
  });
}

export const NO_CALLS: NightFigures = {
  ...NO_DIALS,
  ...{ ended: 0, answered: 0, answerRate: null, talkMs: 0, costs: [] },
};

/** All that is counted in nights, together. */
export function sumOfNights(nights: readonly NightFigures[]): NightFigures {
  const sums = { ...NO_CALLS };
  const costs = new Map<string, MoneySum>();
  for (const night of nights) {
    for (const key of COUNTED) sums[key] += night[key];
    for (const { currency, amount } of night.costs) {
      const before = costs.get(currency) ?? new MoneySum();
      before.add(amount);
      costs.set(currency, before);
    }
  }
  return {
    ...sums,
    answerRate: answerRate(sums),
    costs: Array.from(costs, ([currency, sum]) => ({ amount: sum.toString(), currency })),
  };
}

type Counted = {
  [Key in keyof NightFigures]: NightFigures[Key] extends number ? Key : never;
}[keyof NightFigures];
const COUNTED = Object.entries(NO_CALLS)
  .filter(([, none]) => none === 0)
  .map(([key]) => key as Counted);

function answerRate({ ended, answered }: Pick<NightFigures, 'ended' | 'answered'>): number | null {
  return ended === 0 ? null : rounded(answered / ended);
}
