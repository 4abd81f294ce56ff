import {
  WEEKDAYS,
  type DayWindows,
  type WeekHours,
  type Weekday,
} from '../../domain/calling/policy.ts';
import { nearest } from '../../text/nearest.ts';
import type { Field, Group, YamlReader } from './yaml-reader.ts';

const FORM = 'a time span such as 09:00-20:00, several with commas in between, or closed';

/**
 * The windows of a week, out of keys such as `mon-fri` and `sat`. Every weekday has to be named once, so that no day is
 * open, or closed, because somebody forgot it.
 *
 * @param other keys of the group that are not days
 * @returns undefined if there are problems, which the reader has
 */
export function readHours(
  reader: YamlReader,
  group: Group,
  other: readonly string[],
): WeekHours | undefined {
  if (!group.isGroup) return undefined;
  const before = reader.problems.length;
  const week = new Map<Weekday, DayWindows>();
  const named = new Map<Weekday, string>();
  let holidays: DayWindows | null = null;
  for (const field of group.fields.values()) {
    if (other.includes(field.key)) continue;
    const windows = readWindows(reader, field);
    if (field.key === 'holidays') holidays = windows;
    for (const day of field.key === 'holidays' ? [] : daysOf(reader, field)) {
      const earlier = named.get(day);
      if (earlier !== undefined) {
        const sentence = `${field.dotted} names ${day} a second time (it is in "${earlier}"); name every day once.`;
        reader.wrong(field.keyAt, sentence);
      }
      named.set(day, field.key);
      week.set(day, windows);
    }
  }
  const missing = WEEKDAYS.filter((day) => !named.has(day));
  // A mistake in the name of a day makes that day missing as well: the mistake alone is said.
  if (missing.length > 0 && reader.problems.length === before) {
    const sentence = `${group.dotted} does not name ${missing.join(', ')}; give their hours, or closed.`;
    reader.wrong(group.at, sentence);
  }
  if (reader.problems.length > before) return undefined;
  return { week: Object.fromEntries(week) as Record<Weekday, DayWindows>, holidays };
}

function daysOf(reader: YamlReader, { key, dotted, keyAt }: Field): Weekday[] {
  const [first = '', last = first, ...rest] = key.split('-');
  const [from, to] = [first, last].map((day) => WEEKDAYS.findIndex((known) => known === day));
  if (from === undefined || to === undefined || rest.length > 0 || from < 0 || to < 0) {
    const near = nearest(key, [...WEEKDAYS, 'holidays', 'source', 'grade', 'checked']);
    const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
    const allowed = `the days are ${WEEKDAYS.join(', ')}, ranges such as mon-fri, and holidays`;
    reader.wrong(keyAt, `"${dotted}" is not a key${meant}; ${allowed}.`);
    return [];
  }
  if (from > to) {
    const sentence = `"${dotted}" runs over the end of the week; name the days as two ranges, mon to sun.`;
    reader.wrong(keyAt, sentence);
    return [];
  }
  return WEEKDAYS.slice(from, to + 1);
}

function readWindows(reader: YamlReader, field: Field): DayWindows {
  const text = reader.text(field, FORM);
  if (text === undefined || text === 'closed') return [];
  const windows: [number, number][] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    const match = /^(\d\d?):(\d\d)\s*-\s*(\d\d?):(\d\d)$/.exec(part);
    const [from, to] = [minutesOf(match?.[1], match?.[2]), minutesOf(match?.[3], match?.[4])];
    const trouble = troubleOf(part, from, to, windows.at(-1)?.[1] ?? 0);
    if (trouble !== undefined) {
      reader.wrong(field.valueAt, `${field.dotted} "${text}": ${trouble}.`);
      return [];
    }
    windows.push([from, to]);
  }
  return windows;
}

function troubleOf(part: string, from: number, to: number, open: number): string | undefined {
  if (Number.isNaN(from) || Number.isNaN(to))
    return `"${part}" is not ${FORM}, with times from 00:00 to 24:00`;
  if (from === to)
    return `"${part}" is empty: it ends when it begins; write a later end, or closed for the day`;
  if (from > to)
    return `"${part}" ends before it begins; hours of a person do not cross midnight, so write a later end`;
  if (from < open)
    return `"${part}" begins before the span in front of it ends; write the spans in order, without overlap`;
  return undefined;
}

function minutesOf(hour?: string, minute?: string): number {
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= 1_440 ? minutes : NaN;
}
