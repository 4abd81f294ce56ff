import type { ResolvedSettings } from '../../config/settings.ts';
import { openings, type Openings, type PeopleAt } from '../../domain/calling/openings.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import type { Survey } from '../../leads/import.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, HistoryEntry, Progress, Store } from '../../store/port.ts';
import {
  dutiesOf,
  foreignPeople,
  listsWithoutConsent,
  newDuties,
  type Duty,
  type WithoutConsent,
} from '../rules/duties.ts';
import { rulesByPlace, withoutHolidays } from '../rules/rules.ts';
import { ownTimeLines } from '../sentences/hours-lines.ts';
import type { PlannedLists } from './plan-lists.ts';
import {
  calledSince,
  callableTimes,
  hoursOf,
  type CallableTimes,
  type CallingAhead,
} from './schedule-times.ts';

export interface PlannedHours {
  hours: Openings;
  /** Of the campaign, for `calledSince`. */
  history: readonly HistoryEntry[];
  /** When the schedule lets the first calls begin, epoch ms; null: at once. */
  beginsAt: number | null;
  /** When they are called as `beginsAt` says; null: nobody is, or they are called whatever the schedule. */
  ahead: CallingAhead | null;
  /** Sentences on whom it is when for, and which rules hold for whom: also those that are made for other people. */
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
  return [...stored, ...placesIn(surveys)];
}

/** Where the people of lists are that are not imported yet. */
export function placesIn(surveys: readonly Survey[]): PeopleAt[] {
  return surveys.flatMap(({ places }) =>
    [...places].map(([zoneKey, waiting]) => ({ zoneKey, waiting, firstNotBefore: 0 })),
  );
}

/** What hours and rules come to for the people of a plan. @throws AppError `SCHEDULE_NEVER` (exit 2) */
export async function plannedHours(
  { settings, ruleFiles }: ResolvedSettings,
  { surveys, campaign, store, now, atSchedule }: PlannedFor,
): Promise<PlannedHours> {
  const places = await waitingAt(surveys, campaign, store, now);
  const history = campaign === undefined ? [] : ((await store?.history(campaign.id)) ?? []);
  const since = calledSince(campaign, history, now);
  const ahead = atSchedule ? callingAhead(settings, places, now, since) : null;
  const beginsAt = atSchedule ? scheduledBegin(settings, ahead, now) : null;
  const hoursAt = atSchedule
    ? callableTimes(settings, since, now).hoursAt
    : hoursOf(settings.policy);
  return {
    hours: openings(places, hoursAt, beginsAt ?? now),
    history,
    ...{ beginsAt, ahead },
    foreign: [
      ...ownTimeLines(places, hoursAt, beginsAt ?? now),
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

/** Where nobody waits yet, or nobody may ever be called by the hours alone, which is told by itself, anywhere will do. */
function callableOf({ policy }: Settings, places: readonly PeopleAt[], now: number) {
  const { now: open, later } = openings(places, hoursOf(policy), now);
  return open + later > 0 ? places : [{ zoneKey: '', waiting: 0, firstNotBefore: 0 }];
}

/** When the first call may begin from a moment on, epoch ms; Infinity: never, as far as is looked. */
export function firstCall(
  { hoursAt }: CallableTimes,
  places: readonly PeopleAt[],
  from: number,
): number {
  const opens = places.map(({ zoneKey, firstNotBefore }) => {
    const at = Math.max(from, firstNotBefore);
    const hours = hoursAt(zoneKey, at);
    return hours.open ? at : (hours.opensAt ?? Infinity);
  });
  return Math.min(...opens);
}

/**
 * When a campaign is called next by its hours and its schedule; null: within a year it is not.
 *
 * @param since see `firingAt`
 */
export function callingAhead(
  settings: Settings,
  waiting: readonly PeopleAt[],
  now: number,
  since: number,
): CallingAhead | null {
  const times = callableTimes(settings, since, now);
  const places = callableOf(settings, waiting, now);
  const at = firstCall(times, places, now);
  if (at === Infinity) return null;
  const until = closesAt(times, places, at, settings.policy?.marginMs ?? 0);
  if (until > at + ENDLESS_MS) return { at, until: Infinity, then: null };
  const then = firstCall(times, places, until);
  return { at, until, then: then === Infinity ? null : then };
}

/** Calls that go on for so long are told as calls that do not end. */
const ENDLESS_MS = 60 * DAY_MS;

/** When calls end that go on at a moment: the hours of everybody who is due close, `stop.at` comes, or the night ends. */
function closesAt(
  { hoursAt, spanAt }: CallableTimes,
  places: readonly PeopleAt[],
  at: number,
  marginMs: number,
): number {
  let open = at;
  for (let before = NaN; open !== before && open <= at + ENDLESS_MS;) {
    before = open;
    for (const { zoneKey, firstNotBefore } of places) {
      const hours = hoursAt(zoneKey, before);
      if (hours.open && firstNotBefore <= before) open = Math.max(open, hours.until);
    }
  }
  // The last call begins before the hours close, but not before the schedule ends.
  return Math.min(open + marginMs, spanAt(open - 1)?.[1] ?? Infinity);
}

/** Says of settings by which nobody can ever be called. */
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
 * @param ahead see `callingAhead`
 */
export function scheduledBegin(
  settings: Settings,
  ahead: CallingAhead | null,
  now: number,
): number | null {
  const { schedule, stop } = settings;
  if (schedule === undefined && stop?.at === undefined) return null;
  if (ahead !== null) return ahead.at <= now || schedule === undefined ? null : ahead.at;
  throw usageError(
    'SCHEDULE_NEVER',
    `N${neverScheduled(settings).slice(1)}.`,
    schedule === undefined
      ? 'change hours or `stop.at`'
      : 'choose a schedule within the hours, such as "0 18 * * 1-5", or change hours and `stop.at`',
  );
}

/**
 * How many of those who wait in a stored campaign may be called at `now`, how many later and how many never, by the
 * hours alone.
 *
 * @param times by which some may never be called, hours apart
 */
export async function openHoursOf(
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
  store: Pick<Store, 'placesOf'>,
  now: number,
  times?: CallableTimes,
): Promise<Openings> {
  const hoursAt = hoursOf(settings.policy);
  const places = await store.placesOf(id, now);
  return openings(
    places,
    (zoneKey, at) => times?.neverAt(zoneKey, now) ?? hoursAt(zoneKey, at),
    now,
  );
}
