import { formatDays } from '../domain/calling/policy.ts';
import { RETRY_RESULTS, type RetryPolicy, type RetryResult } from '../domain/calling/retry.ts';
import type { CampaignSettings, ListAge, RequiredVariables } from '../domain/campaign.ts';
import type { Budget, Stop } from '../domain/nights/budget.ts';
import { formatDuration, spokenDuration } from '../text/times.ts';
import { counted } from '../text/wording.ts';
import { invalid } from './campaign-file.ts';
import { readDefault, type CampaignValues } from './keys.ts';
import { composePolicy } from './rules/compose-policy.ts';
import { allParts, loadRule } from './rules/load-rule.ts';
import type { RuleFile } from './rules/rule-file.ts';
import { loadZoneOverrides } from './rules/zone-overrides.ts';

/** Defaults of `retry`; `attempts` has none, as `retry` is about their number. */
const DEFAULT_RETRY = {
  perDay: readDefault('retry.perDay'),
  gapMs: readDefault('retry.gap'),
  after: Object.fromEntries(
    RETRY_RESULTS.map((result) => [result, readDefault(`retry.after.${result}`)] as const).filter(
      ([, delay]) => delay !== null,
    ),
  ),
  otherTimeOfDay: readDefault('retry.otherTimeOfDay'),
  lastDay: readDefault('retry.lastDay'),
  alternatives: readDefault('retry.alternatives'),
} satisfies Partial<Record<keyof RetryPolicy, unknown>>;

/** Flags over file; in a group, `none` of one takes the other's parts away. */
export function layered(file: CampaignValues | undefined, flags: CampaignValues): CampaignValues {
  const below = { ...file };
  for (const group of ['hours', 'retry', 'stop'] as const) {
    const parts = partsOf(flags, group);
    if (flags[group] === null) for (const part of partsOf(below, group)) below[part] = undefined;
    else if (parts.length > 0 && below[group] === null) below[group] = undefined;
    const [part] = parts;
    if (flags[group] === null && part !== undefined)
      throw invalid(`${group} is none, and ${part} is given as well; give one of the two.`);
  }
  return { ...below, ...defined(flags) };
}

/** @throws AppError `SETTING_INVALID` when a window has one end only, or no length */
export function hoursOf(
  values: CampaignValues,
  stored: CampaignSettings['hours'],
): CampaignSettings['hours'] {
  const given = partsOf(values, 'hours');
  if (values.hours === null) return undefined;
  if (given.length === 0) return stored;
  const days = values['hours.days'] ?? stored?.days;
  const from = values['hours.from'] ?? stored?.from;
  const to = values['hours.to'] ?? stored?.to;
  if ((from === undefined) !== (to === undefined)) {
    const missing = from === undefined ? 'hours.from' : 'hours.to';
    throw invalid(`${given[0] ?? ''} is given without ${missing}; hours need both ends.`);
  }
  if (from !== undefined && from === to) {
    throw invalid(
      `hours.from and hours.to are both ${from}; give two times, or 00:00 and 24:00 for the whole day.`,
    );
  }
  return { from: from ?? '00:00', to: to ?? '24:00', ...(days !== undefined && { days }) };
}

/**
 * The file's `retry.after` is the whole list of results that are retried; a flag changes single results of the list.
 *
 * @throws AppError `SETTING_INVALID` for parts without `retry.attempts`, and when no result is retried
 */
export function retryOf(
  values: CampaignValues,
  file: CampaignValues | undefined,
  stored: RetryPolicy | undefined,
): RetryPolicy | undefined {
  const [given] = partsOf(values, 'retry');
  if (values.retry === null) return undefined;
  if (given === undefined) return stored;
  const attempts = values['retry.attempts'] ?? stored?.attempts;
  if (attempts === undefined) {
    throw invalid(
      `${given} is given without retry.attempts; give it, too, e.g. 3: without it everybody is called once.`,
    );
  }
  const base = stored ?? DEFAULT_RETRY;
  const retry: RetryPolicy = {
    attempts,
    perDay: orElse(values['retry.perDay'], base.perDay),
    gapMs: values['retry.gap'] ?? base.gapMs,
    after: afterOf(values, file, stored),
    otherTimeOfDay: values['retry.otherTimeOfDay'] ?? base.otherTimeOfDay,
    lastDay: orElse(values['retry.lastDay'], base.lastDay),
    alternatives: orElse(values['retry.alternatives'], base.alternatives),
  };
  if (attempts > 1 && Object.keys(retry.after).length === 0) {
    throw invalid(
      'retry.after names no result after which a person is called again; give one, e.g. retry.after.no_answer 2h, or retry none.',
    );
  }
  return retry;
}

function afterOf(
  values: CampaignValues,
  file: CampaignValues | undefined,
  stored: RetryPolicy | undefined,
): RetryPolicy['after'] {
  const listed = (of: CampaignValues) =>
    RETRY_RESULTS.some((result) => of[`retry.after.${result}`] !== undefined);
  const base =
    file !== undefined && listed(file)
      ? {}
      : (stored?.after ?? (listed(values) ? {} : DEFAULT_RETRY.after));
  const after: Partial<Record<RetryResult, number>> = {};
  for (const result of RETRY_RESULTS) {
    const ms = orElse(values[`retry.after.${result}`], (base as RetryPolicy['after'])[result]);
    if (ms !== undefined && ms !== null) after[result] = ms;
  }
  return after;
}

type Group = 'hours' | 'retry' | 'stop';
type PartOf<G extends Group> = Extract<keyof CampaignValues, `${G}.${string}`>;

/** The parts of a group that are given. */
function partsOf<G extends Group>(values: CampaignValues, group: G): PartOf<G>[] {
  const keys = Object.keys(defined(values)) as (keyof CampaignValues)[];
  return keys.filter((key): key is PartOf<G> => key.startsWith(`${group}.`));
}

function defined(values: CampaignValues): CampaignValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Only the settings that have a value; the rest are left out, so that their defaults apply. */
export function chosen<T extends object>(given: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(set) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Like `??`, except that null counts as a value: `none` removes a stored setting. */
export function orElse<T, S>(given: T | undefined, stored: S): T | S {
  return given === undefined ? stored : given;
}

/** `require` given again keeps what the prompt needed when it was read last; not with another agent. */
export function requiredOf(
  given: RequiredVariables | null | undefined,
  stored: RequiredVariables | undefined,
  isSameAgent: boolean,
): RequiredVariables | null | undefined {
  const isPrompt = stored?.from === 'prompt';
  const wanted = given ?? (isPrompt && given === undefined ? { ...stored, columns: null } : null);
  if (isPrompt && wanted?.from === 'prompt') return isSameAgent ? stored : wanted;
  return orElse(given, stored);
}

/**
 * Settings with the policy of their rules, hours and holidays. An operator's own rule is kept by its path, so that the
 * campaign can be run by name, too.
 * @param beside and `home`: see `loadRule`
 */
export function withPolicy(given: CampaignSettings, beside?: string, home?: string) {
  const named = given.rules.map((name) => loadRule(name, beside, home));
  const ruleFiles = allParts(named);
  const settings: CampaignSettings = {
    ...given,
    rules: named.map(({ rule, path, shipped }) => (shipped ? rule.name : path)),
  };
  const policy = composePolicy(ruleFiles, settings, loadZoneOverrides());
  if (policy === undefined) delete settings.policy;
  else settings.policy = policy;
  const listAges = agesOf(ruleFiles);
  delete settings.listAge;
  if (listAges.length === 0) delete settings.listAges;
  else settings.listAges = listAges;
  return { settings, ruleFiles };
}

/** A rule that holds for one country alone names its registry as a duty; see `local`. */
function agesOf(files: readonly RuleFile[]): ListAge[] {
  return files.flatMap(({ rule, listAge, appliesTo }) => {
    if (listAge === null || rule.only !== undefined) return [];
    const { ms, registry, byArea } = listAge;
    return [{ ms, by: rule.name, registry, areasOf: byArea ? appliesTo : null }];
  });
}

/** The operator's own hours: `18:00-21:00 mon-fri`, or `none`. */
export function formatHours(hours: CampaignSettings['hours']): string {
  if (hours === undefined) return 'none';
  return [`${hours.from}-${hours.to}`, ...(hours.days ? [formatDays(hours.days)] : [])].join(' ');
}

/** `3 calls in all, at most 2 a day, 2 h apart; after no answer 2 h, busy 30 min`; `none`: everybody is called once. */
export function formatRetry(retry: RetryPolicy | undefined): string {
  if (retry === undefined) return 'none';
  const { attempts, perDay, gapMs, after, otherTimeOfDay, lastDay, alternatives } = retry;
  const text = (ms: number) => spokenDuration(formatDuration(ms));
  const delays = RETRY_RESULTS.flatMap((result) => {
    const ms = after[result];
    return ms === undefined ? [] : [`${result.replace('_', ' ')} ${text(ms)}`];
  });
  const often = [
    `${counted(attempts, 'call')} in all`,
    ...(perDay === null ? [] : [`at most ${perDay} a day`]),
  ];
  return [
    often.join(', '),
    ...(delays.length === 0 ? [] : [`after ${delays.join(', ')}`]),
    // The later of both holds.
    ...(gapMs === 0 ? [] : [`${delays.length === 0 ? '' : 'but '}at least ${text(gapMs)} apart`]),
    ...(otherTimeOfDay ? ['at another time of day'] : []),
    ...(lastDay === null ? [] : [`until ${lastDay}`]),
    ...(alternatives === null ? [] : [`their next number after ${counted(alternatives, 'call')}`]),
  ].join('; ');
}

/**
 * Budgets from flags and file over stored ones; `none` removes one, or all.
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

/** `500 calls, 40 EUR a night, until 20:30; in all 5,000 calls`, or `none`. */
export function formatStop(stop: Stop | undefined): string {
  if (stop === undefined) return 'none';
  const { total, at, ...night } = stop;
  const parts = budgetParts(night).join(', ');
  const nightly = [
    ...(parts === '' ? [] : [`${parts} a night`]),
    ...(at === undefined ? [] : [`until ${at}`]),
  ].join(', ');
  const inAll = total === undefined ? [] : [`in all ${budgetParts(total).join(', ')}`];
  return [...(nightly === '' ? [] : [nightly]), ...inAll].join('; ');
}

function budgetParts({ calls, talkMinutes, cost, answered }: Budget): string[] {
  return [
    ...(calls === undefined ? [] : [counted(calls, 'call')]),
    ...(talkMinutes === undefined ? [] : [counted(talkMinutes, 'minute talked', 'minutes talked')]),
    ...(cost === undefined ? [] : [`${cost.amount} ${cost.currency}`]),
    ...(answered === undefined ? [] : [counted(answered, 'answered call')]),
  ];
}

function budgetOf(values: CampaignValues, group: 'stop' | 'stop.total', stored: Budget): Budget {
  const given = {
    calls: orElse(values[`${group}.calls`], stored.calls),
    talkMinutes: orElse(values[`${group}.talkMinutes`], stored.talkMinutes),
    cost: orElse(values[`${group}.cost`], stored.cost),
    answered: orElse(values[`${group}.answered`], stored.answered),
  };
  return chosen(given);
}

function requireRoom(key: string, { talkMinutes }: Budget, longestCallMs: number): void {
  if (talkMinutes === undefined || talkMinutes * 60_000 >= longestCallMs) return;
  throw invalid(
    `${key} ${talkMinutes} is less than longestCall ${formatDuration(longestCallMs)}, so that no call could begin: each has its longest length reserved. Give more minutes, or a shorter longestCall.`,
  );
}
