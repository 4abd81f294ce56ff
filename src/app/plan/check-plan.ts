import { AppError, EXIT, messageOf, type ExitCode } from '../../runtime/errors.ts';
import type { Agent } from '../../service/port.ts';
import type { SuppressionFile } from '../../store/port.ts';
import { asSentence } from '../../text/plural.ts';
import type { Beginning } from '../services/check-agent.ts';
import { requiredNow, variablesOf, type VariablesReport } from '../services/prompt-variables.ts';
import type { World } from '../world.ts';
import { assertWritableUnwritten } from '../../results/target.ts';
import { approve, refuseMistakes, type CommitOptions } from './approve.ts';
import { repeatedLists, type RepeatedList } from './repeated-lists.ts';
import { findCalledBefore, type CalledBefore } from './called-before.ts';
import { forecastPlan, type ForecastReport } from './forecast.ts';
import { withPlan, type Plan, type PlanRequest } from './plan.ts';

/** What other campaigns and the suppression list say about the people of a plan. */
export interface PlanContext {
  called: CalledBefore | null;
  repeated: readonly RepeatedList[];
  /** The newest file on the suppression list. */
  newestFile: SuppressionFile | undefined;
}

export interface CheckRequest extends PlanRequest {
  /** Given the campaign's timezone, when it would begin (epoch ms); undefined: now. */
  at?: ((timezone: string) => Promise<number>) | undefined;
}

/** Whether the service would take the calls of a plan. */
export interface ServiceSeen {
  /** Null: the service did not show it. */
  agent: Agent | null;
  /** What is wrong, as a sentence; null: the service answers and has the agent. */
  problem: string | null;
  /** The next step against the problem. */
  next: string | null;
  code: ExitCode;
}

/** The result of `checkPlan`; `forecast`: null where nobody is to be called. */
export interface Checked {
  plan: Plan;
  variables: VariablesReport;
  context: PlanContext;
  service: ServiceSeen;
  forecast: ForecastReport | null;
}

/**
 * Finds out what would be called, and what would not and why, and how long it would take. Calls nobody and writes nothing. A service that does not
 * answer is part of the result, not an error.
 *
 * @returns the plan, whose store and service are closed
 * @throws AppError as `withPlan`
 */
export async function checkPlan(request: CheckRequest, world: World): Promise<Checked> {
  let service: ServiceSeen | undefined;
  const look = async (plan: Plan) => {
    service ??= await checkService(plan);
    if (service.problem === null) requiredNow(plan, service.agent);
    const variables = await variablesOf(plan, service.agent);
    const startAt = await request.at?.(plan.resolved.settings.timezone);
    const called = await findCalledBefore(plan, world);
    const context = await contextOf(plan, called);
    const from = { startAt: startAt ?? world.clock.now(), leftOut: called?.leftOut ?? 0 };
    return { plan, context, service, variables, forecast: await forecastPlan(plan, from) };
  };
  return withPlan({ ...request, atSchedule: true }, world, 'look', look, async (beginning) => {
    service = await checkService(beginning);
    return undefined;
  });
}

/** What a run would do. */
export interface DryRun {
  plan: Plan;
  context: PlanContext;
  agentName: string | null;
  /** The results file, absolute, or `-`. */
  file: string;
}

/**
 * Does all that `run` does before its first change, with the same refusals and exit codes. Questions that `run` would
 * ask on a terminal are left out, because nothing depends on the answers.
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
  return {
    plan,
    context: await contextOf(plan, called),
    agentName: agent?.name ?? null,
    file,
  };
}

/** @param called the result of `findCalledBefore` */
async function contextOf(plan: Plan, called: CalledBefore | null): Promise<PlanContext> {
  const repeated = await repeatedLists(plan);
  return { called, repeated, newestFile: (await plan.store?.suppressionFiles())?.[0] };
}

async function checkService({ opened, resolved }: Beginning): Promise<ServiceSeen> {
  try {
    const { agents, complete } = await opened.service.listAgents();
    const found = agents.find(({ id }) => id === resolved.settings.agent);
    if (found !== undefined) {
      return { agent: found, problem: null, next: null, code: EXIT.ok };
    }
    const sure = complete
      ? 'has no'
      : 'did not list all its agents, and those that it listed include no';
    return {
      agent: null,
      problem: `Service: ${opened.service.url} ${sure} agent "${resolved.settings.agent}".`,
      next: '`callsheet agents list` shows them, `callsheet agents create` makes one',
      code: EXIT.failed,
    };
  } catch (error) {
    const known = error instanceof AppError ? error : undefined;
    return {
      agent: null,
      problem: `Service: ${asSentence(messageOf(error))}`,
      next: known?.hint ?? null,
      code: known?.exitCode ?? EXIT.failed,
    };
  }
}
