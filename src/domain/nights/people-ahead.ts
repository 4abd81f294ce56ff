import type { Interval } from '../calling/intervals.ts';

/** So many people may be called at any moment of a span of time, epoch ms. */
export interface PeopleSpan {
  from: number;
  to: number;
  people: number;
}

/** The times in which people of a place may be called. */
export interface PlaceSpans {
  people: number;
  /** Ascending, without overlaps. */
  spans: readonly Interval[];
}

/** How many people of all places together may be called when: ascending; times at which nobody may be are left out. */
export function peopleAhead(places: readonly PlaceSpans[]): PeopleSpan[] {
  const changes = new Map<number, number>();
  const change = (at: number, people: number) => changes.set(at, (changes.get(at) ?? 0) + people);
  for (const { people, spans } of places)
    for (const [from, to] of spans) {
      change(from, people);
      change(to, -people);
    }
  const all: PeopleSpan[] = [];
  let people = 0;
  for (const [at, by] of [...changes].toSorted((a, b) => a[0] - b[0])) {
    if (by === 0) continue;
    const last = all.at(-1);
    if (last !== undefined && people > 0) last.to = at;
    people += by;
    if (people > 0) all.push({ from: at, to: at, people });
  }
  return all;
}
