import { describe, expect, it } from 'vitest';
import { runApart } from './apart.ts';
import { SCENARIOS } from './scenarios.ts';

/** Points that are tried are so far apart; `npm run evidence` tries all, and `.ci/run` a share. */
const STEP = 160;

describe('a crash', () => {
  it('calls nobody twice and loses nothing, at points all over twenty nights', async () => {
    const tallies = await runApart('--every-point', '--step', String(STEP));
    expect(tallies.flatMap(({ failures }) => failures)).toEqual([]);
    expect(tallies.length).toBe(SCENARIOS.length);
    for (const { runs, rings } of tallies) {
      expect(runs).toBeGreaterThan(1);
      expect(rings).toBeGreaterThan(0);
    }
  }, 300_000);
});
