import './world/machine.ts';
import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.ts';
import { withRuns, type Tally } from './seeds.ts';

/** Seeds after which a worker tells how far it is. */
const PORTION = 100;

// A process of `simulate.mjs`: does its share of the work and prints a tally a line.
const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '0' },
    to: { type: 'string', default: '0' },
    worker: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
    scenario: { type: 'string' },
    point: { type: 'string' },
    'every-point': { type: 'boolean', default: false },
  },
});
const [from, to, worker, workers] = [values.from, values.to, values.worker, values.workers].map(
  Number,
) as [number, number, number, number];

await withRuns(async (runs) => {
  if (values.scenario !== undefined) {
    tell(await runs.again(values.scenario, Number(values.point ?? 0)));
  } else if (values['every-point']) {
    for (const plan of SCENARIOS) tell(await runs.scenario(plan, worker + 1, workers));
  } else {
    for (let start = from + worker; start < to; start += PORTION * workers) {
      tell(await runs.seeds(start, Math.min(to, start + PORTION * workers), workers));
    }
  }
});

function tell(tally: Tally): void {
  process.stdout.write(`${JSON.stringify(tally)}\n`);
}
