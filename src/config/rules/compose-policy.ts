import {
  WEEKDAYS,
  type CallingLimits,
  type CallingPolicy,
  type CallingRule,
  type OperatorHours,
  type ZoneOverride,
} from '../../domain/calling/policy.ts';
import { HOLIDAY_REGIONS } from '../../domain/calling/holidays.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { minutesOf } from '../../domain/nights/night.ts';
import type { RuleFile } from './rule-file.ts';

type Own = Pick<
  CampaignSettings,
  'hours' | 'holidays' | 'notBefore' | 'unknownZones' | 'ringTimeMs' | 'timezone'
>;

/** The zones of the 48 contiguous states; each is called only while the hours are open in all of them. */
const US_48 = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
];
const DEFAULT_RING_MS = 60_000;
/** A call begun at the last moment must also be placed, connected and answered before the hours close. */
const TO_ANSWER_MS = 60_000;

/**
 * The limits of a campaign's calls: its rules and its own settings. Every rule stays, and all have to allow a call, so
 * the strictest decides and an added rule never loosens another.
 * @returns undefined: nothing limits them (`always` alone, no hours, no holidays, at any time)
 */
export function composePolicy(
  files: readonly RuleFile[],
  own: Own,
  overrides: readonly ZoneOverride[],
): CallingPolicy | undefined {
  const rules = files
    .map(({ rule, consentMaxAgeMs: age }) =>
      age === null ? rule : { ...rule, consentMaxAgeMs: age },
    )
    .filter(limitsAnybody);
  const hours = operatorHours(own);
  const holidays = [...new Set(own.holidays)].toSorted();
  const { notBefore, timezone } = own;
  const isAny = hours !== null || holidays.length > 0 || notBefore !== undefined;
  if (rules.length === 0 && !isAny) return undefined;
  return {
    rules,
    hours,
    holidays,
    ...(notBefore !== undefined && { notBefore: { at: notBefore, timezone } }),
    ...assumedPlace(own.unknownZones),
    zoneOverrides: overrides,
    marginMs: (own.ringTimeMs ?? DEFAULT_RING_MS) + TO_ANSWER_MS,
  };
}

function limitsAnybody(rule: CallingRule): boolean {
  const limits = [rule, ...Object.values(rule.regions)];
  return rule.consentMaxAgeMs !== undefined || limits.some(hasLimit);
}

function hasLimit({ hours, caps, afterConversationMs, afterRefusalMs }: CallingLimits): boolean {
  return (
    hours !== null || caps.length > 0 || afterConversationMs !== null || afterRefusalMs !== null
  );
}

function operatorHours({ hours, timezone }: Own): OperatorHours | null {
  if (hours === undefined) return null;
  const days = WEEKDAYS.filter((day) => (hours.days ?? WEEKDAYS).includes(day));
  // Midnight as an end is that of the day that begins then: 1440, not 0.
  return { days, from: minutesOf(hours.from), to: minutesOf(hours.to) || 1_440, timezone };
}

function assumedPlace(unknown = 'skip'): Pick<CallingPolicy, 'unknownZones' | 'unknownRegions'> {
  if (unknown === 'skip') return { unknownZones: unknown };
  if (unknown === 'us48') return { unknownZones: US_48, unknownRegions: ['US'] };
  return { unknownZones: [unknown], unknownRegions: countriesWith(unknown) };
}

/** By zone. Asking Intl about all countries takes some 50 ms, and a command asks several times. */
const known = new Map<string, readonly string[]>();

/** Countries with the time of a zone: their public holidays apply to people assumed there. */
function countriesWith(zone: string): readonly string[] {
  const before = known.get(zone);
  if (before !== undefined) return before;
  const countries = HOLIDAY_REGIONS.filter((region) => /^[A-Z]{2}$/.test(region));
  const name = canonical(zone);
  const isOf = (region: string) => zonesOf(region).some((each) => canonical(each) === name);
  const found = countries.filter(isOf);
  known.set(zone, found);
  return found;
}

/** Node has this list, the types of its version 20 do not. */
function zonesOf(region: string): readonly string[] {
  const locale: Intl.Locale & { timeZones?: readonly string[] } = new Intl.Locale('und', {
    region,
  });
  return locale.timeZones ?? [];
}

function canonical(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
}
