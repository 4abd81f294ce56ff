/** The share of people who may disappear from a list from one day to the next; more look like a truncated list. */
const USUAL_SHARE = 0.2;

/** True if so many of the waiting leads would leave that a person has to confirm it. */
export function isMany(leaving: number, waiting: number): boolean {
  return leaving > waiting * USUAL_SHARE;
}
