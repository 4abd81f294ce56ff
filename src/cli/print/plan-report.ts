import { nightBars } from '../../app/sentences/forecast-lines.ts';
import { grouped } from '../../text/amounts.ts';
import { shellWord } from '../../text/wording.ts';
import type { PlanView } from '../../views/plan.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Outcome } from './outcome.ts';

/** The result of `check`. @param list as given */
export function checkOutcome(plan: PlanView, list: string): Outcome<PlanView> {
  const { service, problem, next, forecast, missing, sentences, notes, exitCode } = plan;
  const now = `${grouped(plan.callNow)} to call. To call them, this is still needed:`;
  const rehearse = `\`callsheet run ${shellWord(list)} --service simulated\` rehearses it: nobody is called.`;
  const answers = service === null ? [] : [`Service: ${service.url} answers, and has the agent.`];
  return {
    json: plan,
    hints: [
      ...sentences,
      ...listLines(plan),
      ...notes,
      ...(missing.length === 0 ? [] : [now]),
      ...missing.map(({ give, why }) => `  ${give}: ${why}`),
      ...(missing[0]?.give.startsWith('--service') === true ? [rehearse] : []),
      ...(problem === null ? answers : service === null ? [] : [problem]),
      ...(next === null || service === null ? [] : [`  next: ${next}`]),
      ...(forecast === null ? [] : ['', ...forecast.sentences, ...nightBars(forecast), '']),
      'Nobody was called, nothing was written.',
    ],
    code: exitCode,
  };
}

/** The result of `run --dry-run`; what `run` would ask about was told before. */
export function dryRunOutcome(plan: PlanView): Outcome<PlanView> {
  const file = plan.resultsFile ?? '-';
  return {
    json: plan,
    told: [
      ...listLines(plan),
      ...plan.notes,
      `Results would go to ${file === '-' ? 'the standard output' : file}.`,
      'Dry run: nobody was called, nothing was written.',
    ],
    code: EXIT.ok,
  };
}

/** What each list would bring: its rows, the meaning of its columns with samples, and rows not taken. */
function listLines({ lists }: PlanView): string[] {
  return lists.flatMap(({ text, columns, problems, zones }) => {
    return [text, ...columns, ...problems, ...zones];
  });
}
