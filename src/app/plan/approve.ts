import { nameOf } from '../places/home.ts';
import type { RequiredVariables } from '../../domain/campaign.ts';
import type { Agent } from '../../service/port.ts';
import type { Campaign } from '../../store/port.ts';
import { columnLines } from '../sentences/import-lines.ts';
import { calledBeforeLines, planLines } from '../sentences/plan-lines.ts';
import { requiredNow, variableLines, variablesOf } from '../services/prompt-variables.ts';
import { confirmAgain } from './repeated-lists.ts';
import { findCalledBefore, type CalledBefore } from './called-before.ts';
import { requireConsent } from '../rules/duties.ts';
import { requireFreshSuppression } from '../suppression/suppression-age.ts';
import { grouped } from '../../text/amounts.ts';
import { counted } from '../../text/wording.ts';
import { usageError } from '../../runtime/errors.ts';
import type { World } from '../world.ts';
import { requireConfirmed } from '../typed.ts';
import { checkAgent, refuseOtherAgent } from '../services/agents.ts';
import type { Plan } from './plan.ts';

/**
 * Refuses a plan that an existing campaign or its rules do not allow: another agent, another list without `add`, lists
 * that do not say who may be called where a rule asks for that, or columns that a person has to decide about.
 */
export function refuseMistakes(plan: Plan, { add }: { add: boolean }): void {
  refuseOtherAgent(plan);
  if (plan.undecided !== undefined) throw plan.undecided;
  requireConsent(plan.withoutConsent);
  const { campaign, others, name } = plan;
  const [other] = others;
  if (campaign === undefined || other === undefined || add) return;
  throw usageError(
    'CAMPAIGN_LIST_DIFFERS',
    `${other.path} is not the list that campaign "${name}" was made from, or it has changed since.`,
    'give --add to let its new rows join, or --name to begin another campaign',
  );
}

export interface CommitOptions {
  /** New rows of another list may join. */
  add: boolean;
  /** The plan was confirmed beforehand, for use without a terminal. */
  yes: boolean;
  /** Confirms that a list which another campaign has called, or may call, is called by this one, too. Default false. */
  again?: boolean;
  /** Bounds of this run alone, for the question: calls at most, and until when calls may begin (epoch ms). */
  limit?: number | null;
  until?: number | null;
  /** What the plan is for: `import` adds leads and starts nothing; `resume` also lifts the operator's pause. */
  purpose: 'run' | 'start' | 'resume' | 'import';
  /** The lists are complete: waiting leads that are not on them are cancelled. Default false. */
  sync?: boolean;
  /** Throws if the results cannot be written. Called after the yes, because it creates their folder. */
  assertResults?: () => Promise<void> | undefined;
}

interface Approval {
  approved: boolean;
  /** Null: not found among the agents that could be read, or not looked up. */
  agent: Agent | null;
  /** Null: nobody was called before, or it was not looked up. */
  called: CalledBefore | null;
  /** See `requiredNow`. */
  needed: RequiredVariables | undefined;
  /** SHA-256 of lists that another campaign also has, and that were confirmed to be called again. */
  repeated: string[];
}

/** Asks for a yes only when calls would follow: not if the campaign stays paused or no lead waits. */
export async function approve(plan: Plan, options: CommitOptions, world: World): Promise<Approval> {
  const { yes, purpose, limit, until } = options;
  const { campaign, opened, resolved, toCall, store, place } = plan;
  const again = { again: options.again ?? false, onlyImports: purpose === 'import' };
  const agent =
    purpose === 'import' && campaign !== undefined
      ? null
      : plan.agentSeen === undefined
        ? await checkAgent(opened, resolved.settings.agent, world)
        : plan.agentSeen;
  if (purpose === 'import') {
    const repeated = await confirmAgain(plan, again, world);
    return { approved: false, agent, called: null, repeated, needed: undefined };
  }
  const needed = requiredNow(plan, agent);
  const called = await findCalledBefore(plan, world);
  const lines = [
    ...(await storedColumnLines(plan)),
    ...planLines(plan, agent?.name ?? null, { called, limit, until }),
    ...variableLines(await variablesOf(plan, agent), false),
    // The given path may be mistyped, and a new database would call everybody again.
    ...(store === undefined && (place.given || opened.config.live)
      ? [
          `There is no database at ${nameOf(place)} yet: a new one does not know who was called before.`,
        ]
      : []),
    // The console creates it with the first draft.
    ...(opened.config.live &&
    campaign?.state === 'draft' &&
    (await store?.listCampaigns())?.length === 1
      ? [
          `${nameOf(place)} has no other campaign: a new database does not know who was called before.`,
        ]
      : []),
    ...calledBeforeLines(called, resolved),
  ];
  for (const line of lines) world.tell(line);
  const repeated = await confirmAgain(plan, again, world);
  const refused = { approved: false, agent, called, repeated, needed };
  if (staysPaused(campaign, options)) return refused;
  if (!opened.config.simulated)
    await requireFreshSuppression(resolved.settings, store, world.clock.now(), campaign?.id);
  const from = resolved.settings.sources?.from ?? [];
  if (opened.config.live && toCall === 0 && from.length === 0) return refused;
  if (opened.config.live)
    await requireYes(toCall - (called?.leftOut ?? 0), yes, world, limit, from);
  return { ...refused, approved: true };
}

/** How many rows of a list are shown. */
const SAMPLES = 3;

/**
 * For a draft campaign, whose lists were imported earlier: what each column holds, with values of the first rows. The
 * person who confirms the calls may not be the one who imported the lists.
 */
async function storedColumnLines({ store, campaign }: Plan): Promise<string[]> {
  if (store === undefined || campaign?.state !== 'draft') return [];
  const lines: string[] = [];
  for (const { number, path, headers, mapping, finishedAt } of await store.lists(campaign.id)) {
    if (mapping === null || finishedAt === null) continue;
    const before = { list: number, line: 0 };
    const rows = await store.exportPage(campaign.id, before, SAMPLES, 'columns');
    const own = rows.filter(({ cursor }) => cursor.list === number);
    const samples = headers.map((_, index) =>
      own.map(({ cells }) => cells[index] ?? '').filter((cell) => cell !== ''),
    );
    lines.push(...columnLines({ path, headers, mapping, samples, warnings: [] }));
  }
  return lines;
}

export function staysPaused(campaign: Campaign | undefined, { purpose }: CommitOptions): boolean {
  return campaign?.pauseReason === 'operator' && purpose !== 'resume';
}

/**
 * Asks before people are called.
 *
 * @param people how many people wait to be called
 * @param limit calls at most in this run; null: no limit
 * @param from places from which further people come by themselves
 */
export async function requireYes(
  people: number,
  yes: boolean,
  world: World,
  limit: number | null = null,
  from: readonly string[] = [],
): Promise<void> {
  if (yes) return;
  await requireConfirmed(world, {
    question: `${whatHappens(people, limit)}${later(from)} Type yes to start:`,
    needed: 'Calls to real people need a yes',
    undone: 'nobody was called, nothing was changed',
  });
}

function whatHappens(people: number, limit: number | null): string {
  if (people === 0) return 'This calls nobody: all who wait were called before and are left out.';
  const who = counted(people, 'real person', 'real people');
  if (limit === null || limit >= people) return `This calls ${who}.`;
  return `This calls ${grouped(limit)} of ${who} (--limit ${limit}).`;
}

/** The yes holds also for people of later lists. */
function later(from: readonly string[]): string {
  return from.length === 0
    ? ''
    : ` Everybody on later lists from ${from.join(', ')} is called, too.`;
}
