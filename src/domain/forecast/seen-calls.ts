import type { LeadResult, ResultSource } from '../lead.ts';

/** A call that is over, as far as it says something of calls to come. */
export interface SeenCall {
  result: LeadResult;
  source: ResultSource;
  /** From the dial until its slot was free, as this program noticed it, ms. */
  slotMs: number;
  /** From then until its result was in, ms. */
  analysedMs: number;
  /** Talk time as the service gave it, ms; null: it gave none. */
  talkMs: number | null;
  /** Null: the service named none. */
  cost: number | null;
  currency: string | null;
  /** So long after its end the person was, or is to be, called again because they asked for it, ms; null: they did not. */
  callbackMs: number | null;
  /** How the call before it to the same person ended; null: there was none, or its end is not known. */
  before: LeadResult | null;
}

/** Whose calls a forecast is made from. */
export type SeenOf =
  /** Calls of the campaign itself. */
  | 'campaign'
  /** Calls of other campaigns with the same agent, and of this one. */
  | 'agent'
  /** Calls with other agents at the same service. */
  | 'service'
  /** Nothing that was seen, see `USUAL_CALLS`. */
  | 'defaults';

/** Fewer calls than that say too little to be believed alone. */
export const ENOUGH_SEEN = 30;

/**
 * Forty calls as they are where nothing was seen yet: people who do not know the caller (published rates: Pew 2020, one
 * in five answers an unknown number), calls of 75 s on average whose lengths are log-normal (Brown et al., JASA 2005).
 */
export const USUAL_CALLS: readonly SeenCall[] = [
  ...answeredAfter([8, 14, 20, 28, 38, 52, 80, 200]),
  ...calls(17, 'voicemail', 45_000, 26_000),
  ...calls(11, 'no_answer', 39_000, 0),
  ...calls(1, 'busy', 12_000, 0),
  ...calls(1, 'declined', 16_000, 0),
  ...calls(1, 'failed', 12_000, 0),
  ...calls(1, 'invalid_number', 12_000, 0),
];

/** It rings for some 20 s, and the end is noticed some 8 s late. */
function answeredAfter(talkSeconds: readonly number[]): SeenCall[] {
  return talkSeconds.flatMap((seconds) =>
    calls(1, 'answered', seconds * 1_000 + 28_000, seconds * 1_000),
  );
}

function calls(count: number, result: LeadResult, slotMs: number, talkMs: number): SeenCall[] {
  return Array.from({ length: count }, () => ({
    ...({ result, source: 'service', slotMs, analysedMs: 60_000, talkMs } as const),
    ...{ cost: null, currency: null, callbackMs: null, before: null },
  }));
}
