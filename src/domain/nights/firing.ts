import { MINUTE_MS } from '../time-units.ts';

/**
 * How a scheduled time was met: `made_up` passed while nothing served and its night was called all the same, `told`
 * passed and was only told.
 */
export type HowMet = 'on_time' | 'made_up' | 'told';

/** A scheduled time that is taken up later than this has been missed. */
export const LATE_MS = 10 * MINUTE_MS;

/** The latest scheduled time of a campaign that is not after now, and what is known of it; times are epoch ms. */
export interface LastFiring {
  at: number;
  /** The end of its night, or the next scheduled time where that comes first. */
  endsAt: number;
  /** Nobody expected calls at times up to this: the schedule was made then, or the campaign started. */
  expectedFrom: number;
  /** Undefined: nobody has taken it up. */
  met: HowMet | undefined;
}

/** `call`: its night is being called; `take`: it is to be taken up so; `wait`: nothing is called until the next one. */
export type FiringStep = { kind: 'call' } | { kind: 'take'; met: HowMet } | { kind: 'wait' };

/**
 * What is to be done about a scheduled time. One that was missed is made up for as long as its night is not over and
 * somebody may still be called in it.
 *
 * @param mayCall whether somebody may be called from now until the end of the night
 */
export function firingStep(
  { at, endsAt, expectedFrom, met }: LastFiring,
  now: number,
  mayCall: boolean,
): FiringStep {
  if (met !== undefined) return { kind: met === 'told' || now >= endsAt ? 'wait' : 'call' };
  if (at <= expectedFrom) return { kind: 'wait' };
  if (now >= endsAt) return { kind: 'take', met: 'told' };
  if (now - at <= LATE_MS) return { kind: 'take', met: 'on_time' };
  return { kind: 'take', met: mayCall ? 'made_up' : 'told' };
}
