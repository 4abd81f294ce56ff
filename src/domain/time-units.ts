/** Lengths of time in ms. A day is 24 hours: whoever means a calendar day has to ask its time zone. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
