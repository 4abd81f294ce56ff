import { Cron } from 'croner';

import type { ResolvedSettings } from '../../config/settings.ts';
import { callingHours, type HoursAt } from '../../domain/calling/calling-hours.ts';
import type { Interval } from '../../domain/calling/local-days.ts';
import { openings, type Openings, type PeopleAt } from '../../domain/calling/openings.ts';
import type { CallingPolicy } from '../../domain/calling/policy.ts';
import type { Firing } from '../../domain/forecast/play.ts';
import { stopsAt, type Night } from '../../domain/nights/night.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import type { Survey } from '../../leads/import.ts';
import { usageError } from '../../runtime/errors.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, Progress, Store } from '../../store/port.ts';
import { campaignNight } from '../nights/nights.ts';
import {
  dutiesOf,
  foreignPeople,
  listsWithoutConsent,
  newDuties,
  type Duty,
  type WithoutConsent,
} from '../rules/duties.ts';
import { rulesByPlace, withoutHolidays } from '../rules/rules.ts';
import type { PlannedLists } from './plan-lists.ts';

export interface PlannedHours {
  hours: Openings;
  /** When the schedule lets the first calls begin, epoch ms; null: at once. */
  beginsAt: number | null;
  /** When they are called as `beginsAt` says; null: nobody is, or they are called whatever the schedule. */
  ahead: CallingAhead | null;
  /** Sentences on which rules hold for whom: those of each place, and those that are made for other people. */
  foreign: string[];
  /** What the law asks of those who call these people, as far as no earlier start of the campaign has named it. */
  duties: Duty[];
  /** Lists that a rule does not allow to be called. */
  withoutConsent: WithoutConsent[];
}

/** Where those are who wait in the campaign, and the new ones of its lists. */
async function waitingAt(
  surveys: readonly Survey[],
  campaign: Campaign | undefined,
  store: Store | undefined,
  now: number,
): Promise<PeopleAt[]> {
  const stored = campaign === undefined ? [] : ((await store?.placesOf(campaign.id, now)) ?? []);
  const fresh = surveys.flatMap(({ places }) =>
    [...places].map(([zoneKey, waiting]) => ({ zoneKey, waiting, firstNotBefore: 0 })),
  );
  return [...stored, ...fresh];
}

/** What hours and rules come to for the people of a plan. @throws AppError `SCHEDULE_NEVER` (exit 2) */
export async function plannedHours(
  { settings, ruleFiles }: ResolvedSettings,
  { surveys, campaign, store, now, atSchedule }: PlannedFor,
): Promise<PlannedHours> {
  const places = await waitingAt(surveys, campaign, store, now);
  const since = campaign?.state === 'running' ? -Infinity : now;
  const beginsAt = atSchedule ? scheduledBegin(settings, places, now, since) : null;
  return {
    hours: openHours(settings.policy, places, beginsAt ?? now),
    beginsAt,
    ahead: atSchedule ? callingAhead(settings, places, now, since) : null,
    foreign: [
      ...rulesByPlace(ruleFiles, places),
      ...foreignPeople(ruleFiles, places),
      ...withoutHolidays(settings.policy, places),
    ],
    duties: await newDuties(dutiesOf(ruleFiles, places), campaign, store),
    withoutConsent: await listsWithoutConsent({ ruleFiles, surveys, campaign, store }),
  };
}

interface PlannedFor {
  surveys: readonly Survey[];
  campaign: Campaign | undefined;
  store: Store | undefined;
  now: number;
  /** They are called at the times of the schedule, if there is one. */
  atSchedule: boolean;
}

/** How many people there are to call, now or later. */
export function countToCall(
  progress: Progress | undefined,
  { fresh }: PlannedLists,
  { hours }: PlannedHours,
): number {
  return Math.max(0, (progress?.waiting ?? 0) + fresh - hours.never);
}

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
 * When calls may begin within a span of time by the schedule and `stop.at`, whatever the hours; without a schedule, in
 * all of it. A later time of the same night changes nothing.
 *
 * @param since see `firingAt`
 */
export function scheduledSpans(settings: Settings, since: number, [from, to]: Interval) {
  if (settings.schedule === undefined) return [[from, to]] as const;
  const spans: Interval[] = [];
  for (let { at } = firingAt(settings, from, since); at < to;) {
    const night = campaignNight(at, settings);
    const [begins, ends] = [
      Math.max(at, from),
      Math.min(night.endsAt, stopsIn(night, settings), to),
    ];
    if (begins < ends) spans.push([begins, ends]);
    at = nextScheduled(settings, night.endsAt - 1);
  }
  return spans;
}

/**
 * When the first call of a campaign may begin: the first time of its schedule in whose night somebody may be called
 * before `stop.at`, or `now` where such a time goes on. Null: within a year there is none.
 *
 * @param since see `firingAt`
 * @param days how far it looks ahead
 */
export function firstScheduled(
  settings: Settings,
  places: readonly PeopleAt[],
  now: number,
  since: number,
  days = 366,
): number | null {
  const lookedAtUntil = now + days * DAY_MS;
  const hoursAt = hoursOf(settings.policy);
  let firing = firingAt(settings, now, since);
  for (let at = now; at < lookedAtUntil; firing = firingAt(settings, at, -Infinity)) {
    const from = Math.max(at, firing.at);
    if (from === Infinity) return null;
    const { now: open, next } = openings(places, hoursAt, from);
    // Nobody waits yet, or no hours will ever let them be called: that is told by itself.
    if (open === 0 && next === null) return from;
    const night = campaignNight(from, settings);
    const stops = stopsIn(night, settings);
    const opensAt = open > 0 ? from : (next?.at ?? Infinity);
    if (opensAt < Math.min(firing.endsAt, stops)) return from;
    // After `stop.at`, no later time of this night lets anybody be called.
    at = Math.max(opensAt < stops ? firing.endsAt : night.endsAt, opensAt);
  }
  return null;
}

/** From when to when calls begin, and when they begin again after that, epoch ms; `until` Infinity: it does not end. */
export interface CallingAhead {
  at: number;
  until: number;
  then: number | null;
}

/** So many nights without a pause between them are told as calls that do not end. */
const MOST_JOINED = 50;
/** Pages ask every second. */
const LOOKED_AHEAD_DAYS = 62;

/**
 * When a campaign is called next by its hours and its schedule; null: within two months it is not.
 *
 * @param since see `firingAt`
 */
export function callingAhead(
  settings: Settings,
  places: readonly PeopleAt[],
  now: number,
  since: number,
): CallingAhead | null {
  const at = firstCall(settings, places, now, since);
  if (at === null) return null;
  let until = closesAt(settings, places, at);
  for (let joined = 0; until < Infinity; joined += 1) {
    const then = firstCall(settings, places, until, -Infinity);
    if (then === null || then > until) return { at, until, then };
    if (joined === MOST_JOINED) return { at, until: Infinity, then: null };
    until = closesAt(settings, places, then);
  }
  return { at, until, then: null };
}

function firstCall(
  settings: Settings,
  places: readonly PeopleAt[],
  now: number,
  since: number,
): number | null {
  const from = firstScheduled(settings, places, now, since, LOOKED_AHEAD_DAYS);
  const open = from === null ? undefined : openHours(settings.policy, places, from);
  return open === undefined || open.now > 0 ? from : (open.next?.at ?? null);
}

/** When calls end that go on at a moment: the hours of everybody who is due close, `stop.at` comes, or the night ends. */
function closesAt(settings: Settings, places: readonly PeopleAt[], at: number): number {
  const { policy, schedule } = settings;
  const hoursAt = hoursOf(policy);
  let open = at;
  for (let before = NaN; open !== before && open < Infinity;) {
    before = open;
    for (const { zoneKey, firstNotBefore } of places) {
      const hours = hoursAt(zoneKey, before);
      if (hours.open && firstNotBefore <= before) open = Math.max(open, hours.until);
    }
  }
  const night = campaignNight(at, settings);
  return Math.min(
    open + (policy?.marginMs ?? 0),
    stopsIn(night, settings),
    // Before that, a next time of the schedule goes on where the one before ends.
    schedule === undefined ? Infinity : night.endsAt,
  );
}

/** When `stop.at` is in a night, epoch ms; Infinity: it is not set. */
function stopsIn(night: Night, settings: Settings): number {
  const at = settings.stop?.at;
  if (at === undefined) return Infinity;
  return stopsAt(night, at, settings, zoneOffsets(settings.policy?.zoneOverrides ?? []));
}

/** Says of settings that `firstScheduled` finds nothing. */
export function neverScheduled({ schedule, stop }: Settings): string {
  const until = stop?.at === undefined ? '' : ` before stop.at ${stop.at}`;
  const after =
    schedule === undefined ? 'in no night' : `after no time of the schedule "${schedule}"`;
  const same = schedule === undefined ? '' : ' in the same night';
  return `nobody would ever be called: ${after} are the hours of anybody who waits open${until}${same}`;
}

/** When a campaign that is called at the times of its schedule begins, epoch ms; null: at once. */
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

/** How many of these people may be called at `now`, how many later and how many never, by the hours alone. */
export function openHours(
  policy: CallingPolicy | undefined,
  places: Iterable<PeopleAt>,
  now: number,
): Openings {
  return openings(places, hoursOf(policy), now);
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

/** The same for everybody who waits in a stored campaign. */
export async function openHoursOf(
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
  store: Pick<Store, 'placesOf'>,
  now: number,
): Promise<Openings> {
  return openHours(settings.policy, await store.placesOf(id, now), now);
}
