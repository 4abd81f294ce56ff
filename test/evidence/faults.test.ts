import { describe, expect, it } from 'vitest';
import { runApart } from './apart.ts';

/** `npm run evidence` plays five thousand, and `.ci/run` a share of the others. */
describe('through two hundred nights full of faults', () => {
  it('nobody is called twice and nothing is lost', async () => {
    // Two processes, as most machines have that many cores.
    const tallies = await Promise.all([
      runApart('--to', '100'),
      runApart('--from', '100', '--to', '200'),
    ]);
    const all = tallies.flat();
    expect(all.flatMap(({ failures }) => failures)).toEqual([]);
    expect(all.map(({ runs }) => runs)).toEqual(Array.from({ length: 2 }, () => 100));
  }, 900_000);
});
