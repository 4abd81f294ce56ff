/** One thing said in a call. */
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

/** What the service reports of a completed call. A field is null when the service did not give it. */
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
