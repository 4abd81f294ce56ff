import { formatHours, formatRetry } from '../../config/calling/calling-text.ts';
import type { NextOpening, Openings } from '../../domain/calling/openings.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { grouped } from '../../text/amounts.ts';
import { formatDuration } from '../../text/durations.ts';
import { localTime, weekdayTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';

/** The names of the rules, as people know them. */
export function ruleNames({ rules }: Pick<CampaignSettings, 'rules'>): string {
  return rules.map((rule) => rule.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/i, '')).join(', ');
}

/** What decides when people are called and called again: rules, own hours, margin, retries. */
export function policyLines(settings: CampaignSettings): string[] {
  const { policy, hours, holidays = [], timezone, retry } = settings;
  const lines: string[] = [];
  if (policy === undefined) {
    lines.push(
      'Rules "always": no calling hours and no caps apply; suppressed numbers are never called.',
    );
  } else {
    const parts = [
      policy.rules.length === 0
        ? 'no rules'
        : `rules ${ruleNames(settings)}, each person in their own time zone`,
      ...(hours === undefined ? [] : [`own hours ${formatHours(hours)} ${timezone} for everybody`]),
      ...(holidays.length === 0 ? [] : [counted(holidays.length, 'own holiday')]),
    ];
    lines.push(
      `Hours: ${parts.join('; ')}; no call begins in the last ${formatDuration(policy.marginMs)} of open hours.`,
    );
  }
  if (retry !== undefined) lines.push(`Retries: ${formatRetry(retry)}.`);
  return lines;
}

/** When the hours open next, while somebody waits for that, and who can never be called and why. */
export function openingLines(found: Openings, settings: CampaignSettings): string[] {
  const { next, later, shut } = found;
  return [
    ...(next === null || later === 0
      ? []
      : [`The next of ${grouped(later)} may be called ${openingText(next, settings)}.`]),
    ...shut.map(({ by, why, people }) => {
      const who = people === 1 ? '1 person is' : `${grouped(people)} people are`;
      return `${who} never called: ${by}: ${why}. ${remedyFor(by)}.`;
    }),
  ];
}

/** `Mon 2026-01-05 09:00 America/New_York (08:00 America/Chicago there; us-states)`. */
export function openingText(
  { at, zoneKey, by }: NextOpening,
  { timezone }: Pick<CampaignSettings, 'timezone'>,
): string {
  const there = placeOf(zoneKey)
    .zones.filter((zone) => /^[A-Za-z]/.test(zone) && zone !== timezone)
    .slice(0, 2)
    .map(
      (zone) =>
        `${localTime(at, zone).slice('2026-01-05 '.length, '2026-01-05 09:00'.length)} ${zone}`,
    )
    .join(', ');
  const notes = [...(there === '' ? [] : [`${there} there`]), ...(by === null ? [] : [by])];
  return `${weekdayTime(at, timezone)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** What to do about people whom nobody may ever call. @param by see `Hold` */
export function remedyFor(by: string): string {
  if (by === 'zones.unknown') {
    return '`--set zones.unknown=us48` calls them in hours that hold in all of the 48 states, `--set zones.unknown=ZONE` in those of one time zone';
  }
  if (by === 'hours' || by === 'holidays') {
    return `Choose other \`${by}\` or \`rules\`: together they leave these people no time`;
  }
  return 'Choose other `rules` or `hours`: together they leave these people no time; `callsheet rules show NAME` draws the week of each';
}
