/**
 * Our columns, after the list's own. The order is fixed and only ever appended to: other programs read these
 * files. Every name starts with `call_`, so that it meets no column of a list.
 */
export const CALL_COLUMNS = [
  /** The number called, strict E.164. */
  'call_phone',
  /** `waiting`, `calling` or `done`. */
  'call_state',
  /** How it ended; empty unless done. */
  'call_result',
  /** Who says so: `service`, `derived` (from the transcript) or `callsheet`. */
  'call_result_source',
  /** Why it is so, in a sentence, where there is more to say. */
  'call_reason',
  /** Attempts that count: all but those that provably had no effect. */
  'call_attempts',
  'call_id',
  'call_first_attempt_at',
  'call_last_attempt_at',
  'call_ended_at',
  'call_duration_seconds',
  'call_sentiment',
  'call_sentiment_score',
  'call_summary',
  'call_transcript',
  'call_captured_lead',
  'call_recording_url',
  'call_cost',
  'call_cost_currency',
  /** Only of a waiting lead that may not be called at once. */
  'call_next_attempt_at',
  /** The zone that the times of this row are given in. */
  'call_timezone',
  'call_campaign',
  'call_service',
  'call_agent',
  'call_list',
  /** The line of the list it came from, 1-based. */
  'call_lead_line',
  /** What the service read out of the conversation, as JSON under its own names. */
  'call_extracted',
] as const;

export type CallColumn = (typeof CALL_COLUMNS)[number];

/** After those, in files with a row per attempt. */
export const ATTEMPT_COLUMNS = [
  /** 1 for the first attempt that counts ... */
  'call_attempt',
  /** See AttemptState. */
  'call_attempt_state',
  /** What this attempt came to; `call_result` is the lead's. */
  'call_attempt_result',
] as const;

export type AttemptColumn = (typeof ATTEMPT_COLUMNS)[number];
