/** A span of time `[from, to)`, epoch ms. */
export type Interval = readonly [from: number, to: number];

/** Intervals in ascending order, those that touch or overlap made one. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const all: [number, number][] = [];
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** What lies in both; each list is ascending and without overlaps. */
export function intersection(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  for (let i = 0, j = 0; ;) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) return both;
    const from = Math.max(one[0], other[0]);
    const to = Math.min(one[1], other[1]);
    if (from < to) both.push([from, to]);
    if (one[1] < other[1]) i += 1;
    else j += 1;
  }
}
