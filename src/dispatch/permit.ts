import type { Clock } from '../runtime/clock.ts';

/** A dial may be sent for this long after its claim; a process that was stopped or asleep finds the permit expired. */
const PERMIT_MS = 5_000;

/**
 * Permission to send what is claimed from now on: false once either clock has moved more than 5 s. Both are needed:
 * the monotonic clock may stand still while the machine sleeps, and the wall clock may be set back.
 */
export function issuePermit(clock: Clock): () => boolean {
  const wall = clock.now();
  const monotonic = clock.monotonic();
  return () =>
    Math.abs(clock.now() - wall) <= PERMIT_MS && clock.monotonic() - monotonic <= PERMIT_MS;
}
