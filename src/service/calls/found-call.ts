import type { Analytics } from '../../domain/analytics.ts';
import type { AskedCallback } from '../../domain/calling/callback.ts';
import type { SaidResult, UnknownWord } from '../../domain/outcome.ts';
import type { CallNames } from '../../domain/same-call.ts';

/**
 * What the service says about a call, in an answer, a list or a webhook. `names`: which call the service means, if it
 * says so. Part of the interface in `port.ts`.
 */
export type FoundCall = { names?: CallNames } & FoundFacts;

type FoundFacts =
  /**
   * Not completed yet. `notBegun`: the service's word for a call that it has not begun, and when the call will begin
   * (`startsAt`, epoch ms; null: the service does not say). `unknown`: a status word that the profile does not know.
   */
  | {
      kind: 'pending';
      notBegun?: { word: string; startsAt: number | null };
      unknown?: readonly UnknownWord[];
    }
  /** The call has ended, but its analytics are not complete yet. */
  | { kind: 'ended' }
  /**
   * `result` is what the profile's outcome table makes of the service's word `said`; null: no result. `unknown`: the
   * profile does not know that word, or does not read such a field. `callback`: the person asked to be called again.
   * `retryDerived`: the profile lets derived results be retried. `isGuess`: the length may be in ms, see
   * `likelyLength`. `isUnproved`: nothing says that the call is over. `transcriptAt`: the address of a transcript
   * that the answer does not hold.
   */
  | {
      kind: 'settled';
      analytics: Analytics;
      result: SaidResult | null;
      said?: string;
      unknown?: readonly UnknownWord[];
      isGuess?: true;
      isUnproved?: true;
      transcriptAt?: string;
      callback?: AskedCallback;
      retryDerived?: true;
    };
