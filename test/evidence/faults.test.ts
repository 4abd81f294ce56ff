import { describe, expect, it } from 'vitest';
import { runApart } from './apart.ts';

describe('through a thousand nights full of faults', () => {
  it('nobody is called twice and nothing is lost (seeds from 0 on)', async () => {
    const tallies = await runApart('--to', '1000');
    expect(tallies.flatMap(({ failures }) => failures)).toEqual([]);
    expect(tallies.map(({ runs }) => runs)).toEqual(Array.from({ length: 10 }, () => 100));
  }, 900_000);
});
