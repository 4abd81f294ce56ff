import {
  WEEKDAYS,
  type CallingLimits,
  type CallingPolicy,
  type CallingRule,
  type DayWindows,
  type WeekHours,
  type ZoneOverride,
} from '../../../src/domain/calling/policy.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import type { CallingPlan, CallingSettings } from './calling-plan.ts';
import { nearAChange } from './clock-changes.ts';
import { drawing, type Drawing } from './drawing.ts';

/** Where the public holidays of two countries count, and where only the country is known. */
const FURTHER_PLACES = [
  'Europe/Berlin|Europe/Paris;DE,FR',
  'Europe/Dublin|Europe/London;GB,IE',
  'America/Chicago;US',
  'America/Los_Angeles|America/New_York;US-CA,US-NY',
];

/** Zones that are corrected, with their offsets of the winter; some by another name of theirs. */
const CORRECTED: readonly (readonly [zone: string, hours: number])[] = [
  ['America/New_York', -5],
  ['US/Eastern', -5],
  ['America/Chicago', -6],
  ['America/Los_Angeles', -8],
  ['Europe/Berlin', 1],
  ['Europe/London', 0],
  ['Asia/Calcutta', 5.5],
  ['Pacific/Auckland', 12],
];

const HOUR_MS = 3_600_000;

/**
 * The same nights with public holidays, clocks that are changed, corrections of the time-zone data that come and go, and
 * lists that name people again in another place. Drawn apart: the nights without them stay what they were.
 */
export function withDaysAndClocks(seed: string, usual: CallingPlan): CallingPlan {
  const draw = drawing(seededRandom(`days and clocks ${seed}`));
  const plan = draw.chance(0.3) ? nearAChange(draw, usual) : usual;
  const hasHolidays = draw.chance(0.5);
  const areCorrected = draw.chance(0.5);
  const edit = (settings: CallingSettings): CallingSettings => {
    const { policy } = settings;
    if (policy === undefined) return settings;
    let next = policy;
    if (hasHolidays) next = withHolidays(draw, next);
    if (areCorrected) next = { ...next, zoneOverrides: overridesFrom(draw, plan.startAt) };
    return { ...settings, policy: next };
  };
  const corrections =
    areCorrected && plan.first.policy !== undefined
      ? Array.from({ length: draw.upTo(3) }, () => ({ at: draw.upTo(20_000), to: plan.first }))
      : [];
  const changes = [...plan.changes, ...corrections].toSorted((a, b) => a.at - b.at);
  return {
    ...plan,
    first: edit(plan.first),
    changes: changes.map(({ at, to }) => ({ at, to: edit(to) })),
    people: plan.people.map((person) =>
      hasHolidays && draw.chance(0.2) ? { ...person, zoneKey: draw.pick(FURTHER_PLACES) } : person,
    ),
    lists: draw.chance(0.3) ? listsFrom(draw, plan.people.length) : [],
  };
}

function withHolidays(draw: Drawing, policy: CallingPolicy): CallingPolicy {
  const edit = (limits: CallingLimits): CallingLimits => {
    const { hours } = limits;
    if (hours === null || draw.chance(0.2)) return limits;
    return { ...limits, hours: { ...hours, holidays: draw.chance(0.6) ? [] : everyDay(hours) } };
  };
  const { unknownZones } = policy;
  return {
    ...policy,
    rules: policy.rules.map((rule): CallingRule => ({
      ...rule,
      ...edit(rule),
      regions: Object.fromEntries(
        Object.entries(rule.regions).map(([region, limits]) => [region, edit(limits)]),
      ),
    })),
    ...(unknownZones !== 'skip' && draw.chance(0.6) && { unknownRegions: ['US'] }),
  };
}

/** An hour that is open on every weekday, so that a day of which we do not know that it is a holiday is no longer one. */
function everyDay({ week }: WeekHours): DayWindows {
  const from = Math.max(...WEEKDAYS.map((day) => week[day][0]?.[0] ?? Infinity));
  const to = from + 60;
  const isOpen = WEEKDAYS.every((day) => week[day].some(([a, b]) => a <= from && b >= to));
  return isOpen ? [[from, to]] : [];
}

/** By an hour or less from a moment of these days on, unless Node's data is said to know it already. */
function overridesFrom(draw: Drawing, startAt: number): ZoneOverride[] {
  if (draw.chance(0.25)) return [];
  return draw.some(CORRECTED, 3).map(([zone, hours]) => ({
    zone,
    from: Math.floor(startAt / HOUR_MS) * HOUR_MS + (draw.upTo(96) - 24) * HOUR_MS,
    offsetMs: (hours + draw.pick([-1, -0.5, 0, 0.5, 1, 2])) * HOUR_MS,
    fixedIn: draw.chance(0.2) ? '2019a' : '2099a',
  }));
}

function listsFrom(draw: Drawing, leads: number): CallingPlan['lists'] {
  return Array.from({ length: 1 + draw.upTo(2) }, (_one, n) => ({
    // Two may come at one moment.
    name: `later-${n + 1}`,
    at: draw.upTo(20_000),
    rows: Array.from({ length: leads }, (_, lead) => ({
      lead,
      zoneKey: draw.pick(['Pacific/Kiritimati;', '+05:30;', 'America/New_York;US-NY', ';']),
    })).filter(() => draw.chance(0.6)),
  }));
}
