import { WEEKDAYS, type Weekday } from '../../domain/calling/policy.ts';
import { RETRY_RESULTS, type RetryPolicy } from '../../domain/calling/retry.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { formatDuration } from '../../text/durations.ts';

/** The operator's own hours: `18:00-21:00 mon-fri`, or `none`. */
export function formatHours(hours: CampaignSettings['hours']): string {
  if (hours === undefined) return 'none';
  return [`${hours.from}-${hours.to}`, ...(hours.days ? [formatDays(hours.days)] : [])].join(' ');
}

/** Weekdays with ranges of three and more drawn together: `mon-wed,fri`. */
export function formatDays(days: readonly Weekday[]): string {
  const runs: Weekday[][] = [];
  for (const day of WEEKDAYS.filter((each) => days.includes(each))) {
    const run = runs.at(-1);
    const before = WEEKDAYS[WEEKDAYS.indexOf(day) - 1];
    if (run !== undefined && run.at(-1) === before) run.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => (run.length > 2 ? `${run[0] ?? ''}-${run.at(-1) ?? ''}` : run.join(',')))
    .join(',');
}

/** `3 attempts, 2 a day, 2h apart, after no_answer 2h, busy 30m`; `none`: everybody is called once. */
export function formatRetry(retry: RetryPolicy | undefined): string {
  if (retry === undefined) return 'none';
  const { attempts, perDay, gapMs, after, otherTimeOfDay, lastDay, alternatives } = retry;
  const delays = RETRY_RESULTS.flatMap((result) => {
    const ms = after[result];
    return ms === undefined ? [] : [`${result} ${formatDuration(ms)}`];
  });
  return [
    attempts === 1 ? '1 attempt' : `${attempts} attempts`,
    ...(perDay === null ? [] : [`${perDay} a day`]),
    ...(gapMs === 0 ? [] : [`${formatDuration(gapMs)} apart`]),
    ...(delays.length === 0 ? [] : [`after ${delays.join(', ')}`]),
    ...(otherTimeOfDay ? ['at another time of day'] : []),
    ...(lastDay === null ? [] : [`until ${lastDay}`]),
    ...(alternatives === null ? [] : [`next number after ${alternatives}`]),
  ].join(', ');
}
