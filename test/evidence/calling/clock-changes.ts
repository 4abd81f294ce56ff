import {
  WEEKDAYS,
  type CallingLimits,
  type CallingPolicy,
  type DayWindows,
  type Weekday,
  type WeekHours,
} from '../../../src/domain/calling/policy.ts';
import type { CallingPlan, CallingSettings } from './calling-plan.ts';
import type { Drawing } from './drawing.ts';

const MINUTE_MS = 60_000;

/** When clocks are set forward or back, and where. */
const CHANGES = [
  ['2026-03-08T05:30Z', 'America/St_Johns;CA-NL'],
  ['2026-03-08T07:00Z', 'America/New_York;US-NY'],
  ['2026-03-08T10:00Z', 'America/Los_Angeles;US-CA'],
  ['2026-03-29T01:00Z', 'Europe/Berlin;DE'],
  ['2026-04-04T15:00Z', 'Australia/Lord_Howe|Australia/Sydney;AU'],
  ['2026-04-05T03:00Z', 'America/Santiago;CL'],
  ['2026-09-06T04:00Z', 'America/Santiago;CL'],
  ['2026-09-26T14:00Z', 'Pacific/Auckland|Pacific/Chatham;NZ'],
  ['2026-10-03T15:30Z', 'Australia/Lord_Howe|Australia/Sydney;AU'],
  ['2026-10-25T01:00Z', 'Europe/London;GB'],
  ['2026-11-01T04:30Z', 'America/St_Johns;CA-NL'],
  ['2026-11-01T06:00Z', 'America/New_York;US-NY'],
] as const;

/** The same night some hours before such a change, with hours that open and close around it. */
export function nearAChange(draw: Drawing, plan: CallingPlan): CallingPlan {
  const [at, zoneKey] = draw.pick(CHANGES);
  const edit = ({ policy, retry }: CallingSettings): CallingSettings => ({
    policy: policy && atNight(draw, policy),
    retry: retry && { ...retry, lastDay: null },
  });
  return {
    ...plan,
    startAt: Date.parse(at) - draw.upTo(6 * 60) * MINUTE_MS - draw.upTo(MINUTE_MS),
    stretch: draw.pick([40, 700]),
    first: edit(plan.first),
    changes: plan.changes.map((change) => ({ ...change, to: edit(change.to) })),
    people: plan.people.map((person) => (draw.chance(0.7) ? { ...person, zoneKey } : person)),
  };
}

function atNight(draw: Drawing, policy: CallingPolicy): CallingPolicy {
  const edit = (limits: CallingLimits) => ({ ...limits, hours: nightHours(draw) });
  const [first, ...others] = policy.rules;
  return {
    ...policy,
    rules:
      first === undefined
        ? []
        : [{ ...first, ...edit(first), regions: {} }, ...others.map(withoutHours)],
    hours: null,
    holidays: [],
  };
}

function withoutHours<T extends CallingLimits>(rule: T) {
  return { ...rule, hours: null, regions: {} };
}

/** Around midnight, or between midnight and five: one window or two. */
function nightHours(draw: Drawing): WeekHours {
  const from = 5 * draw.upTo(36);
  const to = from + 15 + 5 * draw.upTo(36);
  const windows: DayWindows = draw.chance(0.5)
    ? [[from, to]]
    : [
        [0, from + 30],
        [from + 45, 1_440],
      ];
  const week = Object.fromEntries(WEEKDAYS.map((day) => [day, windows]));
  return { week: week as Record<Weekday, DayWindows>, holidays: null };
}
