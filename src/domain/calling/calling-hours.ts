import type { CallingPolicy, Hold } from './policy.ts';

/** The offset of a zone from UTC at a moment (epoch ms), ms, positive in the east; undefined: the zone is not known. */
export type OffsetAt = (zone: string, at: number) => number | undefined;

/** `until`: the first moment at which no call may begin any more, epoch ms; Infinity: the hours never close. */
export type HoursAt = { open: true; until: number } | { open: false; hold: Hold };

/**
 * Decides at which moments calls to people at a place may begin. The function that is returned remembers its answers
 * until they change, so that asking for the same few hundred places at every claim costs next to nothing.
 */
export function callingHours(
  policy: CallingPolicy,
  _offsetAt: OffsetAt,
): (zoneKey: string, at: number) => HoursAt {
  if (policy.rules.length > 0 || policy.hours !== null) throw new Error('not written yet');
  return () => ({ open: true, until: Infinity });
}
