import type { Plan } from './plan.ts';
import { grouped } from '../results/words.ts';
import { counted } from './plural.ts';

/** The plan in one block, before anybody is called: where, with which agent, how many, how, from which database. */
export function planLines(plan: Plan, agentName: string | null): string[] {
  const { opened, resolved, place, progress, surveys, callNow } = plan;
  const { agent, concurrency, rules } = resolved.settings;
  const named = agentName === null ? agent : `${agentName} (${agent})`;
  const counts = [`${grouped(callNow)} to call now`];
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
  ];
}

function kindOf({ opened: { config } }: Plan): string {
  if (config.live) return 'LIVE';
  return config.simulated ? 'REHEARSAL (embedded service, nobody is called)' : 'LOOPBACK';
}
