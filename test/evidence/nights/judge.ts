import { Temporal } from '@js-temporal/polyfill';
import { HOLIDAYS, lawOf } from './law.ts';

/** A phone that rang, as the service has noted it. */
export interface Ring {
  /** Epoch ms. */
  at: number;
  phone: string;
  /** What came of the call. */
  result: 'answered' | 'no_answer' | 'busy';
}

/** Where the people of an area code may be: the law and the clock of all of them count. */
export interface Area {
  zones: readonly string[];
  states: readonly string[];
}

export interface Verdict {
  violations: string[];
  /** By zone and hour on its clock (`America/Chicago 2026-01-09T15`), how many phones rang. */
  perHour: Map<string, number>;
  /** By state and day (`US-FL 2026-01-09`), the first and the last ring on the wall clock. */
  firstAndLast: Map<string, { first: string; last: string }>;
  /** By state, the most calls to one number within 24 hours. */
  mostInADay: Map<string, number>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Of the campaign: people who did not answer are called again, after an hour at the earliest. */
const MOST_CALLS = 6;
const FIRST_HOUR = 8;
const LAST_HOUR = 21;

/** Judges every call that the service has noted by the figures of the law and the wall clock of the person. */
export function judge(rings: readonly Ring[], areaOf: (phone: string) => Area): Verdict {
  const verdict: Verdict = {
    violations: [],
    perHour: new Map(),
    firstAndLast: new Map(),
    mostInADay: new Map(),
  };
  const byPhone = new Map<string, Ring[]>();
  for (const ring of rings) {
    const { at, phone } = ring;
    const { zones, states } = areaOf(phone);
    for (const [n, zone] of zones.entries()) {
      const wall = wallClock(zone, at);
      for (const state of states) judgeHour({ verdict, phone, state, zone, wall, note: n === 0 });
      if (n === 0) count(verdict.perHour, `${zone} ${wall.date}T${wall.time.slice(0, 2)}`);
    }
    byPhone.set(phone, [...(byPhone.get(phone) ?? []), ring]);
  }
  for (const [phone, own] of byPhone) {
    judgeCaps(verdict, phone, { times: own.map(({ at }) => at), ...areaOf(phone) });
    verdict.violations.push(...againstRetries(own).map((what) => `${phone} rang ${what}`));
  }
  return verdict;
}

interface Wall {
  date: string;
  time: string;
  /** 0: Monday. */
  weekday: number;
  hour: number;
}

function judgeHour(given: {
  verdict: Verdict;
  phone: string;
  state: string;
  zone: string;
  wall: Wall;
  note: boolean;
}): void {
  const { verdict, phone, state, zone, wall } = given;
  const { week, closedOnHolidays } = lawOf(state);
  const closed = closedOnHolidays && HOLIDAYS.includes(wall.date);
  const hours = closed ? null : (week[wall.weekday] ?? null);
  const isLawful =
    hours !== null &&
    wall.hour >= Math.max(FIRST_HOUR, hours[0]) &&
    wall.hour < Math.min(LAST_HOUR, hours[1]);
  if (!isLawful) {
    verdict.violations.push(`${phone} of ${state} rang at ${wall.date} ${wall.time} in ${zone}`);
  }
  if (!given.note) return;
  const key = `${state} ${wall.date}`;
  const known = verdict.firstAndLast.get(key) ?? { first: wall.time, last: wall.time };
  const first = wall.time < known.first ? wall.time : known.first;
  const last = wall.time > known.last ? wall.time : known.last;
  verdict.firstAndLast.set(key, { first, last });
}

function judgeCaps(
  verdict: Verdict,
  phone: string,
  { times, states }: { times: number[]; states: readonly string[] },
): void {
  const most = Math.max(
    ...times.map((end) => times.filter((at) => at > end - DAY_MS && at <= end).length),
  );
  for (const state of states) {
    verdict.mostInADay.set(state, Math.max(most, verdict.mostInADay.get(state) ?? 0));
    const cap = lawOf(state).callsPerDay;
    if (cap !== null && most > cap) {
      verdict.violations.push(`${phone} of ${state} rang ${most} times within 24 hours`);
    }
  }
}

function againstRetries(own: readonly Ring[]): string[] {
  const times = own.map(({ at }) => at).toSorted((a, b) => a - b);
  const isTooSoon = times.some((at, i) => at - (times[i - 1] ?? -Infinity) < HOUR_MS);
  const last = Math.max(...times);
  const isAnswered = own.some(({ at, result }) => result === 'answered' && at < last);
  return [
    ...(own.length > MOST_CALLS ? [`${own.length} times`] : []),
    ...(isTooSoon ? ['again within an hour'] : []),
    ...(isAnswered ? ['again after the person had answered'] : []),
  ];
}

/** One minute of a zone is asked for once. */
const minutes = new Map<string, Wall>();

function wallClock(zone: string, at: number): Wall {
  const minute = Math.floor(at / 60_000) * 60_000;
  const key = `${zone} ${minute}`;
  let wall = minutes.get(key);
  if (wall === undefined) {
    const now = Temporal.Instant.fromEpochMilliseconds(minute).toZonedDateTimeISO(zone);
    const time = now.toPlainTime().toString({ smallestUnit: 'minute' });
    const date = now.toPlainDate().toString();
    wall = { date, time, weekday: now.dayOfWeek - 1, hour: now.hour };
    minutes.set(key, wall);
  }
  return wall;
}

/** The most calls in progress at one time, each as long as `talkMs`. */
export function mostAtOnce(rings: readonly Ring[], talkMs: number): number {
  const times = rings.map(({ at }) => at).toSorted((a, b) => a - b);
  let [first, most] = [0, 0];
  for (const [i, at] of times.entries()) {
    while ((times[first] ?? at) + talkMs <= at) first += 1;
    most = Math.max(most, i - first + 1);
  }
  return most;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
