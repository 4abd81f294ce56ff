import { describe, expect, it } from 'vitest';
import { runApart } from './apart.ts';

describe('through another thousand nights full of faults', () => {
  it('nobody is called twice and nothing is lost (seeds from 1000 on)', async () => {
    const tallies = await runApart('--from', '1000', '--to', '2000');
    expect(tallies.flatMap(({ failures }) => failures)).toEqual([]);
    expect(tallies.map(({ runs }) => runs)).toEqual(Array.from({ length: 10 }, () => 100));
  }, 900_000);
});
