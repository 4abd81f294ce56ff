import type { CallReport } from '../../app/run/call-one-number.ts';
import { EXIT } from '../../runtime/errors.ts';
import { durationText } from '../../text/amounts.ts';
import { localOf } from '../../text/times.ts';
import { asSentence, shellWord } from '../../text/wording.ts';
import type { Call, CalledPerson } from '../../views/calls.ts';
import type { Outcome } from './outcome.ts';

/** A finished call as one line: `15:04:05 +12125550100 answered 42 s positive Al`. */
export function callLine({ phone, name, call }: CalledPerson): string {
  const { durationSeconds = null, summary = null, result = null, sentiment = null } = call ?? {};
  const at = call && (call.settledAt ?? call.endedAt ?? call.intentAt);
  const parts = [
    at === null ? '' : localOf(at).slice('yyyy-mm-dd '.length),
    phone.padEnd(13),
    (result ?? '').padEnd(11),
    (durationSeconds === null ? '' : durationText(durationSeconds * 1_000)).padStart(10),
    (sentiment?.label ?? '').padEnd(8),
    name ?? '',
    summary === null ? '' : `- ${summary.replaceAll(/\s+/g, ' ')}`,
  ];
  return parts.join('  ').trimEnd();
}

/**
 * The outcome of a single call: transcript, duration and sentiment, or why there are none.
 *
 * @param report null: the operator left at once
 */
export function callOutcome(report: CallReport | null): Outcome<CalledPerson> {
  if (report === null) return { code: EXIT.interrupted };
  const { person, exit } = report;
  return {
    json: person,
    lines: personLines(person),
    told: exit.code === EXIT.ok ? [] : [sentenceFor(report)],
    code: exit.code,
  };
}

/** The campaign of a single call is not one that a person runs again, so the sentence is about the call only. */
function sentenceFor({ campaign: { name, pauseDetail }, person, exit }: CallReport): string {
  const collect = `\`callsheet collect ${shellWord(name)}\``;
  if (person.state === 'waiting') {
    const why = pauseDetail ?? person.call?.detail ?? 'the dial was not sent';
    return `Nobody was called: ${asSentence(why)} Mend that and call again.`;
  }
  if (exit.code === EXIT.person) {
    return `It is not known whether the call was made; look it up at the service before you call again.`;
  }
  return `The call is still open; ${collect} brings it in.`;
}

function personLines({ state, result, resultSource, reason, call }: CalledPerson): string[] {
  const { durationSeconds = null } = call ?? {};
  const facts: [string, string | null | undefined][] = [
    ['result', result === null ? state : `${result} (${resultSource ?? ''})`],
    ['reason', call === null ? reason : null],
    ['outcome', call?.outcome],
    ['refusal heard', call?.refusal],
    ['call', call?.callId],
    ['duration', durationSeconds === null ? null : `${durationSeconds} s`],
    ['sentiment', call && sentimentText(call)],
    ['summary', call?.summary],
    ['detail', result === 'answered' ? null : call?.detail],
  ];
  return [
    ...facts.flatMap(([name, value]) =>
      value == null || value === '' ? [] : [`${name}: ${value}`],
    ),
    ...(call === null ? [] : transcriptLines(call, '  ')),
  ];
}

/** `positive 0.8`, or only label or score; null: both are unknown. */
export function sentimentText({ sentiment }: Call): string | null {
  const { label = null, score = null } = sentiment ?? {};
  return label === null && score === null
    ? null
    : [label, score].filter((x) => x !== null).join(' ');
}

/** The transcript after an empty line and indented, so that nobody takes it for messages of callsheet. */
export function transcriptLines({ transcript }: Call, indent: string): string[] {
  if (transcript === null || transcript === '') return [];
  return ['', ...transcript.split(/\r?\n/).map((line) => indent + line)];
}
