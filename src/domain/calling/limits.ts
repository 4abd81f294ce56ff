import { own } from '../safe-text.ts';
import { DAY_MS } from '../time-units.ts';
import {
  WEEKDAYS,
  type CallingLimits,
  type CallingPolicy,
  type CallingRule,
  type Cap,
  type DayWindows,
  type Weekday,
} from './policy.ts';
import type { Place } from './zone-key.ts';

/** Limits for a person, and their source: `us-states`, or `us-states US-FL` for those of a region. */
export interface NamedLimits {
  by: string;
  limits: CallingLimits;
}

/**
 * All limits that hold for people at a place: those of every rule, and those that the rules have for one of the place's
 * regions. A region is taken exactly: the limits for `US` hold for people of whom no more is known than that.
 */
export function limitsAt(policy: CallingPolicy, place: Place): NamedLimits[] {
  const { regions } = assumedPlace(policy, place);
  const rules = policy.rules.filter((rule) => holdsIn(rule, regions));
  return rules.flatMap((rule) => [
    { by: rule.name, limits: rule },
    ...regions.flatMap((region) => {
      const limits = own(rule.regions, region);
      return limits === undefined ? [] : [{ by: `${rule.name} ${region}`, limits }];
    }),
  ]);
}

export function holdsIn({ only }: Pick<CallingRule, 'only'>, regions: readonly string[]): boolean {
  return only === undefined || regions.some((region) => only.includes(region.slice(0, 2)));
}

/** The place itself or, for people whose time zone is not known, the place that the campaign assumes, if any. */
export function assumedPlace(
  { unknownZones, unknownRegions = [] }: CallingPolicy,
  { zones, regions }: Place,
): Place {
  if (zones.length > 0 || unknownZones === 'skip') return { zones, regions };
  return { zones: unknownZones, regions: [...new Set([...regions, ...unknownRegions])] };
}

/** The time of a consent by a list, epoch ms; null or left out: the list says nothing. */
interface ConsentTimes {
  /** The end that it names. */
  consentUntil?: number | null;
  /** The end of the day on which it was given, from which its age counts. */
  consentGiven?: number | null;
}

/**
 * When a consent ends for somebody at a place: at the end that the list names, or at the least age that the rules have
 * for people there, whichever is earlier; `why` goes on after "the consent". Null: it has no end.
 */
export function consentEnd(
  policy: CallingPolicy | undefined,
  place: () => Place,
  { consentUntil, consentGiven }: ConsentTimes,
): { at: number; why: string } | null {
  const ends = consentUntil == null ? [] : [{ at: consentUntil, why: 'has ended' }];
  if (consentGiven != null && policy !== undefined) {
    const { regions } = assumedPlace(policy, place());
    for (const { name, consentMaxAgeMs: age, ...rule } of policy.rules) {
      if (age === undefined || !holdsIn(rule, regions)) continue;
      const why = `is older than ${age / DAY_MS} days, the most that ${name} allows`;
      ends.push({ at: consentGiven + age, why });
    }
  }
  return ends.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** A figure, and the rules that make it as strict as it is. */
export interface Decided<T> {
  value: T;
  by: readonly string[];
}

/** Several limits as one; null or empty: none of them limits that. */
export interface StrictestLimits {
  week: Readonly<Record<Weekday, Decided<DayWindows>>> | null;
  /** What holidays have at most; null: holidays are days like any other. */
  holidays: Decided<DayWindows> | null;
  /** Without caps that another one makes superfluous; the shortest period first. */
  caps: readonly Decided<Cap>[];
  afterConversationMs: Decided<number> | null;
  afterRefusalMs: Decided<number> | null;
}

/** For people to read: the claim asks each limit by itself, with the same result. */
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
