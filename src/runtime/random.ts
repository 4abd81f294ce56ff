/** A source of random numbers in [0, 1), passed as a value so that tests can replace it. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

/**
 * A repeatable sequence from a text seed: FNV-1a into mulberry32. Good enough for simulation and jitter,
 * not for secrets.
 */
export function seededRandom(seed: string): Random {
  let state = hash(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
