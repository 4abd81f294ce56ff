import type { Budget, Stop } from '../../domain/nights/budget.ts';
import { formatDuration } from '../../text/times.ts';
import { orElse } from '../calling/calling-settings.ts';
import { invalid } from '../flags.ts';
import type { CampaignValues } from '../keys.ts';

/**
 * What dialling stops at, from flags and file over what is stored; `none` takes one budget, or all of them, away.
 *
 * @returns undefined where no budget is left
 * @throws AppError `SETTING_INVALID` where the talk time is shorter than the longest call, so that none could begin
 */
export function stopOf(
  values: CampaignValues,
  stored: Stop | undefined,
  longestCallMs: number,
): Stop | undefined {
  if (values.stop === null) return undefined;
  const { at: storedAt, total: storedTotal, ...storedNight } = stored ?? {};
  const night = budgetOf(values, 'stop', storedNight);
  const total = budgetOf(values, 'stop.total', storedTotal ?? {});
  const at = orElse(values['stop.at'], storedAt) ?? undefined;
  requireRoom('stop.talkMinutes', night, longestCallMs);
  requireRoom('stop.total.talkMinutes', total, longestCallMs);
  const stop = {
    ...night,
    ...(at !== undefined && { at }),
    ...(Object.keys(total).length > 0 && { total }),
  };
  return Object.keys(stop).length > 0 ? stop : undefined;
}

/** `500 calls, 40 EUR, until 20:30; in all 5000 calls`, or `none`. */
export function formatStop(stop: Stop | undefined): string {
  if (stop === undefined) return 'none';
  const { total, at, ...night } = stop;
  const nightly = [...partsOf(night), ...(at === undefined ? [] : [`until ${at}`])].join(', ');
  const inAll = total === undefined ? [] : [`in all ${partsOf(total).join(', ')}`];
  return [...(nightly === '' ? [] : [nightly]), ...inAll].join('; ');
}

function partsOf({ calls, talkMinutes, cost, answered }: Budget): string[] {
  return [
    ...(calls === undefined ? [] : [`${calls} ${calls === 1 ? 'call' : 'calls'}`]),
    ...(talkMinutes === undefined ? [] : [`${talkMinutes} talk minutes`]),
    ...(cost === undefined ? [] : [`${cost.amount} ${cost.currency}`]),
    ...(answered === undefined ? [] : [`${answered} answered`]),
  ];
}

function budgetOf(values: CampaignValues, group: 'stop' | 'stop.total', stored: Budget): Budget {
  const given = {
    calls: orElse(values[`${group}.calls`], stored.calls),
    talkMinutes: orElse(values[`${group}.talkMinutes`], stored.talkMinutes),
    cost: orElse(values[`${group}.cost`], stored.cost),
    answered: orElse(values[`${group}.answered`], stored.answered),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(set);
}

function requireRoom(key: string, { talkMinutes }: Budget, longestCallMs: number): void {
  if (talkMinutes === undefined || talkMinutes * 60_000 >= longestCallMs) return;
  throw invalid(
    `${key} ${talkMinutes} is less than longestCall ${formatDuration(longestCallMs)}, so that no call could begin: each has its longest length reserved. Give more minutes, or a shorter longestCall.`,
  );
}
