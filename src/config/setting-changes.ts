import type { CampaignSettings, RequiredVariables, SkipCalled } from '../domain/campaign.ts';
import { formatDays } from '../domain/calling/policy.ts';
import type { Budget } from '../domain/nights/budget.ts';
import { formatDuration } from '../text/times.ts';
import { formatHours, formatRetry, formatStop } from './calling-settings.ts';
import { formatNotify } from './notify.ts';
import { formatPace } from './fields.ts';
import { groupOf, SETTING_ROWS, SETTINGS, type SettingKey } from './table/settings-table.ts';

export interface SettingChange {
  key: string;
  from: string;
  to: string;
  source: string;
}

/**
 * The settings that differ from the stored ones, as text (`20`, `60/min`, `none`, a group as one), each with its
 * source: `spring.yaml:9`, `flag --concurrency`, `flag --set`, or the key that determines it: `follows concurrency`.
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

/** Rules with the same names and other content: a file was edited, or callsheet was updated. */
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

/** The value at a place of settings such as `polling.floorMs`; undefined where it was not set. */
export function settingAt(settings: object | undefined, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], settings);
}

/** Printers of values that `String` does not write as they are typed. */
const PRINTERS: Partial<Record<string, (value: never) => string>> = {
  duration: formatDuration,
  maxAge: formatDuration,
  skipCalled: (value: SkipCalled) => (value === 'ever' ? value : formatDuration(value)),
  pace: formatPace,
  yesNo: (value: boolean) => (value ? 'yes' : 'no'),
  lists: (value: readonly string[]) => value.join(', '),
  notify: formatNotify,
  days: formatDays,
  money: ({ amount, currency }: NonNullable<Budget['cost']>) => `${amount} ${currency}`,
  variables: ({ from, columns }: RequiredVariables) =>
    from === 'prompt' ? 'require' : (columns ?? []).join(),
  hours: formatHours,
  retry: formatRetry,
  stop: formatStop,
};

/** A setting as the text that would set it, a group as one. */
export function printSetting(key: SettingKey, settings: Partial<CampaignSettings>): string {
  const { takes, byDefault, at = key } = SETTINGS[key];
  const value = settingAt(settings, at);
  if (value === undefined) return byDefault;
  if (value === null) return key === 'results.file' ? 'default' : 'none';
  const kind = takes.is === 'own' ? takes.reader : takes.is === 'group' ? key : takes.is;
  const print = PRINTERS[kind];
  return print === undefined ? (value as string | string[]).toString() : print(value as never);
}

/**
 * Every setting of a stored campaign as the text that would set it.
 *
 * @param hasParts with the parts of each group that is set, such as `retry.gap`, too; default: the group alone
 */
export function printSettings(
  settings: CampaignSettings,
  hasParts = false,
): Record<string, string> {
  const shown = SETTING_ROWS.filter(([key, { group }]) => {
    const whole = groupOf(key);
    const isSet = whole === undefined || (hasParts && settingAt(settings, whole) !== undefined);
    return group !== 'The campaign' && isSet;
  });
  return Object.fromEntries(
    shown.map(([key, { none, at = key }]) => {
      // Of a group that is set, what may be none and is left out is none, whatever a new group would have.
      const isNone =
        none === true && groupOf(key) !== undefined && settingAt(settings, at) === undefined;
      return [key, isNone ? 'none' : printSetting(key, settings)];
    }),
  );
}
