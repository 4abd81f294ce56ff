/** Lengths of time in ms. A day is 24 hours; a calendar day depends on the time zone and may be longer or shorter. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Processes write a heartbeat every second or two; a process without one for this long counts as gone. */
const SILENT_MS = 15_000;

/** True while a process counts as alive, by its last heartbeat (epoch ms). */
export function isHeard({ seenAt }: { seenAt: number }, now: number): boolean {
  return seenAt > now - SILENT_MS;
}

/** How many calls may be started in a period, e.g. 60 per 60,000 ms. */
export interface Pace {
  count: number;
  perMs: number;
}

/**
 * A start up to this late still counts as on schedule, so that claims that run some milliseconds late do not lower the
 * rate. The average stays exact, as the next start is counted from the schedule and not from the current time.
 */
const TOLERANCE_MS = 50;

/**
 * How many of `want` starts the pace admits now, by the generic cell rate algorithm: one timestamp, the time at which
 * the next start is due on schedule. Source: ITU-T I.371; brandur.org/rate-limiting.
 * @param nextDueAt epoch ms at which the next start is due (0 before the first)
 * @returns the number admitted, the new `nextDueAt`, and when to ask again (epoch ms)
 */
export function admit(
  pace: Pace,
  nextDueAt: number,
  now: number,
  want: number,
): { admitted: number; nextDueAt: number; askAgainAt: number } {
  const interval = pace.perMs / pace.count;
  // If the clock was set back, `nextDueAt` is far in the future: wait one interval at most.
  const due = Math.min(Math.max(nextDueAt, now - TOLERANCE_MS), now + interval);
  const room = due > now ? 0 : Math.floor((now - due) / interval) + 1;
  const admitted = Math.min(want, room);
  const next = due + admitted * interval;
  return { admitted, nextDueAt: next, askAgainAt: Math.ceil(next) };
}
