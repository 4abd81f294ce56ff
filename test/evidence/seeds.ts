import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/runtime/random.ts';
import { aCrash, planOf, type Plan } from './plan.ts';
import { runPlan, type Report } from './run.ts';
import { SCENARIOS } from './scenarios.ts';
import { Templates } from './template.ts';

/** A run that broke what must hold, and how to see it again. */
export interface Failure {
  again: string;
  violations: string[];
}

export interface Tally {
  runs: number;
  /** Phones that rang, and processes that were started, in all of them. */
  rings: number;
  processes: number;
  failures: Failure[];
}

/** Runs the seeds from `from` to before `to`, `step` apart. */
export function runSeeds(from: number, to: number, step = 1): Promise<Tally> {
  return withRuns(async (run) => {
    for (let seed = from; seed < to; seed += step) {
      await run(planOf(String(seed)), `--seed ${seed}`);
    }
  });
}

/** Runs the scenario, then again with a crash at every `step`-th of its points in turn, from the `from`-th on. */
export function runScenario(plan: Plan, from = 1, step = 1): Promise<Tally> {
  return withRuns(async (run) => {
    const name = `--scenario "${plan.seed}"`;
    const { points } = await run(plan, name);
    for (let point = from; point <= points; point += step) {
      await run(crashedAt(plan, point), `${name} --point ${point}`);
    }
  });
}

/** One run of a scenario; `point` 0: without a crash. */
export function runAgain(name: string, point: number): Promise<Tally> {
  const plan = SCENARIOS.find(({ seed }) => seed === name);
  if (plan === undefined) throw new Error(`there is no scenario "${name}"`);
  return withRuns(async (run) => {
    await run(point === 0 ? plan : crashedAt(plan, point), `--scenario "${name}" --point ${point}`);
  });
}

function crashedAt(plan: Plan, point: number): Plan {
  return { ...plan, crashes: [aCrash(seededRandom(`${plan.seed} ${point}`), point)] };
}

type Run = (plan: Plan, again: string) => Promise<Report>;

/** A folder in memory where there is one: the files are real, and a night has hundreds of commits. */
async function withRuns(work: (run: Run) => Promise<void>): Promise<Tally> {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(base, 'callsheet-faults-'));
  const templates = new Templates(folder);
  const tally: Tally = { runs: 0, rings: 0, processes: 0, failures: [] };
  try {
    await work(async (plan, again) => {
      const report = await runPlan(plan, templates, join(folder, 'run'));
      tally.runs += 1;
      tally.rings += report.rings;
      tally.processes += report.processes;
      const { violations } = report;
      if (violations.length > 0) {
        tally.failures.push({ again: `npm run simulate-faults -- ${again}`, violations });
      }
      return report;
    });
    return tally;
  } finally {
    templates.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
