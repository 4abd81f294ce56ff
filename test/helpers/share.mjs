/**
 * Reads `--share 3/5`, the third of five shares: the items at positions 2, 7, 12 and so on, counted from 0. Each item is in
 * one share, so that all shares together are everything. `.ci/run` has the commit's hash choose one of fifteen: picked
 * at random, all of them have been played after 49.8 landings on average (the coupon collector's problem).
 *
 * @returns `first`: the position of its first item; `step`: how far apart they are
 */
export function readShare(text = '1/1') {
  const [number, step] = (/^\d+\/\d+$/.test(text) ? text : '').split('/').map(Number);
  if (!(number >= 1 && number <= step)) {
    throw new Error(
      `--share is the number of a share and how many there are, such as 3/5, not "${text}"`,
    );
  }
  return { first: number - 1, step, has: (position) => position % step === number - 1 };
}
