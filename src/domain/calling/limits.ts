import type { CallingLimits, CallingPolicy, CallingRule } from './policy.ts';
import type { Place } from './zone-key.ts';

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
      const limits = Object.hasOwn(rule.regions, region) ? rule.regions[region] : undefined;
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
