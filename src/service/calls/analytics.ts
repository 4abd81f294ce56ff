import { asMoney } from '../../domain/money.ts';
import type { Analytics, SaidResult, UnknownWord } from '../../domain/lead.ts';
import type { CallNames } from '../../domain/same-call.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import type { PollResult } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asId,
  asObject,
  asPhone,
  asText,
  asTime,
  callScopes,
  firstOf,
  pathTexts,
  readPath,
  unwrapped,
  type OnFound,
  type Path,
  type Scopes,
} from '../profile/read-fields.ts';
import {
  asOptOut,
  asTrue,
  readCallback,
  readDuration,
  readSentiment,
  readTimes,
  type FoundCall,
} from './spoken.ts';
import { asAddress, readTranscript, unreadOf } from './transcript.ts';

/** What a 2xx answer says about a call, or why the answer cannot be read. */
type Reading =
  | Exclude<PollResult, { kind: 'failed' | 'unreadable' }>
  | { kind: 'unreadable'; why: string; unknown: readonly UnknownWord[] }
  | typeof HALF;

/** The call is over, and the second answer that the profile names (`analytics.more`) is still to be read. */
const HALF = { kind: 'ended', needsMore: true } as const;

/** Takes an answer's parsed JSON; undefined: the answer was not JSON. */
export type AnalyticsReader = ReturnType<typeof createAnalyticsReader>;

type Rules = Profile['analytics'];

/**
 * Makes the reader for a profile.
 * @param onFound is called each time a candidate of the profile gives a value
 */
export function createAnalyticsReader(rules: Rules, onFound?: OnFound) {
  const durations = pathTexts(rules.duration.map(([path]) => path));
  const transcripts = pathTexts(new Set([...rules.transcript.text, ...rules.transcript.turns]));
  const lookedFor = `a transcript (${transcripts}), a duration (${durations}) or a sentiment (${pathTexts(rules.sentiment.at)})`;
  return {
    /**
     * @param now epoch ms, for `settled.atLatest`; without it, that time counts as not passed yet
     * @param isOver true: the call is over, whether or not the answer says so. Default false
     */
    read: (answer: unknown, now = -Infinity, isOver = false): Reading => {
      const scopes = callScopes(answer, rules.within, onFound);
      const reading = readAnswer(answer, scopes, rules, { lookedFor, now, isOver });
      return reading.kind === 'unreadable' ? reading : withNames(reading, scopes, rules);
    },
    /** For an HTTP status that means "not completed yet". */
    readNotYet: (answer: unknown): FoundCall & { kind: 'pending' | 'ended' } => {
      const scopes = callScopes(answer, rules.within, onFound);
      const status = readStatus(scopes, rules) ?? '';
      const isEnded = rules.status.processing.has(status) || isOver(status, rules);
      return withNames({ kind: isEnded ? 'ended' : 'pending' }, scopes, rules);
    },
  };
}

function withNames<T extends FoundCall>(found: T, scopes: Scopes, rules: Rules): T {
  const names = namesIn(scopes, rules);
  return names === undefined ? found : { ...found, names };
}

function readAnswer(
  answer: unknown,
  scopes: Scopes,
  rules: Rules,
  { lookedFor, now, isOver: isKnownOver }: { lookedFor: string; now: number; isOver: boolean },
): Reading {
  if (scopes.length === 0) {
    const why = `it is no JSON object; looked for ${lookedFor}`;
    return { kind: 'unreadable', why, unknown: [] };
  }
  const status = readStatus(scopes, rules);
  if (status !== null && !isOver(status, rules)) {
    if (rules.status.processing.has(status)) return { kind: 'ended' };
    if (!rules.status.notBegun.has(status)) {
      // A longer text is no word that a profile could list.
      const isKnown = rules.status.running.has(status) || status.length > LONGEST_WORD;
      return { kind: 'pending', ...(!isKnown && { unknown: [{ of: 'status', word: status }] }) };
    }
    const startsAt = firstOf(scopes, rules.status.startsAt, asTime) ?? null;
    return { kind: 'pending', notBegun: { word: status, startsAt } };
  }
  // The call is over, but its analytics are not final yet.
  if (status !== null && !isFinal(scopes, rules, now)) return { kind: 'ended' };
  const whole = asObject(unwrapped(answer)) ?? {};
  const isHalf = rules.more !== undefined && !Object.hasOwn(whole, rules.more.into);
  if (status !== null && isHalf) return HALF;
  const transcript = readTranscript(scopes, rules.transcript);
  const length = readDuration(scopes, rules);
  const sentiment = readSentiment(scopes, rules);
  const endedAt = firstOf(scopes, rules.endedAt, asTime) ?? Infinity;
  const { result, said, unknown } = readResult(scopes, rules, status);
  const transcriptAt =
    typeof transcript?.text === 'string' ? null : firstOf(scopes, rules.transcript.url, asAddress);
  const durationMs = length?.ms ?? readTimes(scopes, rules);
  const all = [transcript, length, sentiment, transcriptAt];
  const found = all.filter((value) => value !== undefined);
  const isUnproved = !isKnownOver && status === null && !isProof(result) && !(endedAt <= now);
  const missing = {
    transcript: transcriptAt ?? transcript,
    length: durationMs ?? length,
    sentiment,
  };
  const unread = [
    ...(unknown === undefined ? [] : [unknown]),
    ...unreadOf(scopes, rules, { ...missing, end: isUnproved ? undefined : true }),
  ];
  if (found.length === 0 && result === null) {
    return { kind: 'unreadable', why: `it has none of ${lookedFor}`, unknown: unread };
  }
  // No status, no result and only empty fields: the call is not over.
  if (status === null && result === null && found.every((value) => value === null)) {
    return { kind: 'pending' };
  }
  if (isHalf) return HALF;
  // A transcript that is null counts as empty, unless the duration says that somebody talked.
  const isSilent = transcript === null && (length?.ms ?? 0) === 0;
  const analytics: Analytics = {
    transcript: isSilent ? '' : (transcript?.text ?? null),
    turns: transcript?.turns ?? [],
    durationMs,
    sentiment: sentiment ?? null,
    summary: firstOf(scopes, rules.summary, asText) ?? null,
    recordingUrl: firstOf(scopes, rules.recording, asText) ?? null,
    cost: firstOf(scopes, rules.cost, asMoney) ?? null,
    costCurrency: firstOf(scopes, rules.costCurrency, asUnit) ?? null,
    extracted: firstOf(scopes, rules.extracted, asObject) ?? null,
    raw: answer,
  };
  const callback = firstOf(scopes, rules.callback, readCallback);
  return {
    kind: 'settled',
    analytics,
    result,
    ...(said !== undefined && { said }),
    ...(unread.length > 0 && { unknown: unread }),
    ...(length?.isGuess && { isGuess: true }),
    ...(isUnproved && { isUnproved: true }),
    ...(transcriptAt != null && { transcriptAt }),
    ...(callback != null && { callback }),
    ...(rules.retryDerived && { retryDerived: true }),
  };
}

/** True for results that only a call that is over can have; somebody or a machine may answer long before. */
function isProof(result: SaidResult | null): boolean {
  return result !== null && result !== 'answered' && result !== 'voicemail';
}

function readStatus(scopes: Scopes, { status }: Rules): string | null {
  const word = firstOf(scopes, status.at, (value) => {
    const said = typeof value === 'string' ? normalizeWord(value) : '';
    return said === '' || status.ignored.has(said) ? undefined : said;
  });
  return word ?? null;
}

function isOver(status: string, rules: Rules): boolean {
  return rules.status.ended.has(status) || rules.outcome.words.has(status);
}

function isFinal(scopes: Scopes, { settled }: Rules, now: number): boolean {
  if (settled === undefined || firstOf(scopes, settled.when, asTrue) === true) return true;
  if (settled.atLatest === undefined) return false;
  const endedAt = firstOf(scopes, settled.endedAt, asTime) ?? Infinity;
  return now - endedAt >= settled.atLatest;
}

/**
 * The result that the service reports for the call, and its own word for it. An opt-out outranks every other word, in
 * whichever field it is: a person who was reached may have asked for no more calls.
 */
function readResult(
  scopes: Scopes,
  { outcome, optOut, status: states }: Rules,
  status: string | null,
): { result: SaidResult | null; said?: string; unknown?: UnknownWord } {
  const said = wordsIn(scopes, outcome.at);
  const all = status === null ? said : [...said, { word: status }];
  const known = all.flatMap((one) => {
    const result = outcome.words.get(normalizeWord(one.word));
    return result === undefined ? [] : [{ ...one, result }];
  });
  const found = known.find(({ result }) => result === 'opted_out') ?? known[0];
  if (found?.path !== undefined) scopes.onFound?.(found.path, found.word);
  const isOptOut = firstOf(scopes, optOut, asOptOut) === true;
  // A field of outcomes may hold the status, which says no more than that the call is over.
  const silent = [outcome.ignored, states.ended, states.processing, states.ignored];
  const other = said.find(({ word }) => !silent.some((words) => words.has(normalizeWord(word))));
  const word = (found ?? other ?? said[0])?.word.slice(0, LONGEST_SAID);
  const own = word === undefined ? {} : { said: word };
  if (isOptOut) return { result: 'opted_out', ...own };
  if (found !== undefined) return { result: found.result, ...own };
  if (outcome.default !== undefined && said.length > 0) return { result: outcome.default, ...own };
  // A longer text is a sentence about the call and no word that a profile could list.
  const isUnknown = other !== undefined && other.word.length <= LONGEST_WORD;
  const unknown = isUnknown && { unknown: { of: 'outcome', word: other.word } as const };
  return { result: null, ...own, ...unknown };
}

/** Every text that the candidates find, with its candidate; a list gives each of its texts. */
function wordsIn(scopes: Scopes, at: readonly Path[]): { word: string; path?: Path }[] {
  const said: { word: string; path: Path }[] = [];
  for (const path of at) {
    for (const scope of scopes) {
      const found = readPath(scope, path);
      for (const word of Array.isArray(found) ? (found as unknown[]) : [found])
        if (typeof word === 'string' && word.trim() !== '') said.push({ word, path });
    }
  }
  return said;
}

const LONGEST_SAID = 200;
const LONGEST_WORD = 60;

/** The unit of a cost, such as `USD` or `credits`. */
function asUnit(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= LONGEST_UNIT ? value : undefined;
}
const LONGEST_UNIT = 100;

/** Undefined where the answer names no call. */
function namesIn(
  scopes: Scopes,
  { callId, attempt, phone, agent }: Profile['analytics'],
): CallNames | undefined {
  const names = {
    // Only the first candidate with a value counts: a later one may be the id of something else.
    callIds:
      callId.map((path) => allOf(scopes, [path], asAnyId)).find(({ length }) => length > 0) ?? [],
    attemptKeys: allOf(scopes, attempt, asId),
    phones: allOf(scopes, phone, asPhone),
    agents: allOf(scopes, agent, asId),
  };
  return Object.values(names).some(({ length }) => length > 0) ? names : undefined;
}

/** Text that is too long for an id is kept all the same: it proves that the answer is about another call. */
function asAnyId(value: unknown): string | undefined {
  return asId(value) ?? (typeof value === 'string' && value.trim() !== '' ? value : undefined);
}

function allOf(
  scopes: Scopes,
  candidates: readonly Path[],
  read: (value: unknown) => string | undefined,
): string[] {
  const found = new Set<string>();
  for (const path of candidates) {
    for (const scope of scopes) {
      const value = readPath(scope, path);
      const name = read(value);
      if (name === undefined) continue;
      scopes.onFound?.(path, value);
      found.add(name);
    }
  }
  return [...found];
}
