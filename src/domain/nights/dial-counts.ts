import type { AttemptState } from '../attempt.ts';
import type { Resolution } from '../resolution.ts';

/**
 * What a dial came to, for people who count calls: `made` by the service; `refused` by it for good (a 4xx); `inDoubt`:
 * the answer was lost; `notMade`: not sent, refused for now, ended without ringing, or settled as not made by a person.
 */
export const DIAL_KINDS = ['made', 'refused', 'inDoubt', 'notMade'] as const;
export type DialKind = (typeof DIAL_KINDS)[number];
export type DialCounts = Record<DialKind, number>;

export const NO_DIALS: DialCounts = { made: 0, refused: 0, inDoubt: 0, notMade: 0 };

/** The only place where it is decided what counts as a call made. Null: the dial has no answer yet. */
export function dialKind(state: AttemptState, resolution: Resolution | null): DialKind | null {
  switch (state) {
    case 'intent':
      return null;
    case 'placed':
    case 'ended':
    case 'settled':
    case 'no_result':
      return 'made';
    case 'rejected':
      return 'refused';
    case 'released':
      return 'notMade';
    case 'unknown':
    case 'unconfirmed':
      return resolution === 'not_placed' ? 'notMade' : 'inDoubt';
  }
}
