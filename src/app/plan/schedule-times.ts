import { Cron } from 'croner';

import { callingHours, type HoursAt } from '../../domain/calling/calling-hours.ts';
import type { Interval } from '../../domain/calling/local-days.ts';
import type { CallingPolicy } from '../../domain/calling/policy.ts';
import type { Firing } from '../../domain/forecast/play.ts';
import { stopsAt, type Night } from '../../domain/nights/night.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time-units.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, HistoryEntry } from '../../store/port.ts';
import { campaignNight } from '../nights/nights.ts';

type Settings = Campaign['settings'];

/** The next time of a campaign's schedule after `now`, epoch ms; Infinity: there is none. */
export function nextScheduled(settings: Settings, now: number): number {
  return cronOf(settings).nextRun(new Date(now))?.getTime() ?? Infinity;
}

/** When what began at a scheduled time ends: with its night, or at the next scheduled time, epoch ms. */
export function firingEnd(settings: Settings, at: number): number {
  return Math.min(campaignNight(at, settings).endsAt, nextScheduled(settings, at));
}

/**
 * The time of the schedule that goes on at a moment, or the next one; without a schedule, the night of that moment.
 *
 * @param since when the campaign was started, epoch ms: earlier times are not made up for; -Infinity: long before
 */
export function firingAt(settings: Settings, now: number, since: number): Firing {
  if (settings.schedule === undefined)
    return { at: now, endsAt: campaignNight(now, settings).endsAt };
  const last = lastScheduled(settings, now);
  const lastEnds = last === undefined ? -Infinity : firingEnd(settings, last);
  if (last !== undefined && now < lastEnds && last >= since) return { at: last, endsAt: lastEnds };
  const at = nextScheduled(settings, now);
  return { at, endsAt: at === Infinity ? Infinity : firingEnd(settings, at) };
}

/** Since when calls are expected at the times of the schedule, epoch ms. */
export function expectedSince(history: readonly HistoryEntry[]): number {
  const since = history.filter(
    ({ what, detail }) =>
      SINCE.includes(what) ||
      (what === 'campaign.changed' && ['schedule', 'timezone'].some((key) => key in detail)),
  );
  return since.reduce((latest, { at }) => Math.max(latest, at), -Infinity);
}

/** `schedule.called` was written by versions that kept no firings. */
const SINCE = ['campaign.created', 'campaign.started', 'schedule.called'];

/** The same of a campaign that is yet to be started, for the first time or again: as if it were started now. */
export function calledSince(
  campaign: Pick<Campaign, 'state'> | undefined,
  history: readonly HistoryEntry[],
  now: number,
): number {
  return ['running', 'paused'].includes(campaign?.state ?? '') ? expectedSince(history) : now;
}

/** The latest time of the schedule that is not after `now`. */
export function lastScheduled(settings: Settings, now: number): number | undefined {
  // Times are full seconds, and this one may be such a time itself.
  const before = Math.floor(now / 1_000) * 1_000 + 1_000;
  return cronOf(settings).previousRuns(1, new Date(before))[0]?.getTime();
}

/** Paused: it only says times. */
export function cronOf({ schedule = '', timezone }: Settings): Cron {
  return new Cron(schedule, { timezone, paused: true });
}

/** From when to when calls begin, and when they begin again after that, epoch ms; `until` Infinity: it does not end. */
export interface CallingAhead {
  at: number;
  until: number;
  then: number | null;
}

/** When people at places may be called by their hours, the schedule and `stop.at` together. */
export interface CallableTimes {
  hoursAt: (zoneKey: string, at: number) => HoursAt;
  /** Why people are never called whom the hours alone would let be called; undefined: that is not so. */
  neverAt: (zoneKey: string, at: number) => HoursAt | undefined;
  /** From when to when the schedule and `stop.at` let calls begin: what goes on at a moment, or comes next. */
  spanAt: (at: number) => Interval | undefined;
}

/** Nothing that comes later is looked for. */
const LOOKED_AHEAD_MS = 366 * DAY_MS;

/** Made last for a campaign: pages ask every second. */
const made = new WeakMap<Settings, CallableTimes & { since: number; from: number }>();

/** @param since see `firingAt`; @param from nothing earlier is asked */
export function callableTimes(settings: Settings, since: number, from: number): CallableTimes {
  const before = made.get(settings);
  const holds = before?.since === since && before.from <= from && from < before.from + HOUR_MS;
  if (holds) return before;
  const times = timesFrom(settings, since, from);
  made.set(settings, { ...times, since, from });
  return times;
}

function timesFrom(settings: Settings, since: number, from: number): CallableTimes {
  /** Since when a place is not open again. */
  const shutSince = new Map<string, number>();
  const isShut = (zoneKey: string, at: number) => at >= (shutSince.get(zoneKey) ?? Infinity);
  const inHours = hoursOf(settings.policy);
  const by = settings.schedule === undefined ? 'stop.at' : 'schedule';
  const known: Interval[] = [];
  const further = spansOf(settings, since, from, from + LOOKED_AHEAD_MS);
  const spanAt = (at: number) => {
    while ((known.at(-1)?.[1] ?? -Infinity) <= at) {
      const { value } = further.next();
      if (value === undefined) return undefined;
      known.push(value);
    }
    return known.find(([, to]) => at < to);
  };
  const hoursAt = (zoneKey: string, at: number): HoursAt => {
    let next = at;
    const first = isShut(zoneKey, at) ? undefined : spanAt(at);
    for (let span = first; span !== undefined; span = spanAt(next)) {
      next = Math.max(next, span[0]);
      const hours = inHours(zoneKey, next);
      if (hours.open && next <= at) return { open: true, until: Math.min(hours.until, span[1]) };
      if (hours.open) {
        const own = inHours(zoneKey, at);
        const why = 'the schedule calls later';
        return { open: false, opensAt: next, hold: own.open ? { until: next, by, why } : own.hold };
      }
      if (hours.opensAt === null) return hours;
      next = hours.opensAt;
    }
    if (!isShut(zoneKey, at)) shutSince.set(zoneKey, at);
    const why = `their hours are closed ${by === 'schedule' ? 'when the schedule calls' : 'before it'}`;
    return { open: false, opensAt: null, hold: { until: null, by, why } };
  };
  const neverAt = (zoneKey: string, at: number) => {
    const hours = hoursAt(zoneKey, at);
    return isShut(zoneKey, at) ? hours : undefined;
  };
  return { hoursAt, neverAt, spanAt };
}

/** Later times of a night change nothing of its span. */
function* spansOf(settings: Settings, since: number, from: number, to: number) {
  const { schedule, stop } = settings;
  if (schedule === undefined && stop?.at === undefined) {
    yield [-Infinity, Infinity] as const;
    return;
  }
  for (let { at } = firingAt(settings, from, since); at < to;) {
    const night = campaignNight(at, settings);
    const ends = Math.min(night.endsAt, stopsIn(night, settings));
    if (at < ends) yield [at, ends] as const;
    at = schedule === undefined ? night.endsAt : nextScheduled(settings, night.endsAt - 1);
  }
}

/** When `stop.at` is in a night, epoch ms; Infinity: it is not set. */
function stopsIn(night: Night, settings: Settings): number {
  const at = settings.stop?.at;
  if (at === undefined) return Infinity;
  return stopsAt(night, at, settings, zoneOffsets(settings.policy?.zoneOverrides ?? []));
}

/** What is remembered of the hours of a policy; a stored campaign's is the same object until it is changed. */
const known = new WeakMap<CallingPolicy, ReturnType<typeof callingHours>>();

export function hoursOf(
  policy: CallingPolicy | undefined,
): (zoneKey: string, at: number) => HoursAt {
  if (policy === undefined) return () => ALWAYS;
  const hoursAt = known.get(policy) ?? callingHours(policy, zoneOffsets(policy.zoneOverrides));
  known.set(policy, hoursAt);
  // A place that is not worked out yet (see `fillPlaces`) is not an unknown one: a run works it out before it dials.
  return (zoneKey, at) => (zoneKey === '' ? ALWAYS : hoursAt(zoneKey, at));
}

const ALWAYS = { open: true, until: Infinity } as const;
