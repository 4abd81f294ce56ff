// When the three nights are, and how fast time passes in them and between them.
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 18:00 in New York. */
const FIRST = Date.parse('2026-01-05T18:00:00-05:00');
/** A night's window is 80 s long, a day in between some 14 s. */
const AWAKE = 60;
const ASLEEP = 6_000;
const WINDOW_MS = (4 / 3) * HOUR_MS;
/** Time is slow from some minutes before the window opens until some after it has closed. */
const BEFORE_MS = 5 * 60_000;
const AFTER_MS = 5 * 60_000;

/** What the campaign file says of time. */
export const CALENDAR = {
  zone: 'America/New_York',
  hours: { from: '18:00', to: '19:20', days: ['mon-fri'] },
  schedule: '0 18 * * 1-5',
};

/** What a call costs that somebody, or a machine, took. */
export const PRICE = { perCall: 0.5, perMinute: 0.1 };
/** No call lasts longer: the default of `longestCall`. */
const LONGEST_S = 15 * 60;

/** @param seconds of talk; left out: the longest call */
export function priceOf(seconds = LONGEST_S) {
  return seconds === 0 ? 0 : PRICE.perCall + PRICE.perMinute * Math.ceil(seconds / 60);
}

/** @returns the nights, each with its date and its window (epoch ms), and when time begins and ends for the campaign */
export function planOf(count) {
  // Friday's successor is three days later; soaks that long begin on a Monday and skip weekends.
  const days = Array.from({ length: count }, (_, n) => n + 2 * Math.floor(n / 5));
  const nights = days.map((day) => {
    const opensAt = FIRST + day * DAY_MS;
    const date = new Date(opensAt - 5 * HOUR_MS).toISOString().slice(0, 10);
    return { date, opensAt, closesAt: opensAt + WINDOW_MS };
  });
  const endsAt = nights.at(-1).opensAt + 15 * HOUR_MS;
  return {
    nights,
    beginsAt: FIRST - BEFORE_MS,
    endsAt,
    pieces: [
      ...nights.flatMap(({ opensAt, closesAt }) => [
        { at: opensAt - BEFORE_MS, speed: AWAKE },
        { at: closesAt + AFTER_MS, speed: ASLEEP },
      ]),
      // A busy machine takes seconds to end the processes, and the next night must not begin before.
      { at: endsAt, speed: ASLEEP / 10 },
    ],
  };
}
