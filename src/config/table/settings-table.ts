import { title } from '../../domain/calling/policy.ts';
import { grouped } from '../../text/amounts.ts';
import { spokenDuration } from '../../text/times.ts';
import { CALLING_ROWS, PEOPLE_ROWS } from './setting-rows.ts';
import type { Row } from './row.ts';

const rows = { ...CALLING_ROWS, ...PEOPLE_ROWS };

export type SettingKey = keyof typeof rows;
/** The values of settings once they are read. */
export type SettingValues = {
  [K in SettingKey]?:
    | ((typeof rows)[K] extends { value?: infer T } ? T : never)
    | ((typeof rows)[K] extends { none: true } ? null : never)
    | undefined;
};
export type SettingFlag = {
  [K in SettingKey]: (typeof rows)[K] extends { flag: infer F extends string } ? F : never;
}[SettingKey];

/** Every setting of a campaign; files, flags, pages and docs are made from these rows. */
export const SETTINGS: Readonly<Record<SettingKey, Row>> = rows;
export const SETTING_ROWS = Object.entries(SETTINGS) as (readonly [SettingKey, Row])[];

/** The row of a key; undefined for another word. */
export function rowOf(key: string): Row | undefined {
  return Object.hasOwn(SETTINGS, key) ? SETTINGS[key as SettingKey] : undefined;
}

/** The group of keys that a key belongs to, such as `retry`; undefined: it stands alone. */
export function groupOf(key: string): string | undefined {
  const group = key.replace(/\..*/, '');
  return group !== key && rowOf(group)?.takes.is === 'group' ? group : undefined;
}

/** The parts of a group, such as `retry.gap` of `retry`; empty for any other key. */
export function partsOf(group: string): SettingKey[] {
  return SETTING_ROWS.map(([key]) => key).filter((key) => groupOf(key) === group);
}

/** True when a change of this key is followed within a second. */
export function isFollowed(key: string): boolean {
  return rowOf(groupOf(key) ?? key)?.holds === 'at once';
}

export function settingSentence(row: Row): string {
  return `${title(settingWords(row))}.`;
}

/** Its name on pages. */
export function labelOf({ label, help }: Row): string {
  return label ?? title(firstWords(help));
}

/** What `settingSentence` says beside its name: `1 to 20, or none`. */
export function boundsOf(row: Row): string {
  if (row.label !== undefined) return settingSentence(row);
  const rest = settingWords(row)
    .slice(firstWords(row.help).length)
    .replace(/^[,;: ]+/, '');
  return rest.replace(/^\(([^)]*)\)$/, '$1');
}

function firstWords(help: string): string {
  return help.replace(/[,;:(].*/, '').trim();
}

/** Help with the allowed values: `calls in progress at once (1 to 10,000)`. */
export function settingWords({ help, takes, such, byDefault, none }: Row): string {
  const orNone = none === true || byDefault === 'none' ? ', or none' : '';
  switch (takes.is) {
    case 'whole':
      return `${help} (${grouped(takes.min)} to ${grouped(takes.max)}${orNone})`;
    case 'duration':
      return `${help} (${takes.min} to ${takes.max}${orNone})`;
    case 'oneOf':
      return `${help} (${takes.of.join(', ').replace(/, (?=[^,]*$)/, ' or ')})`;
    case 'yesNo':
      return `${help} (yes or no)`;
    case 'group':
    case 'text':
    case 'own':
      return such === undefined ? help : `${help} (e.g. ${such})`;
  }
}

/** The values that a menu offers; undefined: the value is typed. */
export function choicesOf({ takes, texts }: Row) {
  const values = takes.is === 'oneOf' ? takes.of : takes.is === 'yesNo' ? ['yes', 'no'] : undefined;
  return values?.map((value) => ({ value, text: texts?.[value] ?? value }));
}

/** A value as pages and histories say it: `2 h`, not `2h`. Forms have the text that is typed. */
export function spokenValue(key: string, typed: string): string {
  return rowOf(key)?.texts?.[typed] ?? spokenDuration(typed);
}
