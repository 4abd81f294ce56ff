import { describe, expect, it } from 'vitest';
import { runApart } from './apart.ts';
import { SCENARIOS } from './scenarios.ts';

/** Every so manieth point of a scenario; `.ci/run` tries them all. */
const STEP = 10;

describe('a crash', () => {
  it('calls nobody twice and loses nothing, at points all over twenty nights', async () => {
    const tallies = await runApart('--every-point', '--workers', String(STEP));
    expect(tallies.flatMap(({ failures }) => failures)).toEqual([]);
    expect(tallies.length).toBe(SCENARIOS.length);
    for (const { runs, rings } of tallies) {
      expect(runs).toBeGreaterThan(5);
      expect(rings).toBeGreaterThan(0);
    }
  }, 900_000);
});
