import './machine.ts';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from './scenarios.ts';
import { runScenario } from './seeds.ts';

/** Every so manieth point of a scenario; `npm run simulate-faults -- --every-point` tries them all. */
const STEP = 12;

describe('a crash', () => {
  it.each(SCENARIOS.map((plan) => [plan.seed, plan] as const))(
    'calls nobody twice and loses nothing, at points all over "%s"',
    async (_, plan) => {
      const { runs, rings, failures } = await runScenario(plan, 1, STEP);
      expect(failures).toEqual([]);
      expect(runs).toBeGreaterThan(3);
      expect(rings).toBeGreaterThan(0);
    },
    120_000,
  );
});
