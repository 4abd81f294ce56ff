import { firingStep, LATE_MS, type HowMet, type LastFiring } from '../../domain/nights/night.ts';
import { fillPlaces } from '../../leads/rows/row-person.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { localTime } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { callingAhead, neverScheduled, openHoursOf } from '../plan/planned-hours.ts';
import {
  cronOf,
  expectedSince,
  firingEnd,
  lastScheduled,
  nextScheduled,
} from '../plan/schedule-times.ts';
import type { World } from '../world.ts';
import type { TellProblem } from './serve-options.ts';

type ScheduleStore = Pick<Store, 'history' | 'firings' | 'takeFiring' | 'placesOf'> &
  Parameters<typeof fillPlaces>[0];

/** Whether a campaign with a schedule is called now. */
export interface Due {
  isOpen: boolean;
  /** True once: its time has just come, or is made up for now. */
  opensNow: boolean;
  /** Until when this holds, epoch ms. */
  until: number;
}

/** A campaign without a schedule is called whenever somebody may be. */
const ALWAYS: Due = { isOpen: true, opensNow: false, until: Infinity };

/**
 * Decides when campaigns with a `schedule` are called: from each scheduled time to the end of its night or to the next
 * time. Each time is taken up once, by a row in the database, however many processes look.
 */
export function createSchedules(store: ScheduleStore, problem: TellProblem, world: World) {
  const known = new Map<string, Due & { key: string; from: number }>();

  const tellNext = async (campaign: Campaign, now: number) => {
    const { id, name, settings } = campaign;
    const { schedule = '', timezone } = settings;
    await fillPlaces(store, campaign);
    if (callingAhead(settings, await store.placesOf(id, now), now, -Infinity) === null) {
      const change = `\`callsheet set ${shellWord(name)} schedule=...\` changes it`;
      problem(campaign, 'schedule', `${neverScheduled(settings)}; ${change}.`);
      return;
    }
    const at = nextScheduled(settings, now);
    world.tell(`${name}: schedule ${schedule}, next at ${localTime(at, timezone)}.`);
  };

  const decide = async (campaign: Campaign, now: number): Promise<Due> => {
    const { id, settings } = campaign;
    const closed = { isOpen: false, opensNow: false, until: nextScheduled(settings, now) };
    const at = lastScheduled(settings, now);
    if (at === undefined) return closed;
    const endsAt = firingEnd(settings, at);
    const firings = await store.firings(id);
    const met = firings.find((firing) => firing.at === at)?.met;
    const newest = firings[0]?.at ?? -Infinity;
    const since = expectedSince(await store.history(id));
    const expectedFrom = Math.max(newest < at ? newest : -Infinity, since);
    const last: LastFiring = { at, endsAt, expectedFrom, met };
    // Asked only where it decides: it reads who waits.
    const isMissed = met === undefined && at > expectedFrom && now - at > LATE_MS;
    const mayCall = isMissed && (await mayBeCalled(campaign, now, endsAt, store));
    const step = firingStep(last, now, mayCall);
    const open = { isOpen: true, opensNow: false, until: endsAt };
    if (step.kind === 'wait') return closed;
    if (step.kind === 'call') return open;
    const taken = { at, met: step.met, takenAt: now, taker: world.owner };
    const isOurs = await store.takeFiring(id, taken);
    if (isOurs) tellMet(campaign, at, step.met, missedBefore(settings, at, expectedFrom));
    return step.met === 'told' ? closed : { ...open, opensNow: isOurs };
  };

  const tellMet = (campaign: Campaign, at: number, met: HowMet, earlier: number) => {
    if (met === 'on_time') return;
    const { name, settings } = campaign;
    const when = localTime(at, settings.timezone);
    const more = earlier === 0 ? '' : `, and ${counted(earlier, 'earlier time')} before it`;
    const passed = `its time ${when} passed without calls${more}`;
    if (met === 'made_up') {
      world.tell(`${name}: ${passed}; its night is not over, so it is called now.`);
      return;
    }
    const now = `\`callsheet run ${shellWord(name)}\` calls now`;
    problem(campaign, 'missed', `${passed}, and its night cannot be made up for; ${now}.`);
  };

  return {
    /** Asked again and again, also while the campaign is being called: times that pass then are taken up, too. */
    look: async (campaign: Campaign, now: number): Promise<Due> => {
      const { id, settings } = campaign;
      const { schedule, timezone, hours } = settings;
      if (schedule === undefined) return ALWAYS;
      const key = JSON.stringify([schedule, timezone, hours, settings.stop, settings.policy]);
      const before = known.get(id);
      // A clock that was set back is asked anew, too.
      const holds = before?.key === key && before.from <= now && now < before.until;
      if (holds) return { ...before, opensNow: false };
      const due = await decide(campaign, now);
      known.set(id, { ...due, key, from: now });
      if (before?.key !== key || due.opensNow) await tellNext(campaign, now);
      return due;
    },
  };
}

/** How many times passed between two, of those that are worth counting. */
function missedBefore(settings: Campaign['settings'], at: number, after: number): number {
  const earlier = cronOf(settings).previousRuns(MOST_COUNTED, new Date(at));
  return earlier.filter((time) => time.getTime() > after).length;
}

const MOST_COUNTED = 31;

/** Whether somebody may be called until then; lists that are taken at the opening may bring somebody. */
async function mayBeCalled(
  campaign: Campaign,
  now: number,
  endsAt: number,
  store: ScheduleStore,
): Promise<boolean> {
  if (campaign.settings.sources !== undefined) return true;
  await fillPlaces(store, campaign);
  const { now: open, next } = await openHoursOf(campaign, store, now);
  return open > 0 || (next !== null && next.at < endsAt);
}
