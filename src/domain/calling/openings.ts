import type { HoursAt } from './calling-hours.ts';
import type { Interval } from './local-days.ts';
import { placeOf } from './zone-key.ts';

/** People of a campaign who wait at one place. */
export interface PeopleAt {
  zoneKey: string;
  waiting: number;
  /** When the first of them may be called as far as they themselves are concerned, epoch ms; 0: at any time. */
  firstNotBefore: number;
}

/** How many people may be called now by the hours, how many later, and how many never. */
export interface Openings {
  now: number;
  later: number;
  never: number;
  /** When the first of those who may be called later may be; null: nobody is to be called later. */
  next: NextOpening | null;
  /** Why people can never be called; most people first. */
  shut: Shut[];
}

/** People who are never called, all for the same reason. */
export interface Shut {
  /** See `Hold`. */
  by: string;
  why: string;
  people: number;
  /** The time zones in which they may be, those with most people first; empty: not known. */
  zones: string[];
}

export interface NextOpening {
  /** Epoch ms. */
  at: number;
  zoneKey: string;
  /** The rule or setting that decides until then (see `Hold`); null: the person is not due earlier. */
  by: string | null;
  why: string;
}

/** @param hoursAt see `callingHours` */
export function openings(
  places: Iterable<PeopleAt>,
  hoursAt: (zoneKey: string, at: number) => HoursAt,
  now: number,
): Openings {
  const found: Openings = { now: 0, later: 0, never: 0, next: null, shut: [] };
  const shut = new Map<string, { by: string; why: string; places: PeopleAt[] }>();
  let next: { at: number; zoneKey: string; hours: HoursAt } | undefined;
  for (const { zoneKey, waiting, firstNotBefore } of places) {
    const hours = hoursAt(zoneKey, now);
    if (hours.open && firstNotBefore <= now) {
      found.now += waiting;
      continue;
    }
    const at = firstOpen(zoneKey, Math.max(now, firstNotBefore), hoursAt);
    if (at === null) {
      const hold = hours.open ? NEVER_AGAIN : hours.hold;
      const key = `${hold.by}\n${hold.why}`;
      const same = shut.get(key) ?? { by: hold.by, why: hold.why, places: [] };
      same.places.push({ zoneKey, waiting, firstNotBefore });
      shut.set(key, same);
      found.never += waiting;
    } else {
      found.later += waiting;
      if (at < (next?.at ?? Infinity)) next = { at, zoneKey, hours };
    }
  }
  if (next !== undefined) {
    const { hours, ...opening } = next;
    const { by, why } = hours.open ? NOT_DUE : hours.hold;
    found.next = { ...opening, by, why };
  }
  found.shut = [...shut.values()]
    .map(({ by, why, places: them }) => ({ by, why, ...shutOut(them) }))
    .toSorted((a, b) => b.people - a.people);
  return found;
}

/** The most spans that are followed: a day has a few at most. */
const MOST_SPANS = 1_000;

/** When the hours of one place are open within `[from, to)`, ascending. @param hoursAt of that place */
export function openSpans(hoursAt: (at: number) => HoursAt, [from, to]: Interval): Interval[] {
  const spans: Interval[] = [];
  for (let at = from; at < to && spans.length < MOST_SPANS;) {
    const hours = hoursAt(at);
    const next = hours.open ? hours.until : (hours.opensAt ?? Infinity);
    if (hours.open) spans.push([at, Math.min(next, to)]);
    if (next <= at) return spans;
    at = next;
  }
  return spans;
}

function shutOut(places: readonly PeopleAt[]): Pick<Shut, 'people' | 'zones'> {
  const people = places.reduce((sum, { waiting }) => sum + waiting, 0);
  const mostFirst = places.toSorted((a, b) => b.waiting - a.waiting);
  return {
    people,
    zones: [...new Set(mostFirst.flatMap(({ zoneKey }) => placeOf(zoneKey).zones))],
  };
}

const NOT_DUE = { by: null, why: 'due later' };
const NEVER_AGAIN = { by: 'hours', why: 'closed for good before the person is due' };

/** The most boundaries that are followed; nobody may be called before the last one reached. */
const MOST_BOUNDARIES = 60;

/** @returns the first moment from `from` on at which hours are open; null: they never are */
function firstOpen(
  zoneKey: string,
  from: number,
  hoursAt: (zoneKey: string, at: number) => HoursAt,
): number | null {
  let at = from;
  for (let count = 0; count < MOST_BOUNDARIES; count++) {
    const hours = hoursAt(zoneKey, at);
    if (hours.open) return at;
    const { opensAt } = hours;
    if (opensAt === null || opensAt <= at) return null;
    at = opensAt;
  }
  return at;
}
