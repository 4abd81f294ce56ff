import { callingHours, type HoursAt } from '../../../domain/calling/calling-hours.ts';
import { callsAskedFor, type CallsAskedFor } from '../../../domain/calling/caps.ts';
import { limitsAt, type NamedLimits } from '../../../domain/calling/limits.ts';
import type { CallingPolicy, Hold } from '../../../domain/calling/policy.ts';
import type { RetryPlace } from '../../../domain/calling/retry-hold.ts';
import { placeOf } from '../../../domain/calling/zone-key.ts';
import { zoneOffsets } from '../../../runtime/time-zones.ts';

/** What a campaign's policy says of places, remembered by place as long as it holds. */
export interface CallingTimes {
  /** Whether calls to a place may begin at `now`: each claim asks for its own moment. */
  hoursNow: (zoneKey: string, now: number) => HoursAt;
  /** The same for moments to come, so that what is remembered of now stays. */
  hoursAt: (zoneKey: string, at: number) => HoursAt;
  /** The limits at a place that look at past calls, and what they ask for; null: there are none. */
  capsAt: (zoneKey: string) => { limits: NamedLimits[]; ask: CallsAskedFor } | null;
  /** The clocks of somebody who may be at any of these places. */
  clocksAt: (...zoneKeys: readonly string[]) => Pick<RetryPlace, 'zones' | 'offsetAt'>;
}

/** @returns the calling times of a policy; the same object as before while the policy is the same object */
export function callingTimes(): (policy: CallingPolicy | undefined) => CallingTimes {
  const known = new WeakMap<CallingPolicy, CallingTimes>();
  return (policy) => {
    if (policy === undefined) return ALWAYS;
    const times = known.get(policy) ?? timesOf(policy);
    known.set(policy, times);
    return times;
  };
}

const ALWAYS: CallingTimes = {
  hoursNow: () => OPEN,
  hoursAt: () => OPEN,
  capsAt: () => null,
  clocksAt: (...zoneKeys) => ({ zones: zonesOf(zoneKeys, []), offsetAt: zoneOffsets([]) }),
};
const OPEN: HoursAt = { open: true, until: Infinity };

function timesOf(policy: CallingPolicy): CallingTimes {
  const offsetAt = zoneOffsets(policy.zoneOverrides);
  const hoursAt = callingHours(policy, offsetAt);
  const caps = new Map<string, ReturnType<CallingTimes['capsAt']>>();
  return {
    hoursNow: callingHours(policy, offsetAt),
    hoursAt,
    clocksAt: (...zoneKeys) => {
      const assumed = policy.unknownZones === 'skip' ? [] : policy.unknownZones;
      return { zones: zonesOf(zoneKeys, assumed), offsetAt };
    },
    capsAt: (zoneKey) => {
      const found = caps.get(zoneKey);
      if (found !== undefined) return found;
      const limits = limitsAt(policy, placeOf(zoneKey));
      const ask = callsAskedFor(limits);
      const at = ask === null ? null : { limits, ask };
      caps.set(zoneKey, at);
      return at;
    },
  };
}

function zonesOf(zoneKeys: readonly string[], assumed: readonly string[]): string[] {
  const known = zoneKeys.map((key) => placeOf(key).zones);
  return [...new Set(known.flatMap((zones) => (zones.length > 0 ? zones : assumed)))];
}

/** The earliest moment from `from` on at which hours are open at a place; see `firstFree`. */
export function firstOpen({ hoursAt }: CallingTimes, zoneKey: string, from: number): number | null {
  return firstFree(from, (at) => {
    const hours = hoursAt(zoneKey, at);
    return hours.open ? null : { until: hours.opensAt };
  });
}

/** Hours may open and close again before anything else is satisfied; more rounds than that are not tried. */
const MOST_ROUNDS = 60;

/**
 * The earliest moment from `from` on at which nothing holds a call back, epoch ms.
 *
 * @param holdAt what holds it back at a moment, null: nothing
 * @returns null: never, as things stand; where it was not found in time a moment before which it is not
 */
export function firstFree(
  from: number,
  holdAt: (at: number) => Pick<Hold, 'until'> | null,
): number | null {
  let at = from;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const hold = holdAt(at);
    if (hold === null) return at;
    if (hold.until === null || hold.until <= at) return null;
    at = hold.until;
  }
  return at;
}

/** What the hours of these places hold back at a moment to come: they have to be open at all of them. */
export function closedAt(
  { hoursAt }: Pick<CallingTimes, 'hoursAt'>,
  zoneKeys: readonly string[],
  at: number,
): Hold | null {
  for (const zoneKey of zoneKeys) {
    const hours = hoursAt(zoneKey, at);
    if (!hours.open) return hours.hold;
  }
  return null;
}
