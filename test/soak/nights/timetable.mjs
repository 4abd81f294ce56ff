// How fast time passes when: a pure function of real time, so that all processes of a campaign agree without a word.

/**
 * @param timetable `realAt` (epoch ms) is when the first piece begins; each piece has `at`, the accelerated time (epoch
 *   ms) from which it holds, and `speed`, accelerated ms per real ms; the last one never ends
 * @returns `at(real)` and its inverse `realOf(at)`, both epoch ms; before the first piece its speed holds
 */
export function timetableOf({ realAt, pieces }) {
  const begins = [realAt];
  for (let i = 1; i < pieces.length; i += 1) {
    const { at, speed } = pieces[i - 1];
    begins.push(begins[i - 1] + (pieces[i].at - at) / speed);
  }
  const pieceBy = (isAfter) =>
    Math.max(
      0,
      begins.findLastIndex((_, i) => isAfter(i)),
    );
  return {
    at: (real) => {
      const i = pieceBy((piece) => begins[piece] <= real);
      return pieces[i].at + (real - begins[i]) * pieces[i].speed;
    },
    realOf: (at) => {
      const i = pieceBy((piece) => pieces[piece].at <= at);
      return begins[i] + (at - pieces[i].at) / pieces[i].speed;
    },
  };
}
