import {
  WEEKDAYS,
  type CallingLimits,
  type CallingPolicy,
  type DayWindows,
  type Weekday,
} from '../../../src/domain/calling/policy.ts';
import { RETRY_RESULTS, type RetryPolicy } from '../../../src/domain/calling/retry.ts';
import type { E164 } from '../../../src/domain/phone.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import { aPhone } from '../../helpers/factory.ts';
import { drawing, type Drawing } from './drawing.ts';
import type { Named } from './persons.ts';

/** Hours, caps, retries and further numbers of one run, decided beforehand by its seed. */
export interface CallingPlan {
  /** What the wall clock shows at the begin, epoch ms. */
  startAt: number;
  /** Troubles of a usual night happen so many times later: they are spread over minutes, hours or days. */
  stretch: number;
  /** What is in force at the begin. */
  first: CallingSettings;
  /** What the operator sets while it runs; times as in `Plan`. */
  changes: { at: number; to: CallingSettings }[];
  /** Lists that come later; they name people of the first one again, in another place, where they are from then on. */
  lists: { name: string; at: number; rows: { lead: number; zoneKey: string }[] }[];
  /** For each lead of the list, in its order, and then for each newcomer. */
  people: {
    zoneKey: string;
    alternatives: { phone: E164; zoneKey: string }[];
    /** What the list says of them; missing in nights whose lists do not say who people are. */
    named?: Named;
  }[];
  /** Numbers of rows that only a later list has. */
  newcomers: E164[];
  /** How calls end, one drawn for each call. */
  outcomes: readonly Outcome[];
  /** How often a person who spoke asks to be called again. */
  callbacks: number;
}

export interface CallingSettings {
  policy: CallingPolicy | undefined;
  retry: RetryPolicy | undefined;
}

export type Outcome =
  | 'answered'
  | 'no_answer'
  | 'busy'
  | 'voicemail'
  | 'declined'
  | 'failed'
  | 'invalid_number'
  | 'opted_out';

const OUTCOMES: readonly Outcome[] = [
  'answered',
  'no_answer',
  'no_answer',
  'busy',
  'voicemail',
  'declined',
  'failed',
  'invalid_number',
  'opted_out',
];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Days before clocks are changed somewhere, public holidays, the end of a year, and usual ones. */
const STARTS = [
  '2026-02-13T00:00Z',
  '2026-03-06T00:00Z',
  '2026-03-27T00:00Z',
  '2026-04-03T00:00Z',
  '2026-05-20T00:00Z',
  '2026-07-02T00:00Z',
  '2026-09-04T00:00Z',
  '2026-10-02T00:00Z',
  '2026-10-23T00:00Z',
  '2026-10-30T00:00Z',
  '2026-12-23T00:00Z',
].map((text) => Date.parse(text));

const PLACES = [
  'America/New_York;US-NY',
  'America/Chicago|America/New_York;US-IN',
  'America/Los_Angeles;US-CA',
  'America/Denver|America/Phoenix;US-AZ',
  'America/St_Johns;CA-NL',
  'America/Santiago;CL',
  'Asia/Kathmandu;NP',
  'Asia/Kolkata;IN',
  'Australia/Lord_Howe|Australia/Sydney;AU',
  'Europe/Berlin;DE',
  'Europe/London;GB',
  'Pacific/Auckland|Pacific/Chatham;NZ',
  'Pacific/Kiritimati;KI',
  '+05:30;',
];
/** Nobody's clock is known there, or nobody is ever called. */
const STRANGE = [';', ';US', 'Nowhere/Atlantis;US'];

const STRETCHES = [1, 40, 700, 6_000];

/** A third of all seeds; drawn apart, so that the others stay what they were. */
export function callingOf(seed: string, leads: number): CallingPlan | null {
  const random = seededRandom(`calling ${seed}`);
  if (random() >= 1 / 3) return null;
  const draw = drawing(random);
  const startAt = draw.pick(STARTS) + draw.upTo(3 * 24 * 60) * MINUTE_MS + draw.upTo(MINUTE_MS);
  const settings = () => settingsFrom(draw, startAt);
  const places = draw.some(PLACES, 4);
  const zoneKey = () => (draw.chance(0.08) ? draw.pick(STRANGE) : draw.pick(places));
  return {
    startAt,
    stretch: draw.pick(STRETCHES),
    first: settings(),
    changes: draw.chance(0.4)
      ? Array.from({ length: 1 + draw.upTo(3) }, () => ({
          at: draw.upTo(20_000),
          to: settings(),
        }))
      : [],
    lists: [],
    people: Array.from({ length: leads }, (_, lead) => ({
      zoneKey: zoneKey(),
      alternatives: draw.chance(0.5) ? numbersOf(draw, lead, zoneKey) : [],
    })),
    newcomers: [],
    outcomes: draw.some(OUTCOMES, OUTCOMES.length),
    callbacks: draw.chance(0.3) ? 0.5 : 0,
  };
}

/** Some are those of another lead too, or the own number of another one. */
function numbersOf(
  draw: Drawing,
  lead: number,
  zoneKey: () => string,
): { phone: E164; zoneKey: string }[] {
  const of = () => (draw.chance(0.15) ? draw.upTo(2) : 50 + (draw.chance(0.3) ? 0 : 3 * lead + 1));
  const first = of();
  const numbers = draw.chance(0.4) ? [first, 60 + draw.upTo(2)] : [first];
  return numbers.filter((n) => n !== lead).map((n) => ({ phone: aPhone(n), zoneKey: zoneKey() }));
}

function settingsFrom(draw: Drawing, startAt: number): CallingSettings {
  return {
    policy: draw.chance(0.9) ? policyFrom(draw, startAt) : undefined,
    retry: draw.chance(0.75) ? retryFrom(draw, startAt) : undefined,
  };
}

function policyFrom(draw: Drawing, startAt: number): CallingPolicy {
  const limits = () => limitsFrom(draw);
  const rules = Array.from({ length: draw.upTo(3) }, (_, i) => ({
    name: `rule-${i + 1}`,
    ...limits(),
    regions: draw.chance(0.3) ? { 'US-NY': limits(), GB: limits() } : {},
  }));
  const from = draw.upTo(1_440);
  const overMidnight = draw.chance(0.4);
  return {
    rules,
    hours: draw.chance(0.4)
      ? {
          days: draw.some(WEEKDAYS, 7),
          from: overMidnight ? 12 * 60 + draw.upTo(12 * 60) : Math.min(from, 1_300),
          to: overMidnight ? 1 + draw.upTo(12 * 60) : Math.min(1_440, Math.min(from, 1_300) + 600),
          timezone: draw.pick(['America/New_York', 'Europe/London', 'Asia/Kolkata']),
        }
      : null,
    holidays: draw.chance(0.3)
      ? [0, 1, 2]
          .filter(() => draw.chance(0.5))
          .map((days) => new Date(startAt + days * DAY_MS).toISOString().slice(0, 10))
      : [],
    unknownZones: draw.chance(0.6) ? 'skip' : ['America/New_York', 'Pacific/Honolulu'],
    zoneOverrides: [],
    marginMs: draw.pick([60_000, 90_000, 10 * MINUTE_MS]),
  };
}

function limitsFrom(draw: Drawing): CallingLimits {
  const caps = draw.some([HOUR_MS, DAY_MS, 7 * DAY_MS], 2);
  return {
    hours: draw.chance(0.75)
      ? {
          week: Object.fromEntries(WEEKDAYS.map((day) => [day, windowsFrom(draw)])) as Record<
            Weekday,
            DayWindows
          >,
          holidays: null,
        }
      : null,
    caps: draw.chance(0.5) ? caps.map((perMs) => ({ calls: 1 + draw.upTo(3), perMs })) : [],
    afterConversationMs: draw.chance(0.2) ? draw.pick([HOUR_MS, DAY_MS]) : null,
    afterRefusalMs: draw.chance(0.2) ? draw.pick([2 * HOUR_MS, DAY_MS]) : null,
  };
}

function windowsFrom(draw: Drawing): DayWindows {
  const kind = draw.upTo(10);
  if (kind === 0) return [];
  if (kind === 1) return [[0, 1_440]];
  const from = draw.upTo(14 * 60);
  const to = from + 180 + draw.upTo(1_440 - 180 - from);
  if (kind > 4 || to > 1_440 - 180) return [[from, to]];
  return [
    [from, from + 90],
    [from + 120, to],
  ];
}

function retryFrom(draw: Drawing, startAt: number): RetryPolicy {
  const gapMs = draw.pick([0, 10 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS]);
  const after = draw.some(RETRY_RESULTS, RETRY_RESULTS.length);
  return {
    attempts: 1 + draw.upTo(4),
    perDay: draw.chance(0.5) ? 1 + draw.upTo(2) : null,
    gapMs,
    after: Object.fromEntries(
      after.map((result) => [result, draw.pick([0, 5 * MINUTE_MS, 2 * HOUR_MS])]),
    ),
    otherTimeOfDay: draw.chance(0.3),
    lastDay: draw.chance(0.15)
      ? new Date(startAt + draw.upTo(4) * DAY_MS).toISOString().slice(0, 10)
      : null,
    alternatives: draw.chance(0.5) ? 1 + draw.upTo(2) : null,
  };
}
