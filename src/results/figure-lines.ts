import type { CampaignState } from '../domain/campaign.ts';
import { LEAD_RESULTS, type LeadResult } from '../domain/lead.ts';
import type { DialCounts } from '../domain/nights/night-end.ts';
import type { Progress } from '../store/port.ts';
import {
  costSumText,
  durationText,
  grouped,
  lengthText,
  percent,
  scoreText,
} from '../text/amounts.ts';
import { counted } from '../text/wording.ts';
import type { Figures } from '../views/results.ts';

const BAR = 24;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** The figures as lines of text with bars; a part without calls is left out. */
export function figureLines(name: string, timezone: string, figures: Figures): string[] {
  const { leads, results, calls, talk, costs } = figures;
  const answered = `${grouped(calls.answered)} of ${grouped(calls.ended)} (${percent(calls.answered, calls.ended)})`;
  const spent = costs.map(
    ({ amount, currency, calls: n }) => `${costSumText(amount, currency)} in ${counted(n, 'call')}`,
  );
  const facts = Object.entries({
    Answered: answered,
    'Talk time': talkText(talk),
    'Sentiment score': meanText(figures),
    Cost: spent.join(', '),
    'To be read': optOutText(figures),
  }).flatMap(([what, text]) => (text === '' ? [] : `${what.padEnd(16)}${text}`));
  return [
    `${name}: ${counted(leads.total, 'lead')}, ${grouped(leads.done)} done, ${grouped(leads.calling)} in progress, ${grouped(leads.waiting)} waiting; ${dialsText(calls)}`,
    ...block(
      'Leads by result',
      results.map(({ result, leads: n }) => [result, n]),
      leads.done,
    ),
    ...(calls.ended === 0 ? [] : ['', ...facts]),
    ...block('Answered calls by length', talk.calls === 0 ? [] : lengthsOf(figures), talk.calls),
    ...block(
      'Calls by sentiment',
      figures.sentiment.map(({ label, calls: n }) => [label, n]),
      toldOf(figures),
    ),
    ...hourLines(figures, timezone),
  ];
}

function talkText({ calls, totalMs, medianMs, longestMs }: Figures['talk']): string {
  if (medianMs === null || longestMs === null) return '';
  return `${durationText(totalMs)} in ${counted(calls, 'answered call')}; median ${durationText(medianMs)}, longest ${durationText(longestMs)}`;
}

/** The title of the hours, which says in which time zones the hours are. */
export function hourTitle({ hourZones }: Figures, timezone: string): string {
  const { ofTheList, ofTheCampaign } = hourZones;
  if (ofTheList === 0) return `Calls by hour (${timezone})`;
  const rest =
    ofTheCampaign === 0 ? '' : `, ${grouped(ofTheCampaign)} without a zone in ${timezone}`;
  return `Calls by hour of the person's day (zone of the list${rest})`;
}

export function lengthsOf({ lengths }: Figures): [string, number][] {
  return lengths.map(({ upToMs, calls }, i) => [
    lengthText(lengths[i - 1]?.upToMs ?? null, upToMs),
    calls,
  ]);
}

/** The number of calls for which the service gave a sentiment. */
export function toldOf({ sentiment }: Figures): number {
  return sentiment.reduce((sum, { calls }) => sum + calls, 0);
}

function meanText({ sentimentScore: { calls, mean } }: Figures): string {
  return mean === null ? '' : `${scoreText(mean)} on average, in ${counted(calls, 'call')}`;
}

function optOutText({ soundLikeOptOut: n }: Figures): string {
  if (n === 0) return '';
  return `${counted(n, 'answered call')} ${n === 1 ? 'sounds' : 'sound'} like "do not call again", and the service did not say so: see call_refusal_heard`;
}

function block(title: string, rows: readonly (readonly [string, number])[], of: number): string[] {
  if (rows.length === 0) return [];
  const most = Math.max(...rows.map(([, n]) => n));
  const names = Math.max(...rows.map(([name]) => name.length));
  const numbers = grouped(most).length;
  const lines = rows.map(
    ([name, n]) =>
      `  ${name.padEnd(names)}  ${grouped(n).padStart(numbers)}  ${percent(n, of).padStart(4)}  ${bar(n, most)}`,
  );
  return ['', title, ...lines.map((line) => line.trimEnd())];
}

function hourLines(figures: Figures, timezone: string): string[] {
  const { hours } = figures;
  const used = hours.filter(({ calls }) => calls > 0);
  const [first, last] = [used[0]?.hour, used.at(-1)?.hour];
  if (first === undefined || last === undefined) return [];
  const most = Math.max(...hours.map(({ calls }) => calls));
  const width = grouped(most).length;
  const lines = hours.slice(first, last + 1).map(({ hour, calls, answered }) => {
    const counts = `${grouped(calls).padStart(width)} ${calls === 1 ? 'call, ' : 'calls,'} ${grouped(answered).padStart(width)} answered ${percent(answered, calls).padStart(4)}`;
    return `  ${String(hour).padStart(2, '0')}:00  ${counts}  ${bar(calls, most)}`.trimEnd();
  });
  return ['', hourTitle(figures, timezone), ...lines];
}

function bar(n: number, most: number): string {
  const eighths = most === 0 ? 0 : Math.max(n > 0 ? 1 : 0, Math.round((n / most) * BAR * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

export const MEANING: Record<LeadResult, string> = {
  answered: 'a person spoke',
  voicemail: 'a machine answered',
  no_answer: 'nobody answered',
  busy: 'the line was busy',
  declined: 'the call was declined',
  failed: 'the call failed',
  rejected: 'the service refused the call',
  invalid_number: 'the number does not exist',
  opted_out: 'asked not to be called again',
  unconfirmed: 'the request was sent, its answer lost, and no trace of a call found',
  no_result: 'called, but no readable analytics came',
  suppressed: 'may not be called',
  expired: 'the time to call was over',
  cancelled: 'withdrawn or left out before the call',
};

/** `53 calls made, 2 refused, 1 in doubt, 0 not made`: the same four numbers everywhere. */
export function dialsText({ made, refused, inDoubt, notMade }: DialCounts): string {
  return `${counted(made, 'call')} made, ${grouped(refused)} refused, ${grouped(inDoubt)} in doubt, ${grouped(notMade)} not made`;
}

/** How many people are done, in a call, over but for the result, and left. @param state of their campaign */
export function countsOf(
  { done, held, calling, waiting }: Pick<Progress, 'done' | 'held' | 'calling' | 'waiting'>,
  state?: CampaignState,
): string[] {
  return [
    `${grouped(done)} done`,
    // A slot may be held for longer than its person is called.
    `${grouped(Math.min(held, calling))} in progress`,
    ...(calling > held ? [`${counted(calling - held, 'result')} to come`] : []),
    `${grouped(waiting)} ${state === 'cancelled' ? 'not called' : 'waiting'}`,
  ];
}

/** A total, then a line for each result that occurs, in a fixed order. */
export function summaryLines(progress: Progress, state?: CampaignState): string[] {
  const { total, doubts, dials } = progress;
  const lines = [`${counted(total, 'lead')}: ${countsOf(progress, state).join(', ')}`];
  const results = LEAD_RESULTS.filter((result) => (progress.results[result] ?? 0) > 0);
  const nameWidth = Math.max(0, ...results.map((result) => result.length));
  const countWidth = grouped(total).length;
  for (const result of results) {
    const count = grouped(progress.results[result] ?? 0).padStart(countWidth);
    lines.push(`  ${result.padEnd(nameWidth)}  ${count}  ${MEANING[result]}`);
  }
  if (Object.values(dials).some((count) => count > 0)) lines.push(`  ${dialsText(dials)}`);
  if (doubts > 0) {
    const verb = doubts === 1 ? 'call is' : 'calls are';
    lines.push(
      `  ${grouped(doubts)} requested ${verb} in doubt: the answer was lost and is not settled yet`,
    );
  }
  return lines;
}
