import { describe, expect, it } from 'vitest';
import { seededRandom, systemRandom, type Random } from '../../src/runtime/random.ts';

describe('seededRandom', () => {
  it('gives the same numbers for the same seed', () => {
    expect(take(seededRandom('spring'), 50)).toEqual(take(seededRandom('spring'), 50));
  });

  it('gives other numbers for another seed', () => {
    expect(take(seededRandom('spring'), 5)).not.toEqual(take(seededRandom('sprinh'), 5));
  });

  it('gives numbers from 0 to just below 1, evenly (seed "even")', () => {
    const numbers = take(seededRandom('even'), 10_000);
    const tenths = Array.from(
      { length: 10 },
      (_, i) => numbers.filter((x) => Math.floor(x * 10) === i).length,
    );

    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(Math.min(...tenths)).toBeGreaterThan(900);
    expect(Math.max(...tenths)).toBeLessThan(1_100);
  });

  it('works with an empty seed', () => {
    expect(new Set(take(seededRandom(''), 10)).size).toBe(10);
  });
});

describe('systemRandom', () => {
  it('gives numbers from 0 to just below 1', () => {
    for (const x of take(systemRandom, 100)) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThan(1);
    }
  });
});

function take(random: Random, count: number): number[] {
  return Array.from({ length: count }, random);
}
