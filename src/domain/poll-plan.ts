/** When open calls are looked at; all in ms. */
export interface Polling {
  /** Never sooner than this after the last look. Default 1,000. */
  floorMs: number;
  /** Never later than this. Default 60,000. */
  ceilingMs: number;
  /** After this long without readable analytics the call is `no_result`. Default 7,200,000 (2 h). */
  deadlineMs: number;
}

/** A look costs one request and finds a call that ended since the last one: a fifth of its age is late by 10 % of its length. */
const SHARE_OF_AGE = 0.2;

/** How long, in whole ms, after a look (or the placing) the next one is due, for a call that is `ageMs` old. */
export function nextLookIn(ageMs: number, polling: Polling): number {
  const planned = Math.round(ageMs * SHARE_OF_AGE);
  return Math.min(Math.max(planned, polling.floorMs), polling.ceilingMs);
}
