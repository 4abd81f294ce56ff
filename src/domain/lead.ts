import type { AttemptState } from './attempt.ts';

/** `waiting` may be called (when its time has come), `calling` has an open attempt, `done` has a result. */
export const LEAD_STATES = ['waiting', 'calling', 'done'] as const;
export type LeadState = (typeof LEAD_STATES)[number];

/** How a lead ended; set if and only if its state is `done`. */
export const LEAD_RESULTS = [
  'answered',
  'voicemail',
  'no_answer',
  'busy',
  'declined',
  'failed',
  'rejected',
  'invalid_number',
  'opted_out',
  'unconfirmed',
  'no_result',
  'suppressed',
  'expired',
  'cancelled',
] as const;
export type LeadResult = (typeof LEAD_RESULTS)[number];

/** Ends that come from outside the calls: no later evidence about a call changes them. */
const KEPT_ENDS: readonly LeadResult[] = ['cancelled', 'suppressed'];

/** True when a lead ended with this result, and no evidence or resolution of a call changes that. */
export function isKeptEnd(result: LeadResult | null): boolean {
  return result !== null && KEPT_ENDS.includes(result);
}

/** Where a result comes from: the service gave it, it was derived from the transcript, or callsheet decided it. */
export const RESULT_SOURCES = ['service', 'derived', 'callsheet'] as const;
export type ResultSource = (typeof RESULT_SOURCES)[number];

/** The lead's state when its attempt moves to `state`; a settled call brings its own result. */
export function leadAfter(
  state: AttemptState,
):
  | { state: 'waiting' }
  | { state: 'calling' }
  | { state: 'done'; result: LeadResult | 'of_the_call' } {
  switch (state) {
    case 'intent':
    case 'placed':
    case 'ended':
    case 'unknown':
      return { state: 'calling' };
    case 'released':
      return { state: 'waiting' };
    case 'settled':
      return { state: 'done', result: 'of_the_call' };
    case 'rejected':
    case 'unconfirmed':
    case 'no_result':
      return { state: 'done', result: state };
  }
}

/**
 * The service's words for a call that it took and that never rang. `not_called`: the lead waits again.
 * `not_called_pause`: the lead waits again, and other dials would fail, too (money, key, configuration).
 */
export const NOT_CALLED = ['not_called', 'not_called_pause'] as const;
type NotCalled = (typeof NOT_CALLED)[number];

/** The results to which a profile may map a word of the service. */
export type SaidResult = LeadResult | NotCalled;

/**
 * A word of the service that its profile does not know, or the path of a field that it does not read.
 * `unknownWordSentence` says what each kind means.
 */
export interface UnknownWord {
  of:
    | ('outcome' | 'status' | 'state' | 'flag' | 'end' | 'no_end')
    | ('duration' | 'sentiment' | 'transcript' | 'turns' | 'address' | 'elsewhere')
    | ('speaker' | 'role' | 'say' | 'callId' | 'errorAt' | 'error')
    | ('event' | 'type' | 'eventCall');
  word: string;
  /** The value that the line of the profile proposes, such as the unit of a length. */
  as?: string;
}

/** How a completed call ended, and where this comes from. */
interface Outcome {
  result: SaidResult;
  source: ResultSource;
}

/**
 * The result of a completed call: the service's own word where the profile maps it, otherwise derived from the
 * transcript. A transcript in which the person speaks is `answered`; a transcript that is empty, or in which only the
 * agent speaks, is `no_answer`; without a transcript the result is `no_result`.
 *
 * A person who speaks in the transcript was called: this overrides words of failure, which then refer to something that
 * happened later (a transfer, a webhook). A call with a duration was made, whatever the service says.
 * @param said the result to which the profile's outcome table maps the service's answer, or null
 */
export function outcomeOf(
  analytics: Pick<Analytics, 'transcript' | 'turns'> & { durationMs?: number | null },
  said: SaidResult | null,
): Outcome {
  if (said === null) return { result: derive(analytics), source: 'derived' };
  const isFailure = said === 'failed' || isNotCalled(said);
  if (isFailure && personSpeaks(analytics.turns)) return { result: 'answered', source: 'derived' };
  if (isNotCalled(said) && (analytics.durationMs ?? 0) > 0) {
    return { result: 'failed', source: 'service' };
  }
  return { result: said, source: 'service' };
}

export function isNotCalled(result: SaidResult): result is NotCalled {
  return NOT_CALLED.some((word) => word === result);
}

function derive({ transcript, turns }: Pick<Analytics, 'transcript' | 'turns'>): LeadResult {
  if (turns.length > 0) return personSpeaks(turns) ? 'answered' : 'no_answer';
  if (transcript === null) return 'no_result';
  return transcript.trim() === '' ? 'no_answer' : 'answered';
}

function personSpeaks(turns: readonly Turn[]): boolean {
  return turns.some(({ speaker, text }) => speaker === 'person' && text.trim() !== '');
}

export interface Turn {
  /** `person`: the called person; `agent`: the voice agent; `other`: anything else (system, tool). */
  speaker: 'agent' | 'person' | 'other';
  text: string;
}

/** Sentiment of a call as the service gave it: a word, a number, or both. */
export interface Sentiment {
  /** The service's own word, lower case, e.g. `positive`; null when it gave only a number. */
  label: string | null;
  /** The service's own number, on its own scale; null when it gave only a word. */
  score: number | null;
}

/** A length from here on may be one in ms that was read as seconds: 1,000 ms are a second, 1,000 s a long call. */
const LONG_MS = 1_000_000;

/**
 * The likely length of a call (ms) whose unit is a guess: read as seconds, it is in ms where the call cannot have
 * lasted so long. A call made two seconds ago did not last 83,000 s.
 */
export function likelyLength(readMs: number, possibleMs: number): number {
  return readMs >= LONG_MS && readMs > possibleMs ? Math.round(readMs / 1_000) : readMs;
}

/** The service's report of a completed call. A field is null when the service did not give it. */
export interface Analytics {
  /** Full transcript, one line per turn (`agent: ...`), or the service's own text when the service gives no turns. */
  transcript: string | null;
  /** The transcript as turns; empty when the service sent text only. */
  turns: Turn[];
  durationMs: number | null;
  sentiment: Sentiment | null;
  summary: string | null;
  recordingUrl: string | null;
  /** Decimal text such as `0.123`, see `asMoney`; negative where the service gives a negative cost. */
  cost: string | null;
  /** ISO 4217 code, or the service's own unit such as `credits`. */
  costCurrency: string | null;
  /** The data that the service extracted from the conversation, under its own names; null when it gave none. */
  extracted: Record<string, unknown> | null;
  /** The unchanged answer of the service, which may hold more than the fields above. */
  raw: unknown;
}
