import { nameOf } from '../places/home.ts';
import { formatRetry } from '../../config/calling-settings.ts';
import { printSetting } from '../../config/setting-changes.ts';
import type { SkipCalled } from '../../domain/campaign.ts';
import type { CalledBefore } from '../plan/called-before.ts';
import { localTime } from '../../text/times.ts';
import { dutyLines, type Duty } from '../rules/duties.ts';
import type { Plan } from '../plan/plan.ts';
import { grouped } from '../../text/amounts.ts';
import { limitTexts } from '../nights/budgets.ts';
import { openingLines, policyLines, ruleNames } from './hours-lines.ts';
import { counted } from '../../text/wording.ts';

/** Bounds of this run alone, and what was looked up for it. */
export interface ForThisRun {
  called?: CalledBefore | null;
  /** Calls at most; null: no limit. */
  limit?: number | null | undefined;
  /** No call begins later than this, epoch ms; null: no such limit. */
  until?: number | null | undefined;
}

/** The plan in one block, before anybody is called: where, with which agent, how many, how, from which database. */
export function planLines(
  plan: Plan,
  agentName: string | null,
  { called = null, limit = null, until = null }: ForThisRun,
): string[] {
  const { opened, resolved, place, progress, surveys } = plan;
  const { agent, concurrency, timezone, schedule, retry } = resolved.settings;
  const leftOut = called?.leftOut ?? 0;
  const { first, now, later, never } = hoursOfPlan(plan, leftOut);
  const named = agentName === null ? agent : `${agentName} (${agent})`;
  const limited =
    limit !== null && limit < now + later
      ? ` (--limit: ${grouped(limit)} of them in this run)`
      : '';
  const { beginsAt } = plan;
  const when = beginsAt === null ? 'now' : `from ${localTime(beginsAt, timezone)} on (schedule)`;
  const counts = [`${grouped(first)} to call ${when}${limited}`];
  const after = now + later - first;
  if (after > 0) counts.push(`${grouped(after)} later`);
  if (never > 0) counts.push(`${grouped(never)} never`);
  if (leftOut > 0) counts.push(`${grouped(leftOut)} left out as called before`);
  const notTaken = surveys.reduce(
    (sum, { rejected, duplicates, byReason }) =>
      sum + rejected + duplicates - (byReason.already_in_campaign ?? 0),
    0,
  );
  if (notTaken > 0) counts.push(`${counted(notTaken, 'row')} not taken`);
  const suppressed = surveys.reduce((sum, survey) => sum + survey.suppressed, 0);
  if (suppressed > 0) counts.push(`${grouped(suppressed)} suppressed`);
  if (progress !== undefined) counts.push(`${grouped(progress.done)} done already`);
  return [
    `${kindOf(plan)} ${opened.service.url} agent ${named}: ${counts.join(', ')}; ` +
      [
        `concurrency ${concurrency}`,
        ...(schedule === undefined ? [] : [`schedule "${schedule}" ${timezone}`]),
        ...limitTexts(resolved.settings),
      ].join('; ') +
      `; rules ${ruleNames(resolved.settings)}; database ${nameOf(place)}`,
    ...whenLines(plan, until),
    ...(retry === undefined ? [] : [`Retries: ${formatRetry(retry)}.`]),
  ];
}

/** Hours, rules and duties; `until` as in `ForThisRun`. */
export function whenLines(plan: Plan, until: number | null): string[] {
  const { settings } = plan.resolved;
  return [
    ...policyLines(settings),
    ...openingLines(plan.hours, { name: plan.name, settings }),
    ...plan.foreign,
    ...dutyLines(dutiesToName(plan)),
    ...(until === null
      ? []
      : [`No call begins after ${localTime(until, settings.timezone)} (--until).`]),
  ];
}

/** What of a plan says who is called when; the service may be missing. */
export type Reckoned = Pick<
  Plan,
  'name' | 'resolved' | 'toCall' | 'hours' | 'ahead' | 'beginsAt' | 'foreign'
>;

/** None where nobody real is called. */
export function dutiesToName({ opened, resolved, duties }: Plan): Duty[] {
  const { live, simulated } = opened.config;
  return live || (!simulated && resolved.settings.policy !== undefined) ? duties : [];
}

/**
 * How many are called now, later and never, and how many `first`: now or when the schedule comes. The hours are not known
 * of people who were called before and are left out, nor of those who return to a campaign: the former are taken from now
 * on, the latter count as now.
 */
export function hoursOfPlan({ toCall, hours, beginsAt }: Reckoned, leftOut: number) {
  const callable = Math.max(0, toCall - leftOut);
  const first = callable - Math.min(hours.later, callable);
  const now = beginsAt === null ? first : 0;
  return { first, now, later: callable - now, never: hours.never };
}

function kindOf({ opened: { config } }: Plan): string {
  if (config.live) return 'LIVE';
  return config.simulated ? 'REHEARSAL (embedded service, nobody is called)' : 'LOOPBACK';
}

const CAMPAIGNS_NAMED = 3;

/** Sentences about earlier calls, shown before the question. */
export function calledBeforeLines(found: CalledBefore | null, { settings }: Plan['resolved']) {
  if (found === null) return [];
  const { people, campaigns, ends } = found;
  const { skipCalled, timezone } = settings;
  const by = campaigns.slice(0, CAMPAIGNS_NAMED).map(({ name, people, lastAt }) => {
    const who = name === null ? 'single calls' : `"${name}"`;
    return `${grouped(people)} by ${who} (last ${localTime(lastAt, timezone)})`;
  });
  const rest = campaigns.slice(CAMPAIGNS_NAMED);
  if (rest.length > 0) {
    const more = rest.reduce((sum, each) => sum + each.people, 0);
    by.push(`and ${grouped(more)} by ${counted(rest.length, 'other')}`);
  }
  const ended = Object.entries(ends)
    .toSorted(([, a], [, b]) => b - a)
    .map(([end, count]) => `${end} ${grouped(count)}`);
  const were = people === 1 ? 'was' : 'were';
  return [
    `Called before: ${grouped(people)} of these people ${were} called by other campaigns: ${by.join(', ')}. How the last call of each ended: ${ended.join(', ')}.`,
    whatBecomes(found, skipCalled),
  ];
}

function whatBecomes({ people, leftOut }: CalledBefore, skip: SkipCalled | undefined): string {
  if (skip === undefined) {
    const who = people === 1 ? 'That one is' : 'They are';
    return `${who} called again; --skip-called ever leaves out everyone called before, --skip-called 30d everyone called within 30 days.`;
  }
  const again = people - leftOut;
  const older = counted(again, 'called longer ago is', 'called longer ago are');
  const others = again === 0 ? '' : `; ${older} called again`;
  const ended = counted(leftOut, 'of them is left out and ends', 'of them are left out and end');
  return `skipCalled ${printSetting('skipCalled', { skipCalled: skip })}: ${ended} as cancelled${others}.`;
}
