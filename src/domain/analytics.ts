/** One thing said in a call. */
export interface Turn {
  /** `person` is the called one; `agent` the voice agent; `other` anything else (system, tool). */
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

/** What the service reports of a completed call. A field is null when the service did not give it. */
export interface Analytics {
  /** Full transcript, one line a turn (`agent: ...`), or the service's own text when it has no turns. */
  transcript: string | null;
  /** The same as turns; empty when the service sent text only. */
  turns: Turn[];
  durationMs: number | null;
  sentiment: Sentiment | null;
  summary: string | null;
  recordingUrl: string | null;
  /** Decimal text such as `0.123`, see `asMoney`; below 0 where the service says so. */
  cost: string | null;
  /** ISO 4217 code, or the service's own unit such as `credits`. */
  costCurrency: string | null;
  /** What the service read out of the conversation, under its own names; null when it gave none. */
  extracted: Record<string, unknown> | null;
  /** The answer as it came, for what no field above holds. */
  raw: unknown;
}
