import type { Analytics } from '../../domain/analytics.ts';
import type { SaidResult } from '../../domain/outcome.ts';
import type { CallNames } from '../../domain/same-call.ts';

/** What the service says of a call, in an answer, a list or a webhook. `names`: which call it means, where it says so. Part of the port. */
export type FoundCall = { names?: CallNames } & FoundFacts;

type FoundFacts =
  /**
   * Not completed yet. `notBegun`: the service's word for a call that it has not begun, and when it will (`startsAt`, epoch
   * ms; null: it does not say).
   */
  | { kind: 'pending'; notBegun?: { word: string; startsAt: number | null } }
  /** The line is down, analytics are still to come. */
  | { kind: 'ended' }
  /** `result` is what the profile's outcome table made of the service's word `said`, or null. */
  | { kind: 'settled'; analytics: Analytics; result: SaidResult | null; said?: string };
