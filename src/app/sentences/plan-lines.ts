import type { CalledBefore } from '../plan/called-before.ts';
import { localTime } from '../../text/local-time.ts';
import type { Plan } from '../plan/plan.ts';
import { grouped } from '../../text/amounts.ts';
import { counted } from '../../text/plural.ts';

/** What this run alone is told, and what was found out for it. */
export interface ForThisRun {
  called?: CalledBefore | null;
  /** Calls at most; null: no limit. */
  limit?: number | null | undefined;
  /** No call begins later, epoch ms; null: no such time. */
  until?: number | null | undefined;
}

/** The plan in one block, before anybody is called: where, with which agent, how many, how, from which database. */
export function planLines(
  plan: Plan,
  agentName: string | null,
  { called = null, limit = null, until = null }: ForThisRun = {},
): string[] {
  const { opened, resolved, place, progress, surveys } = plan;
  const { agent, concurrency, rules, timezone } = resolved.settings;
  const leftOut = called?.leftOut ?? 0;
  const callNow = plan.callNow - leftOut;
  const named = agentName === null ? agent : `${agentName} (${agent})`;
  const limited =
    limit !== null && limit < callNow ? ` (--limit: ${grouped(limit)} of them in this run)` : '';
  const counts = [`${grouped(callNow)} to call now${limited}`];
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
      `concurrency ${concurrency}; rules ${rules.join(', ')}; database ${place.path}`,
    'Rules "always": no calling hours and no caps are kept; suppressed numbers are never called.',
    ...(until === null ? [] : [`No call begins after ${localTime(until, timezone)} (--until).`]),
  ];
}

function kindOf({ opened: { config } }: Plan): string {
  if (config.live) return 'LIVE';
  return config.simulated ? 'REHEARSAL (embedded service, nobody is called)' : 'LOOPBACK';
}
