// When the three nights are, and how fast time passes in them and between them.
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 18:00 in New York. */
const FIRST = Date.parse('2026-01-05T18:00:00-05:00');
/** A night's window is 80 s long, on a server two minutes; a day in between is some 14 s. */
export const FILE = { speed: 60, to: '19:20', windowMs: (4 / 3) * HOUR_MS };
/** A commit there takes many answers: a permit of 5 s must last for them, and a process has to begin. */
export const SERVER = { speed: 30, to: '19:00', windowMs: HOUR_MS };
const ASLEEP = 6_000;
/** Time is slow from some minutes before the window opens until some after it has closed. */
const BEFORE_MS = 5 * 60_000;
const AFTER_MS = 5 * 60_000;

/** What a call costs that somebody, or a machine, took. */
export const PRICE = { perCall: 0.5, perMinute: 0.1 };
/** No call lasts longer: the default of `longestCall`. */
const LONGEST_S = 15 * 60;

/** @param seconds of talk; left out: the longest call */
export function priceOf(seconds = LONGEST_S) {
  return seconds === 0 ? 0 : PRICE.perCall + PRICE.perMinute * Math.ceil(seconds / 60);
}

/**
 * @returns the nights, each with its date and its window (epoch ms), when time begins and ends for the campaign, and what
 *   its file says of time
 */
export function planOf(count, { speed, to, windowMs }) {
  // Friday's successor is three days later; soaks that long begin on a Monday and skip weekends.
  const days = Array.from({ length: count }, (_, n) => n + 2 * Math.floor(n / 5));
  const nights = days.map((day) => {
    const opensAt = FIRST + day * DAY_MS;
    const date = new Date(opensAt - 5 * HOUR_MS).toISOString().slice(0, 10);
    return { date, opensAt, closesAt: opensAt + windowMs };
  });
  const endsAt = nights.at(-1).opensAt + 15 * HOUR_MS;
  return {
    nights,
    calendar: {
      zone: 'America/New_York',
      hours: { from: '18:00', to, days: ['mon-fri'] },
      schedule: '0 18 * * 1-5',
    },
    beginsAt: FIRST - BEFORE_MS,
    endsAt,
    pieces: [
      ...nights.flatMap(({ opensAt, closesAt }) => [
        { at: opensAt - BEFORE_MS, speed },
        { at: closesAt + AFTER_MS, speed: ASLEEP },
      ]),
      // A busy machine takes seconds to end the processes, and the next night must not begin before.
      { at: endsAt, speed: ASLEEP / 10 },
    ],
  };
}
