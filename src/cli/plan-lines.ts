import type { Plan } from './plan.ts';

/** The plan in one block, before anybody is called: where, with which agent, how many, how, from which database. */
export function planLines(plan: Plan, agentName: string | null): string[] {
  const { opened, resolved, place, progress } = plan;
  const { agent, concurrency, rules } = resolved.settings;
  const fresh = plan.surveys.reduce((sum, survey) => sum + survey.good, 0);
  const rejected = plan.surveys.reduce(
    (sum, survey) => sum + survey.rejected + survey.duplicates,
    0,
  );
  const now = (progress?.waiting ?? 0) + fresh;
  const kind = opened.config.live
    ? 'LIVE'
    : opened.config.simulated
      ? 'REHEARSAL (embedded service, nobody is called)'
      : 'LOOPBACK';
  const named = agentName === null ? agent : `${agentName} (${agent})`;
  const done = progress === undefined ? '' : `, ${progress.done} done already`;
  return [
    `${kind} ${opened.service.url} agent ${named}: ${now} to call now, ${rejected} rows not taken${done}; ` +
      `concurrency ${concurrency}; rules ${rules.join(', ')}; database ${place.path}`,
    'Rules "always": no calling hours and no caps are kept; suppression lists are not built yet.',
  ];
}
