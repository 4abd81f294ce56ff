import type { z } from 'zod';

import type { CallReport } from '../../app/run/call-one-number.ts';
import type { RunBounds } from '../../app/run/run-events.ts';
import type { RunReport } from '../../app/run/watched-run.ts';
import { progressView } from '../../app/watch/campaigns.ts';
import { formatPace } from '../../config/fields.ts';
import { summaryLines } from '../../results/figure-lines.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Campaign, HeldSlot } from '../../store/port.ts';
import { durationText } from '../../text/amounts.ts';
import { formatDuration, localTime, withIso } from '../../text/times.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import type { Call, CalledPerson } from '../../views/calls.ts';
import type { runEnd } from '../../views/campaigns.ts';
import type { Io } from '../io.ts';
import type { Outcome } from './outcome.ts';

/** A finished call as one line: `15:04:05 +12125550100 answered 42 s positive Al`. */
export function callLine({ phone, name, call }: CalledPerson): string {
  const { durationSeconds = null, summary = null, result = null, sentiment = null } = call ?? {};
  const at = call && (call.settledAt ?? call.endedAt ?? call.intentAt);
  const parts = [
    at === null ? '' : at.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length),
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

/**
 * The first line of a run, so that runs in one log can be told apart: its id, the campaign, the date, and how it calls.
 *
 * @param bounds limits of this run; null: it only collects
 */
export function runLine({ name, settings }: Campaign, bounds: RunBounds | null, io: Io): string {
  const { agent, concurrency, pace, requests, rules, longestCallMs, timezone, schedule } = settings;
  const id = io.messages === undefined ? '' : ` ${io.messages.id}`;
  const head = `Run${id} of "${name}", ${localTime(io.clock.now(), timezone)}`;
  if (bounds === null) return `${head}: only collecting.`;
  const { limit, until, waitUntil } = bounds;
  const parts = [
    `agent ${agent}`,
    `concurrency ${concurrency}`,
    `pace ${pace === null ? 'none' : formatPace(pace)}`,
    `requests ${requests}`,
    `rules ${rules.join(',')}`,
    `longestCall ${formatDuration(longestCallMs)}`,
  ];
  if (schedule !== undefined) parts.push(`schedule ${schedule}`);
  if (limit !== null) parts.push(`limit ${limit}`);
  if (until !== null) parts.push(`until ${localTime(until, timezone)}`);
  if (waitUntil !== null && waitUntil !== Infinity)
    parts.push(`waiting until ${localTime(waitUntil, timezone)}`);
  return `${head}: ${parts.join(', ')}.`;
}

/** Says that calls in doubt hold slots, until when, and what to do. @param doubts at least one */
export function heldInDoubt(doubts: readonly HeldSlot[], campaign: Campaign): string {
  const untils = doubts.map(({ holdsUntil }) => holdsUntil);
  const { concurrency, timezone } = campaign.settings;
  const first = localTime(Math.min(...untils), timezone);
  const last = localTime(Math.max(...untils), timezone);
  const slots = doubts.length === 1 ? 'a slot' : 'their slots';
  const until = first === last ? `until ${first}` : `the first until ${first}, the last ${last}`;
  const list = `\`callsheet resolve ${shellWord(campaign.name)}\``;
  if (doubts.length >= concurrency) {
    const hold = concurrency === 1 ? 'holds the only slot' : `hold all ${concurrency} slots`;
    return `Nobody is being called: ${counted(doubts.length, 'call')} in doubt ${hold}, ${until}; settle them: ${list}. A higher --concurrency goes on at once.`;
  }
  const hold = doubts.length === 1 ? 'holds' : 'hold';
  return `${counted(doubts.length, 'call')} in doubt ${hold} ${slots}, ${until}; ${list} shows what to do.`;
}

/** How a run ended: figures, path of the results, and the reason. @param report null: the operator left at once */
export function runOutcome(report: RunReport | null): Outcome<z.infer<typeof runEnd>> {
  if (report === null) return { code: EXIT.interrupted };
  const { campaign, progress, results, exit, heldByDoubts: held } = report;
  const { timezone } = campaign.settings;
  const json = results.path !== null && {
    campaign: campaign.name,
    state: campaign.state,
    ...progressView(progress, timezone),
    resultsFile: results.path,
    exitCode: exit.code,
    why: exit.why,
    ...withIso({ nextAt: exit.nextAt }, ['nextAt'], timezone),
  };
  const next = exit.nextAt === null ? '' : ` Next at ${localTime(exit.nextAt, timezone)}.`;
  const file = `Results: ${results.path ?? ''} (${counted(results.rows, 'row')})`;
  return {
    ...(json && { json }),
    end: [
      ...summaryLines(progress, campaign.state),
      ...(held.length === 0 ? [] : [heldInDoubt(held, campaign)]),
      ...(results.path === null ? [] : [file]),
      `${exit.why}${next}`,
    ],
    code: exit.code,
  };
}
