import type { E164 } from '../domain/phone.ts';

/** The answers to undoing a cancellation. Part of the port; times are epoch ms. */

/** A call to somebody who had been taken out of a campaign, by whatever campaign. */
export interface CalledSince {
  phone: E164;
  campaign: string;
  at: number;
}

export type Undone =
  | { kind: 'undone' | 'not_cancelled' }
  /** `people`: how many; `since`: some of them. */
  | { kind: 'called'; people: number; since: CalledSince[] };

export type UndoneLead =
  | { kind: 'undone' | 'not_found' | 'not_cancelled' | 'suppressed' }
  | { kind: 'called'; since: CalledSince };
