import './world/machine.ts';
import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.ts';
import { withRuns, type Tally } from './seeds.ts';

/** Seeds after which a worker tells how far it is. */
const PORTION = 100;

// A process of `simulate.mjs`: does its share of the work and prints a tally a line.
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string', default: '0' },
    worker: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
    // Between the seeds, or the points, that all workers play together.
    step: { type: 'string', default: '1' },
    scenario: { type: 'string' },
    point: { type: 'string' },
    'every-point': { type: 'boolean', default: false },
    engine: { type: 'string' },
  },
});
const [to, worker, workers, step] = [values.to, values.worker, values.workers, values.step].map(
  Number,
) as [number, number, number, number];
/** The first point is 1. */
const from = Number(values.from ?? (values['every-point'] ? 1 : 0)) + worker * step;
const ownStep = workers * step;

await withRuns(
  async (runs) => {
    if (values.scenario !== undefined) {
      tell(await runs.again(values.scenario, Number(values.point ?? 0)));
    } else if (values['every-point']) {
      for (const plan of SCENARIOS) tell(await runs.scenario(plan, from, ownStep));
    } else {
      for (let start = from; start < to; start += PORTION * ownStep) {
        tell(await runs.seeds(start, Math.min(to, start + PORTION * ownStep), ownStep));
      }
    }
  },
  values.engine === 'postgres' ? 'postgres' : 'sqlite',
);

function tell(tally: Tally): void {
  process.stdout.write(`${JSON.stringify(tally)}\n`);
}
