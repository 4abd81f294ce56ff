import { assertWritableUnwritten } from '../../results/target.ts';
import type { World } from '../world.ts';
import { approve, refuseMistakes, type CommitOptions } from './approve.ts';
import { contextOf, type PlanContext } from './check-plan.ts';
import type { Plan } from './plan.ts';

/** What a run would do. */
export interface DryRun {
  plan: Plan;
  context: PlanContext;
  agentName: string | null;
  /** The results file, absolute, or `-`. */
  file: string;
}

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
  options: Omit<CommitOptions, 'purpose' | 'assertResults'>,
  world: World,
): Promise<DryRun> {
  refuseMistakes(plan, options);
  const canAsk = world.attended;
  const again = options.again === true || canAsk;
  const yes = options.yes || canAsk;
  const { agent, called } = await approve(plan, { ...options, again, yes, purpose: 'run' }, world);
  if (file !== '-') await assertWritableUnwritten(file);
  return { plan, context: await contextOf(plan, called), agentName: agent?.name ?? null, file };
}
