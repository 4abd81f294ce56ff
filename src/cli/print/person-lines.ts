import { basename } from 'node:path';
import { resultOf } from '../../results/rows.ts';
import { costText, durationText } from '../../text/amounts.ts';
import type { Person } from '../../app/watch/find-people.ts';
import type { ExportRow } from '../../store/port.ts';
import { historyLine } from './history-lines.ts';
import { localTime } from '../../text/local-time.ts';

/** A person with everything that is known: the row of the list, every attempt, its transcript. */
export function personLines(
  { found, campaign, list, attempts, history }: Person,
  index: number,
): string[] {
  const rehearsal = campaign.simulated ? ' (rehearsal)' : '';
  const { timezone } = campaign.settings;
  const last = attempts.at(-1);
  const cells = found.cells.flatMap((cell, i) =>
    cell.trim() === '' ? [] : [`  ${list?.headers[i] ?? ''}: ${cell}`],
  );
  return [
    ...(index === 0 ? [] : ['']),
    `${found.phone}  campaign ${found.campaign}${rehearsal}, ${basename(list?.path ?? 'list')} line ${found.line}`,
    ...cells,
    `  ${stateOf(found, last, timezone)}`,
    ...history.map((entry) => `  ${historyLine(entry, timezone)}`),
    ...attempts.flatMap((row) => attemptLines(row, timezone)),
  ];
}

function stateOf(found: Person['found'], last: ExportRow | undefined, timezone: string): string {
  if (found.state === 'done') {
    const reason = found.reason === null ? '' : `: ${found.reason}`;
    return `${found.result ?? 'done'}${reason}`;
  }
  if (found.state === 'calling') return 'is being called, or the call is being read';
  const notBefore = last?.notBefore ?? 0;
  const when = notBefore > 0 ? `, not before ${localTime(notBefore, timezone)}` : '';
  const reason = found.reason === null ? '' : ` (${found.reason})`;
  return found.attempts === 0 && last === undefined
    ? 'waits; never called'
    : `waits${when}${reason}`;
}

function attemptLines(
  { attempt, analytics, capturedLeads }: ExportRow,
  timezone: string,
): string[] {
  if (attempt === null) return [];
  const { label, score } = analytics?.sentiment ?? { label: null, score: null };
  const { id, intentAt, state, callId, service, agent, detail } = attempt;
  const result = resultOf(attempt);
  const facts: [string, string | null][] = [
    ['call', callId === null ? null : `${callId} at ${service}, agent ${agent}`],
    ['duration', analytics?.durationMs == null ? null : durationText(analytics.durationMs)],
    [
      'sentiment',
      label === null && score === null ? null : [label, score].filter((x) => x !== null).join(' '),
    ],
    [
      'cost',
      analytics?.cost == null ? null : costText(analytics.cost, analytics.costCurrency ?? ''),
    ],
    ['summary', analytics?.summary ?? null],
    ['recording', analytics?.recordingUrl ?? null],
    ['captured', capturedLeads.length === 0 ? null : JSON.stringify(capturedLeads)],
    ['detail', result === 'answered' ? null : detail],
  ];
  const transcript = analytics?.transcript ?? '';
  return [
    '',
    `  ${localTime(intentAt, timezone)}  ${result ?? state} (${id}, ${state})`,
    ...facts.flatMap(([what, text]) => (text === null ? [] : [`    ${what}: ${text}`])),
    ...(transcript === '' ? [] : ['', ...transcript.split(/\r?\n/).map((line) => `    ${line}`)]),
  ];
}
