import { Cron } from 'croner';
import type { PeopleAt } from '../../domain/calling/openings.ts';
import type { Firing } from '../../domain/forecast/play.ts';
import { stopsAt } from '../../domain/nights/night.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { usageError } from '../../runtime/errors.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign } from '../../store/port.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import { openHours } from './open-hours.ts';

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

/**
 * When the first call of a campaign may begin: the first time of its schedule in whose night somebody may be called
 * before `stop.at`, or `now` where such a time goes on. Null: within a year there is none.
 *
 * @param since see `firingAt`
 */
export function firstScheduled(
  settings: Settings,
  places: readonly PeopleAt[],
  now: number,
  since: number,
): number | null {
  const lookedAtUntil = now + 366 * DAY_MS;
  const offsetAt = zoneOffsets(settings.policy?.zoneOverrides ?? []);
  const stopAt = settings.stop?.at;
  let firing = firingAt(settings, now, since);
  for (let at = now; at < lookedAtUntil; firing = firingAt(settings, at, -Infinity)) {
    const from = Math.max(at, firing.at);
    if (from === Infinity) return null;
    const { now: open, next } = openHours(settings.policy, places, from);
    // Nobody waits yet, or no hours will ever let them be called: that is told by itself.
    if (open === 0 && next === null) return from;
    const night = campaignNight(from, settings);
    const stops = stopAt === undefined ? Infinity : stopsAt(night, stopAt, settings, offsetAt);
    const opensAt = open > 0 ? from : (next?.at ?? Infinity);
    if (opensAt < Math.min(firing.endsAt, stops)) return from;
    at = Math.max(firing.endsAt, opensAt);
  }
  return null;
}

/** Says of settings that `firstScheduled` finds nothing. */
export function neverScheduled({ schedule, stop }: Settings): string {
  const until = stop?.at === undefined ? '' : ` before stop.at ${stop.at}`;
  const after =
    schedule === undefined ? 'in no night' : `after no time of the schedule "${schedule}"`;
  const same = schedule === undefined ? '' : ' in the same night';
  return `nobody would ever be called: ${after} are the hours of anybody who waits open${until}${same}`;
}

/**
 * When a campaign that is called at the times of its schedule begins, epoch ms; null: at once.
 *
 * @throws AppError `SCHEDULE_NEVER` (exit 2)
 */
export function scheduledBegin(
  settings: Settings,
  places: readonly PeopleAt[],
  now: number,
  since: number,
): number | null {
  const { schedule, stop } = settings;
  if (schedule === undefined && stop?.at === undefined) return null;
  const at = firstScheduled(settings, places, now, since);
  if (at !== null) return at <= now || schedule === undefined ? null : at;
  throw usageError(
    'SCHEDULE_NEVER',
    `N${neverScheduled(settings).slice(1)}.`,
    schedule === undefined
      ? 'change hours or `stop.at`'
      : 'choose a schedule within the hours, such as "0 18 * * 1-5", or change hours and `stop.at`',
  );
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
