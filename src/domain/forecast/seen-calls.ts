import type { LeadResult, ResultSource } from '../lead.ts';

/** A finished call, as an example of calls to come. */
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

/** The calls from which a forecast is made. */
export type SeenOf =
  /** Calls of the campaign itself. */
  | 'campaign'
  /** Calls of other campaigns with the same agent, and of this one. */
  | 'agent'
  /** Calls with other agents at the same service. */
  | 'service'
  /** No call: see `USUAL_CALLS`. */
  | 'defaults';

/** Numbers in [0, 1), one after the other. */
export type Random = () => number;

/**
 * Forty calls for forecasts without any seen: people who do not know the caller (published rates: Pew 2020, one in five
 * answers an unknown number), calls of 75 s on average whose lengths are log-normal (Brown et al., JASA 2005).
 */
export const USUAL_CALLS: readonly SeenCall[] = [
  // It rings for some 20 s, and the end is noticed some 8 s late.
  ...[8, 14, 20, 28, 38, 52, 80, 200].flatMap((seconds) =>
    calls(1, 'answered', seconds * 1_000 + 28_000, seconds * 1_000),
  ),
  ...calls(17, 'voicemail', 45_000, 26_000),
  ...calls(11, 'no_answer', 39_000, 0),
  ...calls(1, 'busy', 12_000, 0),
  ...calls(1, 'declined', 16_000, 0),
  ...calls(1, 'failed', 12_000, 0),
  ...calls(1, 'invalid_number', 12_000, 0),
];

function calls(count: number, result: LeadResult, slotMs: number, talkMs: number): SeenCall[] {
  return Array.from({ length: count }, () => ({
    ...({ result, source: 'service', slotMs, analysedMs: 60_000, talkMs } as const),
    ...{ cost: null, currency: null, callbackMs: null, before: null },
  }));
}

/** This many calls after the same result are believed half; more of them more. */
const HALF_BELIEVED = 20;
/**
 * The share of second calls that end like the first where no second call was seen: people who did not answer are less
 * likely to answer than others.
 */
const SHARE_REPEATED = 0.25;

/**
 * The calls of one play: a sample of the calls seen, drawn with repetition, so that plays differ the more, the fewer
 * calls were seen (bootstrap, Efron 1979). Whole calls are drawn, as lengths, results, costs and wishes belong
 * together.
 * @param believed how many calls the sample has; fewer than were seen where these say less of the calls to come
 * @returns draws a call to a person whose call before ended so; null: it is the first one
 */
export function likelyCalls(
  seen: readonly SeenCall[],
  believed: number,
  random: Random,
): (before: LeadResult | null) => SeenCall {
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
  const sample = Array.from({ length: believed }, () => pick(seen));
  const existing = sample.filter(({ result }) => result !== 'invalid_number');
  const again = existing.length > 0 ? existing : sample;
  const byBefore = new Map<LeadResult | null, SeenCall[]>();
  const byResult = new Map<LeadResult, SeenCall[]>();
  for (const call of sample) {
    byBefore.set(call.before, [...(byBefore.get(call.before) ?? []), call]);
    byResult.set(call.result, [...(byResult.get(call.result) ?? []), call]);
  }
  return (before) => {
    const own = byBefore.get(before) ?? [];
    if (random() * (own.length + HALF_BELIEVED) < own.length) return pick(own);
    if (before === null) return pick(sample);
    // A number that rang exists.
    const alike = own.length === 0 ? byResult.get(before) : undefined;
    return pick(alike !== undefined && random() < SHARE_REPEATED ? alike : again);
  };
}
