import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/runtime/random.ts';
import type { Plan } from './plan.ts';
import { runPlan, type Report } from './run.ts';
import { SCENARIOS } from './scenarios.ts';
import { aCrash, planOf } from './seed-plan.ts';
import { ServerDatabase } from './world/server.ts';
import { Templates } from './world/template.ts';

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

/** In a folder in memory where there is one: the files are real, and a night has hundreds of commits. */
export async function withRuns(
  work: (runs: Runs) => Promise<void>,
  engine: 'sqlite' | 'postgres' = 'sqlite',
): Promise<void> {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(base, 'callsheet-faults-'));
  const server = engine === 'postgres' ? await ServerDatabase.start() : undefined;
  const templates = new Templates(folder, server);
  try {
    await work(new Runs(folder, templates));
  } finally {
    templates.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs that share their folder and what is kept open in it, see `withRuns`. */
export class Runs {
  readonly #folder: string;
  readonly #templates: Templates;
  #tally = nothingYet();

  constructor(folder: string, templates: Templates) {
    this.#folder = folder;
    this.#templates = templates;
  }

  /** Runs the seeds from `from` to before `to`, `step` apart. */
  async seeds(from: number, to: number, step = 1): Promise<Tally> {
    for (let seed = from; seed < to; seed += step) {
      await this.#run(planOf(String(seed)), `--seed ${seed}`);
    }
    return this.#told();
  }

  /** Runs the scenario, then again with a crash at every `step`-th of its points in turn, from the `from`-th on. */
  async scenario(plan: Plan, from = 1, step = 1): Promise<Tally> {
    const name = `--scenario "${plan.seed}"`;
    const { points } = await this.#run(plan, name);
    for (let point = from; point <= points; point += step) {
      await this.#run(crashedAt(plan, point), `${name} --point ${point}`);
    }
    return this.#told();
  }

  /** One run of a scenario; `point` 0: without a crash. */
  async again(name: string, point: number): Promise<Tally> {
    const plan = SCENARIOS.find(({ seed }) => seed === name);
    if (plan === undefined) throw new Error(`there is no scenario "${name}"`);
    const again = `--scenario "${name}" --point ${point}`;
    await this.#run(point === 0 ? plan : crashedAt(plan, point), again);
    return this.#told();
  }

  async #run(plan: Plan, again: string): Promise<Report> {
    const report = await runPlan(plan, this.#templates, join(this.#folder, 'run'));
    const tally = this.#tally;
    tally.runs += 1;
    tally.rings += report.rings;
    tally.processes += report.processes;
    const { violations } = report;
    if (violations.length > 0) {
      const engine = this.#templates.server === undefined ? '' : '--engine postgres ';
      tally.failures.push({ again: `npm run simulate-faults -- ${engine}${again}`, violations });
    }
    return report;
  }

  #told(): Tally {
    const tally = this.#tally;
    this.#tally = nothingYet();
    return tally;
  }
}

function crashedAt(plan: Plan, point: number): Plan {
  return { ...plan, crashes: [aCrash(seededRandom(`${plan.seed} ${point}`), point)] };
}

function nothingYet(): Tally {
  return { runs: 0, rings: 0, processes: 0, failures: [] };
}
