import type { NamedLimits } from './limits.ts';
import { WEEKDAYS, type Cap, type DayWindows, type Weekday } from './policy.ts';

/** A figure, and the rules that make it as strict as it is. */
export interface Decided<T> {
  value: T;
  by: readonly string[];
}

/** What several limits come to; null or empty: none of them limits that. */
export interface StrictestLimits {
  week: Readonly<Record<Weekday, Decided<DayWindows>>> | null;
  /** What holidays have at most; null: holidays are days like any other. */
  holidays: Decided<DayWindows> | null;
  /** Without caps that another one makes superfluous; the shortest period first. */
  caps: readonly Decided<Cap>[];
  afterConversationMs: Decided<number> | null;
  afterRefusalMs: Decided<number> | null;
}

/** Composes limits for people: the claim asks each of them by itself, which comes to the same. */
export function strictestOf(named: readonly NamedLimits[]): StrictestLimits {
  const hours = named.flatMap(({ by, limits }) =>
    limits.hours === null ? [] : [{ by, hours: limits.hours }],
  );
  const closing = hours.flatMap(({ by, hours: { holidays } }) =>
    holidays === null ? [] : [{ by, windows: holidays }],
  );
  const day = (weekday: Weekday) =>
    narrowest(hours.map((one) => ({ by: one.by, windows: one.hours.week[weekday] })));
  const days = WEEKDAYS.map((weekday) => [weekday, day(weekday)] as const);
  return {
    week:
      hours.length === 0
        ? null
        : (Object.fromEntries(days) as Record<Weekday, Decided<DayWindows>>),
    holidays: closing.length === 0 ? null : narrowest(closing),
    caps: tightest(named),
    afterConversationMs: longest(named.map((one) => [one.by, one.limits.afterConversationMs])),
    afterRefusalMs: longest(named.map((one) => [one.by, one.limits.afterRefusalMs])),
  };
}

interface NamedWindows {
  by: string;
  windows: DayWindows;
}

/** The time that is open in all; decided by those that leave no more than that, else by those that take some away. */
function narrowest(all: readonly NamedWindows[]): Decided<DayWindows> {
  const value = commonToAll(all);
  const exact = all.filter(({ windows }) => lengthOf(windows) === lengthOf(value));
  const narrowing = all.filter(({ windows }) => {
    const others = all.filter((other) => other.windows.join() !== windows.join());
    return lengthOf(commonToAll(others)) > lengthOf(value);
  });
  return { value, by: (exact.length > 0 ? exact : narrowing).map(({ by }) => by) };
}

function commonToAll(all: readonly NamedWindows[]): DayWindows {
  return all.reduce<DayWindows>((open, { windows }) => common(open, windows), [[0, 1_440]]);
}

/** The time that two days have in common. */
function common(one: DayWindows, other: DayWindows): DayWindows {
  return one.flatMap(([from, to]) =>
    other.flatMap(([start, end]): DayWindows => {
      const [opens, closes] = [Math.max(from, start), Math.min(to, end)];
      return opens < closes ? [[opens, closes]] : [];
    }),
  );
}

function lengthOf(windows: DayWindows): number {
  return windows.reduce((sum, [from, to]) => sum + to - from, 0);
}

function tightest(named: readonly NamedLimits[]): Decided<Cap>[] {
  const all = named.flatMap(({ by, limits }) => limits.caps.map((cap) => ({ cap, by })));
  const kept = new Map<string, Decided<Cap>>();
  for (const { cap, by } of all) {
    const isCovered = all.some(({ cap: other }) => {
      const isEqual = other.calls === cap.calls && other.perMs === cap.perMs;
      return !isEqual && other.calls <= cap.calls && other.perMs >= cap.perMs;
    });
    const key = `${cap.calls}/${cap.perMs}`;
    if (!isCovered) kept.set(key, { value: cap, by: [...(kept.get(key)?.by ?? []), by] });
  }
  return [...kept.values()].toSorted((a, b) => a.value.perMs - b.value.perMs);
}

function longest(all: readonly (readonly [by: string, ms: number | null])[]) {
  const value = Math.max(...all.map(([, ms]) => ms ?? 0), 0);
  if (value === 0) return null;
  return { value, by: all.filter(([, ms]) => ms === value).map(([by]) => by) };
}
