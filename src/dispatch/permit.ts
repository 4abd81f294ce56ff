import type { Clock } from '../runtime/clock.ts';

/** A claim may be sent for this long; a paused or sleeping process finds it expired. */
const PERMIT_MS = 5_000;

/**
 * Permission to send what is claimed from now on: false once either clock has moved more than 5 s (the
 * monotonic one may stand still while a machine sleeps, the wall clock may be set back).
 */
export function issuePermit(clock: Clock): () => boolean {
  const wall = clock.now();
  const monotonic = clock.monotonic();
  return () =>
    Math.abs(clock.now() - wall) <= PERMIT_MS && clock.monotonic() - monotonic <= PERMIT_MS;
}
