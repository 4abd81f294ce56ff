import { assertWritableUnwritten } from '../../results/target.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import { refuseMistakes } from './approve.ts';
import { approve, type CommitOptions } from './commit-plan.ts';
import type { World } from '../world.ts';
import { printJson } from '../../cli/terminal/output.ts';
import type { Plan } from './plan.ts';
import { lookBack, planJson, sayPlanned } from '../../cli/print/plan-report.ts';
import { shellWord } from '../../text/shell-word.ts';

/**
 * All that `run` does before it changes something: the plan, with the refusals and exit codes that `run` would have.
 * What `run` asks on a terminal is not asked, as nothing follows from the answer.
 *
 * @param file the results file, absolute, or `-`
 * @throws AppError as `commitPlan` before anything is changed
 */
export async function dryRun(
  plan: Plan,
  file: string,
  { yes, json, ...options }: Omit<CommitOptions, 'purpose' | 'assertResults'> & { json: boolean },
  world: World,
): Promise<ExitCode> {
  refuseMistakes(plan, options);
  const canAsk = world.attended;
  const again = options.again === true || canAsk;
  const { agent } = await approve(
    plan,
    { ...options, again, yes: yes || canAsk, purpose: 'run' },
    world,
  );
  if (file !== '-') await assertWritableUnwritten(file);
  // What other campaigns have to do with it was said above, where it would be asked.
  await sayPlanned(plan, { called: null, repeated: [] }, world.io);
  if (plan.campaign?.pauseReason === 'operator') {
    const resume = `callsheet resume ${shellWord(plan.name)}`;
    world.tell(
      `Campaign "${plan.name}" is paused: it would only collect. \`${resume}\` lifts that.`,
    );
  }
  if (json) {
    const about = planJson(plan, await lookBack(plan, world.io));
    printJson(world.io, { ...about, agentName: agent?.name ?? null, resultsFile: file });
  }
  world.tell(`Results would go to ${file === '-' ? 'the standard output' : file}.`);
  world.tell('Dry run: nobody was called, nothing was written.');
  return EXIT.ok;
}
