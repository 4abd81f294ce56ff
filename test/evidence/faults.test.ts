import { describe, expect, it } from 'vitest';
import { runApart } from './apart.ts';

/** `.ci/run` plays two thousand. */
describe('through four hundred nights full of faults', () => {
  it('nobody is called twice and nothing is lost', async () => {
    // Two processes, as most machines have that many cores.
    const tallies = await Promise.all([
      runApart('--to', '200'),
      runApart('--from', '200', '--to', '400'),
    ]);
    const all = tallies.flat();
    expect(all.flatMap(({ failures }) => failures)).toEqual([]);
    expect(all.map(({ runs }) => runs)).toEqual(Array.from({ length: 4 }, () => 100));
  }, 900_000);
});
