import type { CampaignSettings } from '../domain/campaign.ts';
import { MOST_REFUSALS } from '../domain/refused-dials.ts';
import { formatDuration } from '../text/durations.ts';
import { formatHours, formatRetry } from './calling/calling-text.ts';
import { formatStop } from './nights/stop-settings.ts';
import { formatNotify } from './notify.ts';
import { printSources } from './list-sources.ts';
import { formatPace } from './parse-pace.ts';

export interface SettingChange {
  key: string;
  from: string;
  to: string;
  source: string;
}

/**
 * The settings that differ from the stored ones, as text (`20`, `60/min`, `none`, a group as one), each with its source:
 * `spring.yaml:9`, `flag --concurrency`, `flag --set`, or the key that determines it: `follows concurrency`.
 */
export function settingChanges(
  stored: CampaignSettings,
  settings: CampaignSettings,
  sourceOf: (key: string) => string,
): SettingChange[] {
  const before = printSettings(stored);
  const after = printSettings(settings);
  const changes = Object.entries(after).flatMap(([key, to]) => {
    const from = before[key] ?? '';
    return from === to ? [] : [{ key, from, to, source: sourceOf(key) }];
  });
  return [...changes, ...ruleChanges(stored, settings, changes)];
}

/** What the rules come to has changed although the same ones are chosen: a file was edited, or callsheet was updated. */
function ruleChanges(
  stored: CampaignSettings,
  settings: CampaignSettings,
  others: readonly SettingChange[],
): SettingChange[] {
  const edited = (key: string): SettingChange => {
    return { key, from: 'old content', to: 'new content', source: 'its file changed' };
  };
  const before = stored.policy?.rules ?? [];
  const rules = (settings.policy?.rules ?? []).filter((rule) => {
    const old = before.find(({ name }) => name === rule.name);
    return old !== undefined && !isSame(old, rule);
  });
  const [old, now] = [stored, settings].map(({ policy }) => policy?.zoneOverrides);
  const isMended = old !== undefined && now !== undefined && !isSame(old, now);
  const changes = [
    ...rules.map(({ name }) => edited(`rules ${name}`)),
    ...(isMended ? [edited('zone-overrides.yaml')] : []),
  ];
  if (others.length > 0 || changes.length > 0) return changes;
  const isAsBefore =
    isSame(stored.policy, settings.policy) && isSame(stored.listAges, settings.listAges);
  return isAsBefore ? [] : [edited('rules')];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Formats `skipCalled` as `30d`, `ever` or `none`. */
export function formatSkipCalled(skip: CampaignSettings['skipCalled']): string {
  if (skip === undefined) return 'none';
  return skip === 'ever' ? skip : formatDuration(skip);
}

function formatMaxAge(ms: number | null | undefined): string {
  if (ms === undefined) return 'as rules say';
  return ms === null ? 'none' : formatDuration(ms);
}

/** Every setting as the text that would set it. */
export function printSettings(settings: CampaignSettings): Record<string, string> {
  return {
    agent: settings.agent,
    country: settings.country ?? 'none',
    timezone: settings.timezone,
    concurrency: String(settings.concurrency),
    pace: settings.pace === null ? 'none' : formatPace(settings.pace),
    requests: String(settings.requests),
    rules: settings.rules.join(','),
    hours: formatHours(settings.hours),
    holidays: settings.holidays?.join(',') ?? 'none',
    'zones.unknown': settings.unknownZones ?? 'skip',
    ringTime: formatDuration(settings.ringTimeMs ?? 60_000),
    retry: formatRetry(settings.retry),
    'polling.floor': formatDuration(settings.polling.floorMs),
    'polling.ceiling': formatDuration(settings.polling.ceilingMs),
    'polling.deadline': formatDuration(settings.polling.deadlineMs),
    longestCall: formatDuration(settings.longestCallMs),
    'unknown.reconcileFor': formatDuration(settings.reconcileForMs),
    'numbers.unassigned': settings.numbers?.unassigned ?? 'accept',
    'numbers.tollFree': settings.numbers?.tollFree ?? 'refuse',
    'numbers.extension': settings.numbers?.extension ?? 'refuse',
    refusals: String(settings.refusals ?? MOST_REFUSALS),
    'suppression.maxAge': formatMaxAge(settings.suppressionMaxAgeMs),
    skipCalled: formatSkipCalled(settings.skipCalled),
    variables:
      settings.variables?.from === 'prompt'
        ? 'require'
        : (settings.variables?.columns?.join(',') ?? 'none'),
    ...printSources(settings.sources),
    schedule: settings.schedule ?? 'none',
    stop: formatStop(settings.stop),
    weight: String(settings.weight ?? 1),
    notify: formatNotify(settings.notify),
    'results.file': settings.results.file ?? 'default',
    'results.format': settings.results.format,
  };
}
