import type { Analytics, Sentiment } from '../domain/analytics.ts';
import type { LeadResult } from '../domain/lead.ts';
import type { Look } from './port.ts';
import type { Profile } from './profile.ts';
import { asNumber, asText, firstOf, pathText, readPath, scopesOf } from './read-fields.ts';
import type { Transcript } from './transcript.ts';
import { readTranscript } from './transcript.ts';
import { plainWord } from './words.ts';

/** What a 2xx says of a call: a look, or why it cannot be read. */
type Reading =
  Exclude<Look, { kind: 'failed' | 'unreadable' }> | { kind: 'unreadable'; why: string };

/** Takes an answer's JSON, or undefined where it was none. */
export interface AnalyticsReader {
  read: (answer: unknown) => Reading;
  /** What an answer that says "not completed yet" tells beside that: whether the line is down already. */
  readNotYet: (answer: unknown) => { kind: 'pending' | 'ended' };
}

type Rules = Profile['analytics'];

/** Makes the reader for a profile. */
export function createAnalyticsReader(rules: Rules): AnalyticsReader {
  const lookedFor = describe(rules);
  return {
    read: (answer) => readAnswer(answer, rules, lookedFor),
    readNotYet: (answer) => {
      const status = readStatus(scopesOf(answer, rules.within), rules) ?? '';
      const isDown = rules.status.processing.has(status) || rules.status.ended.has(status);
      return { kind: isDown ? 'ended' : 'pending' };
    },
  };
}

function readAnswer(answer: unknown, rules: Rules, lookedFor: string): Reading {
  if (typeof answer !== 'object' || answer === null) {
    return { kind: 'unreadable', why: `it is no JSON object; looked for ${lookedFor}` };
  }
  const scopes = scopesOf(answer, rules.within);
  const status = readStatus(scopes, rules);
  if (status !== null && !isOver(status, rules)) {
    return { kind: rules.status.processing.has(status) ? 'ended' : 'pending' };
  }
  const transcript = readTranscript(scopes, rules.transcript);
  const durationMs = readDuration(scopes, rules);
  const sentiment = readSentiment(scopes, rules);
  const result = readResult(scopes, rules, status);
  const found = [transcript, durationMs, sentiment].filter((value) => value !== undefined);
  if (found.length === 0 && result === null) {
    return { kind: 'unreadable', why: `it has none of ${lookedFor}` };
  }
  // No word says that the call is over, and every field is still empty: it is not.
  if (status === null && result === null && found.every((value) => value === null)) {
    return { kind: 'pending' };
  }
  const text = transcriptText(transcript, durationMs);
  const analytics: Analytics = {
    transcript: text,
    turns: transcript?.turns ?? [],
    durationMs: durationMs ?? null,
    sentiment: sentiment ?? null,
    summary: firstOf(scopes, rules.summary, asText) ?? null,
    recordingUrl: firstOf(scopes, rules.recording, asText) ?? null,
    cost: firstOf(scopes, rules.cost, asNumber) ?? null,
    costCurrency: firstOf(scopes, rules.costCurrency, asText) ?? null,
    raw: answer,
  };
  return { kind: 'settled', analytics, result };
}

function readStatus(scopes: readonly unknown[], rules: Rules): string | null {
  return firstOf(scopes, rules.status.at, (value) => statusWord(value, rules)) ?? null;
}

function statusWord(value: unknown, rules: Rules): string | undefined {
  if (typeof value !== 'string') return undefined;
  const word = plainWord(value);
  return word === '' || rules.status.ignored.has(word) ? undefined : word;
}

function isOver(status: string, rules: Rules): boolean {
  return rules.status.ended.has(status) || rules.outcome.words.has(status);
}

function readResult(
  scopes: readonly unknown[],
  { outcome }: Rules,
  status: string | null,
): LeadResult | null {
  const said = firstOf(scopes, outcome.at, (value) =>
    typeof value === 'string' ? outcome.words.get(plainWord(value)) : undefined,
  );
  return said ?? (status === null ? null : (outcome.words.get(status) ?? null));
}

/** A transcript that is there but null is an empty one, unless the duration says that somebody talked. */
function transcriptText(
  transcript: Transcript | null | undefined,
  durationMs: number | null | undefined,
): string | null {
  if (transcript === null && (durationMs ?? 0) === 0) return '';
  return transcript?.text ?? null;
}

const UNIT_MS = { ms: 1, s: 1_000, min: 60_000 };

function readDuration(scopes: readonly unknown[], { duration }: Rules): number | null | undefined {
  let nothing: null | undefined;
  for (const [path, unit] of duration) {
    for (const scope of scopes) {
      const value = readPath(scope, path);
      if (value === undefined) continue;
      const number = asNumber(value);
      if (number !== undefined && number >= 0) return Math.round(number * UNIT_MS[unit]);
      if (value === null || value === '') nothing = null;
    }
  }
  return nothing;
}

function readSentiment(
  scopes: readonly unknown[],
  { sentiment: rules }: Rules,
): Sentiment | null | undefined {
  const sentiment = firstOf(scopes, rules.at, (value) => sentimentOf(value, rules));
  if (typeof sentiment?.score === 'number') return sentiment;
  const score = firstOf(scopes, rules.scoreAt, asNumber);
  if (typeof score !== 'number') return sentiment;
  return { label: sentiment?.label ?? null, score };
}

function sentimentOf(value: unknown, rules: Rules['sentiment']): Sentiment | undefined {
  if (typeof value === 'object') {
    const label = firstOf([value], rules.label, asLabel) ?? null;
    const score = firstOf([value], rules.score, asNumber) ?? null;
    return label === null && score === null ? undefined : { label, score };
  }
  const score = asNumber(value) ?? null;
  if (score !== null) return { label: null, score };
  const label = asLabel(value);
  return label === undefined ? undefined : { label, score: null };
}

/** A word, not a number written as text. */
function asLabel(value: unknown): string | undefined {
  if (typeof value !== 'string' || asNumber(value) !== undefined) return undefined;
  const label = value.trim().toLowerCase();
  return label === '' ? undefined : label;
}

function describe(rules: Rules): string {
  const list = (paths: Iterable<readonly string[]>) => Array.from(paths, pathText).join(', ');
  const duration = list(rules.duration.map(([path]) => path));
  const transcript = list(new Set([...rules.transcript.text, ...rules.transcript.turns]));
  return `a transcript (${transcript}), a duration (${duration}) or a sentiment (${list(rules.sentiment.at)})`;
}
