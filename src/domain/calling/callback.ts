import { DAY_MS } from '../time-units.ts';

/** People are called back at most this long after the call in which they asked for it. */
export const LONGEST_CALLBACK_MS = 30 * DAY_MS;

/**
 * That a person asked to be called again, in the service's words (`said`), and when: `at` in epoch ms; or `wall`, a time
 * of their own clock without a zone (`2026-01-05T15:30`); neither: the words were no time.
 */
export interface AskedCallback {
  said: string;
  at?: number;
  wall?: string;
}

/** When a person is called back (epoch ms), or why not: a clause for people. */
export type Callback = { at: number } | { refused: string };

/**
 * Reads the time at which a person asked to be called again. A time of their own clock counts if their zone is known and
 * is one, and where the clock shows it twice, it is the later moment. A time is refused if it is before the call or more
 * than 30 days after it.
 *
 * @param zones where the person may be, see `Place`
 * @param call when the call in which they asked for it began and ended, epoch ms
 * @param momentsOf the moments at which a zone's clock shows a time, ascending
 */
export function callbackOf(
  { said, at, wall }: AskedCallback,
  zones: readonly string[],
  call: { beganAt: number; endedAt: number },
  momentsOf: (wall: string, zone: string) => readonly number[],
): Callback {
  const refused = (why: string) => ({ refused: `asked to be called again at "${said}", ${why}` });
  if (at === undefined && wall === undefined) return refused('which is no time that can be read');
  const [zone, ...others] = zones;
  if (at === undefined && (zone === undefined || others.length > 0)) {
    return refused(`and their time zone is ${zone === undefined ? 'not known' : 'not certain'}`);
  }
  const moment = at ?? momentsOf(wall ?? '', zone ?? '').at(-1);
  if (moment === undefined) return refused('which is no time that exists');
  if (moment < call.beganAt) return refused('which was before the call');
  if (moment > call.endedAt + LONGEST_CALLBACK_MS)
    return refused('which is more than 30 days away');
  return { at: moment };
}
