import { DAY_MS } from '../time-units.ts';
import type { CallingLimits, CallingPolicy, CallingRule } from './policy.ts';
import type { Place } from './zone-key.ts';
import { own } from '../lists/own.ts';

/** Limits that hold for a person, and what they come from: `us-states`, or `us-states US-FL` for those of a region. */
export interface NamedLimits {
  by: string;
  limits: CallingLimits;
}

/**
 * All limits that hold for people at a place: those of every rule, and those that the rules have for one of the place's
 * regions. A region is taken exactly: the limits for `US` hold for people of whom no more is known than that.
 */
export function limitsAt(policy: CallingPolicy, place: Place): NamedLimits[] {
  const { regions } = assumedPlace(policy, place);
  const rules = policy.rules.filter((rule) => holdsIn(rule, regions));
  return rules.flatMap((rule) => [
    { by: rule.name, limits: rule },
    ...regions.flatMap((region) => {
      const limits = own(rule.regions, region);
      return limits === undefined ? [] : [{ by: `${rule.name} ${region}`, limits }];
    }),
  ]);
}

/** Whether a rule holds for people with these regions. */
export function holdsIn({ only }: Pick<CallingRule, 'only'>, regions: readonly string[]): boolean {
  return only === undefined || regions.some((region) => only.includes(region.slice(0, 2)));
}

/** The place itself, or for people whose time zone is not known the one that the campaign assumes, if it does. */
export function assumedPlace(
  { unknownZones, unknownRegions = [] }: CallingPolicy,
  { zones, regions }: Place,
): Place {
  if (zones.length > 0 || unknownZones === 'skip') return { zones, regions };
  return { zones: unknownZones, regions: [...new Set([...regions, ...unknownRegions])] };
}

/** What a list says of the time of a consent, epoch ms; null or left out: nothing. */
export interface ConsentTimes {
  /** The end that it names. */
  consentUntil?: number | null;
  /** The end of the day on which it was given, from which its age counts. */
  consentGiven?: number | null;
}

/**
 * When a consent ends for somebody at a place: at the end that the list names, or at the least age that the rules have
 * for people there, whichever is earlier; `why` goes on after "the consent". Null: it has no end.
 */
export function consentEnd(
  policy: CallingPolicy | undefined,
  place: () => Place,
  { consentUntil, consentGiven }: ConsentTimes,
): { at: number; why: string } | null {
  const ends = consentUntil == null ? [] : [{ at: consentUntil, why: 'has ended' }];
  if (consentGiven != null && policy !== undefined) {
    const { regions } = assumedPlace(policy, place());
    for (const { name, consentMaxAgeMs: age, ...rule } of policy.rules) {
      if (age === undefined || !holdsIn(rule, regions)) continue;
      const why = `is older than ${age / DAY_MS} days, the most that ${name} allows`;
      ends.push({ at: consentGiven + age, why });
    }
  }
  return ends.toSorted((a, b) => a.at - b.at)[0] ?? null;
}
