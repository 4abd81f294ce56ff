import { allParts } from '../../config/rules/load-rule.ts';
import { isWeak, type RuleFile } from '../../config/rules/rule-file.ts';
import { periodText } from '../../config/rules/read-limits.ts';
import { holidayOn } from '../../domain/calling/holidays.ts';
import { WEEKDAYS, weekText } from '../../domain/calling/policy.ts';
import type { StrictestLimits } from '../../domain/calling/limits.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { counted } from '../../text/wording.ts';
import { composed } from './rules.ts';

/** A region in which rules come to something else than elsewhere. */
export interface StricterRegion {
  /** `US-FL`. */
  region: string;
  /** What they come to there: `Mon-Sun 08:00-20:00; 3 calls per 24h`. */
  text: string;
  /** Whether caps or silences are among that. */
  hasCaps: boolean;
  /** True when one of the region's own figures is not well known. */
  weak: boolean;
}

/** The regions of rules whose people have less time or fewer calls than everybody else. */
export function stricterRegions(files: readonly RuleFile[]): StricterRegion[] {
  const everybody = limitsText(composed(files, null));
  const parts = allParts(files);
  const regions = new Set(
    parts.flatMap(({ rule }) => [...(rule.only ?? []), ...Object.keys(rule.regions)]),
  );
  return [...regions].flatMap((region) => {
    const limits = composed(files, region);
    const there = limitsText(limits);
    const less = there.filter((part) => !everybody.includes(part));
    if (less.length === 0) return [];
    const own = parts.flatMap(({ rule, figures }) =>
      figures.filter(
        ({ where }) =>
          where.startsWith(`${region} `) ||
          (rule.only?.includes(region) === true && !where.includes(' ')),
      ),
    );
    const hasCaps = less.some((part) => part !== there[0]) || limits.week === null;
    return [{ region, text: less.join('; '), hasCaps, weak: own.some(isWeak) }];
  });
}

/** The hours in one text, then each cap and silence. */
function limitsText(limits: StrictestLimits): string[] {
  const { week, holidays } = limits;
  const days = week && WEEKDAYS.map((day) => [day, week[day].value] as const);
  const hours =
    days === null
      ? []
      : [
          weekText({
            week: Object.fromEntries(days) as Parameters<typeof weekText>[0]['week'],
            holidays: holidays?.value ?? null,
          }),
        ];
  return [...hours, ...capTexts(limits)];
}

/** Each cap and silence: `3 calls per 24h`, `no call for 7d after a conversation`. */
export function capTexts(
  limits: Pick<StrictestLimits, 'caps' | 'afterConversationMs' | 'afterRefusalMs'>,
): string[] {
  const silence = (after: string, decided: StrictestLimits['afterRefusalMs']) =>
    decided === null ? [] : [`no call for ${periodText(decided.value)} after ${after}`];
  return [
    ...limits.caps.map(
      ({ value }) => `${counted(value.calls, 'call')} per ${periodText(value.perMs)}`,
    ),
    ...silence('a conversation', limits.afterConversationMs),
    ...silence('a refusal in a conversation', limits.afterRefusalMs),
  ];
}

/** The next public holiday of a region from a moment (epoch ms) on, within a year: `2026-11-26`; null: none is known. */
export function nextHoliday(region: string, now: number): string | null {
  for (let day = 0; day < 366; day++) {
    const date = new Date(now + day * DAY_MS).toISOString().slice(0, 10);
    if (holidayOn(region, date) === true) return date;
  }
  return null;
}
