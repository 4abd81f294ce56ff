import { z } from 'zod';
import { yesOrNo } from './calling-fields.ts';
import * as field from './fields.ts';
import { orNone, read } from './fields.ts';
import { OWN_READERS } from './own-readers.ts';
import type { Row } from './table/row.ts';
import {
  rowOf,
  SETTING_ROWS,
  SETTINGS,
  type SettingKey,
  type SettingValues,
} from './table/settings-table.ts';
import { nearest } from '../text/nearest.ts';
import { someOf } from '../text/wording.ts';

function readerOf({ takes, byDefault, none }: Row): z.ZodType {
  switch (takes.is) {
    case 'own':
      return OWN_READERS[takes.reader];
    case 'yesNo':
      return yesOrNo;
    case 'text':
      return field.text(takes.what);
    case 'oneOf':
      return field.oneOf(takes.of);
    case 'group':
      return orNone(read(`is not none; give ${takes.give}`, () => undefined));
    case 'whole':
    case 'duration': {
      const end = none === true || byDefault === 'none' ? ', or none' : '';
      const reader = takes.is === 'whole' ? field.whole(takes, end) : field.duration(takes, end);
      return end === '' ? reader : orNone(reader);
    }
  }
}

/** Every key of a campaign file, of `--set` and of the flags that set the same things. */
const readers = z
  .strictObject(Object.fromEntries(SETTING_ROWS.map(([key, row]) => [key, readerOf(row)])))
  .partial();

/** All known keys, dotted if they are in a group. */
export const CAMPAIGN_KEYS: readonly SettingKey[] = SETTING_ROWS.map(([key]) => key);

export type CampaignValues = SettingValues;
export type CampaignKey = SettingKey;

/** A key and its value as the operator wrote it. */
export interface GivenValue {
  key: string;
  value: unknown;
}

export interface KeyProblem {
  key: string;
  sentence: string;
  /** True when the key is wrong, false when its value is. */
  aboutKey: boolean;
}

/** Reads dotted keys into values. @returns the values, and a sentence for each key that is unknown or out of bounds */
export function readCampaignKeys(given: readonly GivenValue[]): {
  values: CampaignValues;
  problems: KeyProblem[];
} {
  const problems: KeyProblem[] = [];
  const known = new Map<string, unknown>();
  for (const { key, value } of given) {
    if (rowOf(key) !== undefined) known.set(key, value);
    else problems.push({ key, sentence: unknownKey(key, CAMPAIGN_KEYS), aboutKey: true });
  }
  // Compiled, the schema of all settings would take longer at a start than to follow it a few times.
  const result = readers.safeParse(Object.fromEntries(known), { jitless: true });
  if (result.success) return { values: result.data, problems };
  // Messages do not show the value of notify, because an address of a chat is a secret.
  known.delete('notify');
  return { values: {}, problems: [...problems, ...sentences(result.error, known)] };
}

/** The default of a setting; its row gives it as it would be typed. */
export function readDefault<K extends SettingKey>(key: K): Exclude<SettingValues[K], undefined> {
  const { values, problems } = readCampaignKeys([{ key, value: SETTINGS[key].byDefault }]);
  if (problems.length > 0) throw new Error(`${key} has no default that can be read.`);
  return values[key] as Exclude<SettingValues[K], undefined>;
}

/** One sentence for each problem: what was found and what is allowed. */
export function sentences(error: z.ZodError, values: ReadonlyMap<string, unknown>): KeyProblem[] {
  return error.issues.map((issue) => {
    const [key, index] = issue.path.map(String) as [string, string | undefined];
    const value = values.get(key);
    const found =
      index !== undefined && Array.isArray(value) ? (value[Number(index)] as unknown) : value;
    const end = issue.message.endsWith('?') ? '' : '.';
    return { key, sentence: `${key}${quoted(found)} ${issue.message}${end}`, aboutKey: false };
  });
}

/** So many letters of a key say which group is meant. */
const MEANT_BY = 4;
const MOST_KEYS = 12;

/** "X is not a key; did you mean Y?", else keys that begin like it or stand beside it. */
export function unknownKey(key: string, known: readonly string[]): string {
  const inside = known.filter((candidate) => candidate.startsWith(`${key}.`));
  if (inside.length > 0) return `"${key}" is a group of keys: ${inside.join(', ')}.`;
  const last = known.filter((candidate) => candidate.split('.').at(-1) === key);
  const near = last.length === 1 ? last[0] : nearest(key, known);
  const start = key.slice(0, Math.max(MEANT_BY, key.lastIndexOf('.') + 1));
  const like = known.filter((candidate) => candidate.startsWith(start));
  return near !== undefined
    ? `"${key}" is not a key; did you mean "${near}"?`
    : like.length > 0
      ? `"${key}" is not a key; did you mean one of ${someOf(like, MOST_KEYS)}?`
      : `"${key}" is not a key; the keys are ${someOf(known, MOST_KEYS)}.`;
}

function quoted(value: unknown): string {
  // A group shows nothing: it may hold an address or a key.
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (value === undefined || isGroup) return '';
  const shown = typeof value === 'string' ? `"${withoutPassword(value)}"` : JSON.stringify(value);
  return ` ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`;
}

/** Hides a password in an address, so that messages do not repeat it. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@\s]*@/, '//…@');
}
