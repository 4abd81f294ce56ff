import { DAY_MS, MINUTE_MS } from '../time-units.ts';
import { heldBy, type Hold } from './policy.ts';

/** People are called back at most this long after the call in which they asked for it. */
export const LONGEST_CALLBACK_MS = 30 * DAY_MS;

/**
 * That a person asked to be called again, in the service's words (`said`), and when: `at` in epoch ms; or `wall`, a
 * time of their own clock without a zone (`2026-01-05T15:30`); neither: the words were no time.
 */
export interface AskedCallback {
  said: string;
  at?: number;
  wall?: string;
}

/** When a person is called back (epoch ms) and why then, or why they are not: a clause for people. */
export type Callback = { at: number; why: string } | { refused: string };

/** The person, and the call in which they asked. */
export interface CallbackPlace {
  /** Where the person may be, see `Place`. */
  zones: readonly string[];
  /** When that call began and ended, epoch ms. */
  beganAt: number;
  endedAt: number;
  /** The moments at which a zone's clock shows a time, ascending. */
  momentsOf: (wall: string, zone: string) => readonly number[];
  /** What keeps calls to the person from beginning at a moment; null: nothing. */
  closedAt: (at: number) => Hold | null;
}

/**
 * Reads the time at which a person asked to be called again. Where their clock shows it twice, the later moment counts.
 * In several zones they are called when it is that time in all of them or, where hours are already closed then, in the
 * last quarter of an hour before with open hours. A time is refused if it is before the call or more than 30 days after
 * it.
 */
export function callbackOf({ said, at, wall }: AskedCallback, place: CallbackPlace): Callback {
  const { zones, beganAt, endedAt, closedAt } = place;
  const asked = `asked to be called again at "${said}"`;
  const refused = (why: string) => ({ refused: `${asked}, ${why}` });
  if (at === undefined && wall === undefined) return refused('which is no time that can be read');
  if (at === undefined && zones.length === 0) return refused('and their time zone is not known');
  const moments = at === undefined ? momentsIn(wall ?? '', place) : [at];
  const moment = moments.find((each) => closedAt(each) === null) ?? moments[0];
  if (moment === undefined) return refused('which is no time that exists');
  if (moment < beganAt) return refused('which was before the call');
  if (moment > endedAt + LONGEST_CALLBACK_MS) return refused('which is more than 30 days away');
  const closed = closedAt(moments[0] ?? moment);
  return { at: moment, why: closed === null ? asked : `${asked}, ${heldBy(closed)}` };
}

const STEP_MS = 15 * MINUTE_MS;

/** When it is that time in all zones, and the quarters of an hour before at which it is that time or later in one. */
function momentsIn(wall: string, { zones, endedAt, momentsOf }: CallbackPlace): number[] {
  const each = zones.flatMap((zone) => momentsOf(wall, zone).slice(-1));
  if (each.length < zones.length) return [];
  const [first, last] = [Math.min(...each), Math.max(...each)];
  const steps = Math.max(0, Math.floor((last - Math.max(first, endedAt)) / STEP_MS));
  return Array.from({ length: steps + 1 }, (_, step) => last - step * STEP_MS);
}
