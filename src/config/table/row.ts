import type { z } from 'zod';
import type { OWN_READERS } from '../own-readers.ts';

/* The form of a row of settings-table.ts. Browsers load it too: nothing but words and bounds, no reader. */

type OwnReaders = typeof OWN_READERS;

/** What a value has to be; keys.ts has a reader for each. */
export type Takes =
  | { is: 'whole'; min: number; max: number }
  | { is: 'duration'; min: string; max: string }
  | { is: 'oneOf'; of: readonly string[] }
  | { is: 'yesNo' }
  | { is: 'text'; what: string }
  /** The key of a group takes only `none`. */
  | { is: 'group'; give: string }
  | { is: 'own'; reader: keyof OwnReaders };

export interface Row {
  takes: Takes;
  /** The default as it is typed, or words for it. */
  byDefault: string;
  /** What it does, in plain words: no capital in front and no full stop, which pages and the schema add. */
  help: string;
  group: SettingGroup;
  /** A value that would do. */
  such?: string;
  /** `none` is allowed although it is not the default. */
  none?: true;
  /** Its name on pages; left out: the beginning of `help`. */
  label?: string;
  /** Where pages have it; left out: under Expert by its group, or with the group of keys it is part of. */
  section?: Section;
  /** The flag, without dashes, and its letter. */
  flag?: string;
  alias?: string;
  /**
   * When a change takes effect: `at once`, within a second; `new run`, when a list is given (`set` does not take it).
   * Left out: as its group, or from the next run on.
   */
  holds?: 'at once' | 'new run';
  /** Why a page, or a program with a token, cannot set it. */
  onlyHere?: string;
  /** The texts of values in a menu. */
  texts?: Readonly<Record<string, string>>;
  /** Place in `CampaignSettings`; left out: the key. */
  at?: string;
}

export const SETTING_GROUPS = [
  'The campaign',
  'Calling',
  'When people are called',
  'Whom, and how often',
  'Results',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** The parts of all settings on pages, in this order; Expert has the rest. */
export const SECTIONS = ['When', 'How many', 'Again', 'Stop', 'What is said'] as const;
type Section = (typeof SECTIONS)[number];

/** @typeParam T what the value is once it is read: never there, but the types of values are made from it */
type Value<T> = Pick<Row, 'takes' | 'byDefault' | 'such'> & { value?: T };

export function whole<D extends string>(min: number, max: number, byDefault: D) {
  return value<number | None<D>>({ is: 'whole', min, max }, byDefault);
}

export function duration<D extends string>(min: string, max: string, byDefault: D) {
  return value<number | None<D>>({ is: 'duration', min, max }, byDefault);
}

export function oneOf<const V extends string>(of: readonly V[], byDefault: string) {
  return value<V>({ is: 'oneOf', of }, byDefault);
}

export function yesNo(byDefault: 'yes' | 'no') {
  return value<boolean>({ is: 'yesNo' }, byDefault);
}

export function text(what: string, byDefault: string) {
  return value<string>({ is: 'text', what }, byDefault);
}

/** The key of a group, whose parts are rows of their own. */
export function group(give: string) {
  return value<null>({ is: 'group', give }, 'none');
}

export function own<K extends keyof OwnReaders>(reader: K, such: string, byDefault: string) {
  return value<z.output<OwnReaders[K]>>({ is: 'own', reader }, byDefault, such);
}

/** A row for each of several keys of a group. */
export function each<const P extends string, const K extends string, R>(
  prefix: P,
  keys: readonly K[],
  make: (key: K) => R,
) {
  const rows = Object.fromEntries(keys.map((key) => [`${prefix}.${key}`, make(key)]));
  return rows as { [Key in `${P}.${K}`]: R };
}

/** Where pages have it, and by which name. */
export const named = (section: Section, label: string) => ({ section, label });

export function inGroup<const R extends Readonly<Record<string, Omit<Row, 'group'>>>>(
  group: SettingGroup,
  rows: R,
) {
  return Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { ...row, group }])) as {
    [K in keyof R]: R[K] & Row;
  };
}

type None<D> = 'none' extends D ? null : never;

function value<T>(takes: Takes, byDefault: string, such?: string): Value<T> {
  return { takes, byDefault, ...(such !== undefined && { such }) };
}
