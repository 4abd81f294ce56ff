import type { CallReport } from '../../app/run/single-call.ts';
import { jsonAnalytics } from '../../results/formats/jsonl.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { ExportRow } from '../../store/port.ts';
import { asSentence } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { rowJson } from './json-times.ts';
import type { Outcome } from './outcome.ts';

/**
 * What became of a single call: transcript, duration and sentiment, or why there are none.
 *
 * @param report null: it was left at once
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

/** The campaign of a single call is nobody's to run again: what is said is about the call. */
function sentenceFor({ campaign: { name, pauseDetail }, row, exit }: CallReport): string {
  const collect = `\`callsheet collect ${shellWord(name)}\``;
  if (row.state === 'waiting') {
    const why = pauseDetail ?? row.attempt?.detail ?? 'the dial was not sent';
    return `Nobody was called: ${asSentence(why)} Mend that and call again.`;
  }
  if (exit.code === EXIT.person) {
    return `Whether the call was made is not known; look it up at the service before you call again.`;
  }
  return `The call is still open; ${collect} brings it in.`;
}

function rowLines({
  result,
  resultSource,
  state,
  reason,
  analytics,
  attempt,
}: ExportRow): string[] {
  const seconds = analytics?.durationMs == null ? null : analytics.durationMs / 1000;
  const { label, score } = analytics?.sentiment ?? { label: null, score: null };
  const facts: [string, string | number | null | undefined][] = [
    ['result', result === null ? state : `${result} (${resultSource ?? ''})`],
    ['reason', attempt === null ? reason : null],
    ['call', attempt?.callId],
    ['duration', seconds === null ? null : `${seconds} s`],
    ['sentiment', [label, score].filter((part) => part !== null).join(' ')],
    ['summary', analytics?.summary],
    ['detail', result === 'answered' ? null : attempt?.detail],
  ];
  const transcript = analytics?.transcript ?? '';
  // Indented: what was said is not taken for a line of ours.
  const said = transcript.split(/\r?\n/).map((line) => `  ${line}`);
  return [
    ...facts.flatMap(([name, value]) =>
      value == null || value === '' ? [] : [`${name}: ${value}`],
    ),
    ...(transcript === '' ? [] : ['', ...said]),
  ];
}
