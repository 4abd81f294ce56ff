import type { CallReport } from '../../app/run/call-one-number.ts';
import { jsonAnalytics } from '../../results/format.ts';
import { nameIn, resultOf } from '../../results/columns.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Campaign, ExportRow, List } from '../../store/port.ts';
import { durationText } from '../../text/amounts.ts';
import { asSentence, shellWord } from '../../text/wording.ts';
import { zonedTime } from '../../text/times.ts';
import { rowJson } from './json-times.ts';
import type { Outcome } from './outcome.ts';

/**
 * Returns a function that formats a finished call as one line: `15:04:05 +12125550100 answered 42 s positive Al`, or,
 * with `json`, as one JSON object.
 */
export function callLine(
  { settings }: Campaign,
  lists: readonly List[],
  { json }: { json: boolean },
): (row: ExportRow) => string {
  const time = zonedTime(settings.timezone);
  const byNumber = new Map(lists.map((list) => [list.number, list]));

  return (row) => {
    const { attempt, analytics, phone, cursor } = row;
    const at = attempt === null ? null : (attempt.settledAt ?? attempt.endedAt ?? attempt.intentAt);
    const result = attempt === null ? null : resultOf(attempt);
    const sentiment = analytics?.sentiment?.label ?? null;
    const durationMs = analytics?.durationMs ?? null;
    const name = nameIn(byNumber.get(cursor.list), row.cells);
    if (json) {
      return JSON.stringify({
        at: at === null ? null : time(at),
        phone,
        name,
        line: cursor.line,
        result,
        durationSeconds: durationMs === null ? null : durationMs / 1_000,
        sentiment,
        callId: attempt?.callId ?? null,
        attempt: attempt?.id ?? null,
        summary: analytics?.summary ?? null,
      });
    }
    const parts = [
      at === null ? '' : time(at).slice(11, 19),
      phone.padEnd(13),
      (result ?? '').padEnd(11),
      (durationMs === null ? '' : durationText(durationMs)).padStart(10),
      (sentiment ?? '').padEnd(8),
      name ?? '',
      analytics?.summary == null ? '' : `- ${analytics.summary.replaceAll(/\s+/g, ' ')}`,
    ];
    return parts.join('  ').trimEnd();
  };
}

/**
 * The outcome of a single call: transcript, duration and sentiment, or why there are none.
 *
 * @param report null: the operator left at once
 */
export function callOutcome(report: CallReport | null): Outcome {
  if (report === null) return { code: EXIT.interrupted };
  const { campaign, row, exit } = report;
  const { timezone } = campaign.settings;
  return {
    json: { ...rowJson(row, timezone), analytics: jsonAnalytics(row.analytics) },
    lines: rowLines(row),
    told: exit.code === EXIT.ok ? [] : [sentenceFor(report)],
    code: exit.code,
  };
}

/** The campaign of a single call is not one that a person runs again, so the sentence is about the call only. */
function sentenceFor({ campaign: { name, pauseDetail }, row, exit }: CallReport): string {
  const collect = `\`callsheet collect ${shellWord(name)}\``;
  if (row.state === 'waiting') {
    const why = pauseDetail ?? row.attempt?.detail ?? 'the dial was not sent';
    return `Nobody was called: ${asSentence(why)} Mend that and call again.`;
  }
  if (exit.code === EXIT.person) {
    return `It is not known whether the call was made; look it up at the service before you call again.`;
  }
  return `The call is still open; ${collect} brings it in.`;
}

function rowLines(row: ExportRow): string[] {
  const { result, resultSource, state, reason, analytics, attempt } = row;
  const seconds = analytics?.durationMs == null ? null : analytics.durationMs / 1000;
  const facts: [string, string | number | null | undefined][] = [
    ['result', result === null ? state : `${result} (${resultSource ?? ''})`],
    ['reason', attempt === null ? reason : null],
    ['outcome', attempt?.said],
    ['refusal heard', attempt?.refusal],
    ['call', attempt?.callId],
    ['duration', seconds === null ? null : `${seconds} s`],
    ['sentiment', sentimentText(analytics)],
    ['summary', analytics?.summary],
    ['detail', result === 'answered' ? null : attempt?.detail],
  ];
  return [
    ...facts.flatMap(([name, value]) =>
      value == null || value === '' ? [] : [`${name}: ${value}`],
    ),
    ...transcriptLines(analytics, '  '),
  ];
}

/** `positive 0.8`, or only label or score; null: both are unknown. */
export function sentimentText(analytics: ExportRow['analytics']): string | null {
  const { label = null, score = null } = analytics?.sentiment ?? {};
  return label === null && score === null
    ? null
    : [label, score].filter((x) => x !== null).join(' ');
}

/** The transcript after an empty line and indented, so that nobody takes it for messages of callsheet. */
export function transcriptLines(analytics: ExportRow['analytics'], indent: string): string[] {
  const transcript = analytics?.transcript ?? '';
  if (transcript === '') return [];
  return ['', ...transcript.split(/\r?\n/).map((line) => indent + line)];
}
