import './machine.ts';
import { describe, expect, it } from 'vitest';
import { runSeeds } from './seeds.ts';

describe('through more nights full of faults', () => {
  it.each(hundreds(1_000, 2_000))(
    'nobody is called twice and nothing is lost (seeds from %i on)',
    async (from) => {
      const { runs, failures } = await runSeeds(from, from + 100);
      expect(failures).toEqual([]);
      expect(runs).toBe(100);
    },
    120_000,
  );
});

function hundreds(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / 100 }, (_, i) => from + 100 * i);
}
