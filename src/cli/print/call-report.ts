import { jsonAnalytics } from '../../results/formats/jsonl.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Campaign, ExportRow, Store } from '../../store/port.ts';
import type { Io } from '../io.ts';
import { rowJson } from './json-times.ts';
import { exitReason, type Outcome } from '../../app/run/exit-reason.ts';
import { printJson, printLines, say } from '../terminal/output.ts';
import { asSentence } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { WatchedEnd } from '../../app/run/watched-run.ts';

/** Prints what became of a single call: transcript, duration and sentiment, or why there are none. */
export async function reportCall(
  store: Store,
  campaign: Campaign,
  end: WatchedEnd,
  { json }: { json: boolean },
  io: Io,
): Promise<ExitCode> {
  const [row] = await store.exportPage(campaign.id, null, 1);
  if (row === undefined) throw new Error('the call left no row');
  if (json) {
    const { timezone } = campaign.settings;
    printJson(io, { ...rowJson(row, timezone), analytics: jsonAnalytics(row.analytics) });
  } else printRow(row, io);
  const now = io.clock.now();
  const outcome = exitReason(campaign, await store.progress(campaign.id, now), now, end);
  if (outcome.code !== EXIT.ok) say(io, sentenceFor(outcome, campaign, row));
  return outcome.code;
}

/** The campaign of a single call is nobody's to run again: what is said is about the call. */
function sentenceFor({ code }: Outcome, { name, pauseDetail }: Campaign, row: ExportRow): string {
  const collect = `\`callsheet collect ${shellWord(name)}\``;
  if (row.state === 'waiting') {
    const why = pauseDetail ?? row.attempt?.detail ?? 'the dial was not sent';
    return `Nobody was called: ${asSentence(why)} Mend that and call again.`;
  }
  if (code === EXIT.person) {
    return `Whether the call was made is not known; look it up at the service before you call again.`;
  }
  return `The call is still open; ${collect} brings it in.`;
}

function printRow(row: ExportRow, io: Io): void {
  const { result, resultSource, state, reason, analytics, attempt } = row;
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
  for (const [name, value] of facts) {
    if (value != null && value !== '') printLines(io, [`${name}: ${value}`]);
  }
  if (analytics?.transcript != null && analytics.transcript !== '') {
    // Indented: what was said is not taken for a line of ours.
    printLines(io, ['', ...analytics.transcript.split(/\r?\n/).map((line) => `  ${line}`)]);
  }
}
