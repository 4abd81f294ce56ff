import type { LeadResult } from '../lead.ts';
import type { SeenCall } from './seen-calls.ts';

/** Numbers in [0, 1), one after the other. */
export type Random = () => number;

/** So many calls after the same result are believed half; more of them more. */
const HALF_BELIEVED = 20;
/**
 * Where no second call after a result was seen, this share ends like the call before: who did not answer is less likely
 * to answer than others are.
 */
const SHARE_REPEATED = 0.25;

/**
 * What calls may come to, for one play: a sample of what was seen, drawn with repetition, so that another play believes
 * something else, the more so the fewer calls were seen (bootstrap, Efron 1979). Whole calls are drawn, so that lengths,
 * results, costs and wishes belong together.
 *
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
