import { describe, expect, it } from 'vitest';
import { runSeeds } from './seeds.ts';

/** Seeds from `from` to before `to`, a hundred a test; several files of them run side by side. */
export function nightsFullOfFaults(from: number, to: number): void {
  const hundreds = Array.from({ length: (to - from) / 100 }, (_, i) => from + 100 * i);
  describe('through nights full of faults', () => {
    it.each(hundreds)(
      'nobody is called twice and nothing is lost (seeds from %i on)',
      async (first) => {
        const { runs, failures } = await runSeeds(first, first + 100);
        expect(failures).toEqual([]);
        expect(runs).toBe(100);
      },
      120_000,
    );
  });
}
