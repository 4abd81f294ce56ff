import { describe, expect, it } from 'vitest';
import { runApart } from './apart.ts';

describe('through a thousand nights full of faults', () => {
  it('nobody is called twice and nothing is lost', async () => {
    // Two processes, as most machines have that many cores.
    const tallies = await Promise.all([
      runApart('--to', '500'),
      runApart('--from', '500', '--to', '1000'),
    ]);
    const all = tallies.flat();
    expect(all.flatMap(({ failures }) => failures)).toEqual([]);
    expect(all.map(({ runs }) => runs)).toEqual(Array.from({ length: 10 }, () => 100));
  }, 900_000);
});
