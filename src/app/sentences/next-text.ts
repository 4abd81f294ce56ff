import { placeOf } from '../../domain/calling/zone-key.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import { weekdayTime } from '../../text/local-time.ts';
import type { Answer } from '../watch/why-not-now.ts';
import { remedyFor } from './hours-lines.ts';

/**
 * When somebody who waits may be called, in the campaign's time and in theirs. It is never a promise: a call also needs
 * a process, a free slot and their turn.
 *
 * @param at.isHeld something else than time keeps them now
 */
export function nextText(
  { at, now, by, after, holds }: NonNullable<Answer['next']>,
  where: { isHeld: boolean; zoneKey: string; timezone: string },
): string {
  if (at === null) return neverText(holds);
  const first = after === null ? '' : `${after}: `;
  if (at <= now)
    return first === '' && !where.isHeld
      ? 'when it is their turn; nothing that is known keeps them'
      : `${first === '' ? 'after that, ' : first}when it is their turn`;
  const decides = by === null ? '' : ` (${by})`;
  return `${first}not before ${weekdayTime(at, where.timezone)}${theirTime(at, where)}${decides}`;
}

/** Their own clock, with the day: `, Tue 09:00 there`; empty where it is the campaign's. */
function theirTime(
  at: number,
  { zoneKey, timezone }: { zoneKey: string; timezone: string },
): string {
  const others = placeOf(zoneKey).zones.filter((zone) => zone !== timezone);
  const offsetAt = zoneOffsets([]);
  const there = others.flatMap((zone) => {
    const offset = offsetAt(zone, at);
    if (offset === undefined) return [];
    // Also for fixed offsets such as `+05:30`, of which Node's formats know nothing.
    const [day = '', , time = ''] = weekdayTime(at + offset, 'UTC').split(' ');
    return `${day} ${time} ${others.length === 1 ? 'there' : zone}`;
  });
  return there.length === 0 ? '' : ` = ${there.join(', ')}`;
}

/** Whom nobody may call at any time: some leave the campaign with the next claim, others wait for another setting. */
function neverText(holds: NonNullable<Answer['next']>['holds']): string {
  const never = holds.find(({ until }) => until === null);
  if (never === undefined) return 'never as things stand';
  return ENDS.includes(never.by)
    ? 'never: their place in the campaign ends without another call when it is their turn'
    : `never as things stand. ${remedyFor(never.by)}.`;
}

const ENDS = ['suppression', 'list', 'skipCalled', 'retry'];
