import {
  WEEKDAYS,
  weekText,
  type CallingLimits,
  type Cap,
  type DayWindows,
  type Weekday,
  type WeekHours,
} from '../../domain/calling/policy.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time-units.ts';
import { nearest } from '../../text/nearest.ts';
import { formatDuration, isDay } from '../../text/times.ts';
import { counted } from '../../text/wording.ts';
import { durationIn } from '../fields.ts';
import { GRADES, type Field, type Figure, type Group, type YamlReader } from './rule-file.ts';

const FORM = 'a time span such as 09:00-20:00, several with commas in between, or closed';

/**
 * The windows of a week, from keys such as `mon-fri` and `sat`. Every weekday must be named once, so that no day is
 * open or closed by oversight.
 * @param other keys of the group that are not days
 * @returns undefined if there are problems, which the reader has
 */
function readHours(
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

const PROVENANCE = ['source', 'grade', 'checked'];
/** Keys of a group of limits. */
export const LIMITS = ['hours', 'caps', 'afterConversation', 'afterRefusal', 'duties'];
const MOST_CALLS = 1_000;

/**
 * The limits in a group, which is the file or one of its regions; a limit with problems is left out, as the file is
 * refused.
 * @param region in front of the figures' places: `US-FL `, or nothing
 */
export function readLimits(
  reader: YamlReader,
  { fields }: Group,
  region: string,
  figures: Figure[],
) {
  const limits: CallingLimits = {
    hours: null,
    caps: [],
    afterConversationMs: null,
    afterRefusalMs: null,
  };
  const hours = fields.get('hours');
  if (hours !== undefined) {
    const group = reader.group(hours, null);
    limits.hours = readHours(reader, group, PROVENANCE) ?? null;
    const value = limits.hours === null ? '' : weekText(limits.hours);
    figures.push({ where: `${region}hours`, value, ...provenance(reader, group) });
  }
  const caps = fields.get('caps');
  const places = caps === undefined ? [] : reader.items(caps);
  limits.caps = places.flatMap((place) => readCap(reader, place, region, figures) ?? []);
  limits.afterConversationMs = readSilence(reader, fields, 'afterConversation', region, figures);
  limits.afterRefusalMs = readSilence(reader, fields, 'afterRefusal', region, figures);
  const duties = fields.get('duties');
  for (const place of duties === undefined ? [] : reader.items(duties)) {
    const group = reader.group(place, ['duty', ...PROVENANCE]);
    const value = reader.required(group, 'duty', 'what the caller has to do', String);
    if (value !== undefined)
      figures.push({ where: `${region}duties`, value, ...provenance(reader, group) });
  }
  return limits;
}

/** Source and grade of a figure; without them, in an operator's own file, it is graded as a judgement. */
export function provenance(
  reader: YamlReader,
  group: Group,
): Pick<Figure, 'source' | 'grade' | 'checked'> {
  const grades = `a grade; the grades are ${GRADES.join(', ')}`;
  const gradeOf = (text: string) => GRADES.find((one) => one === text);
  return {
    source:
      reader.optional(group, 'source', 'where the figure is from', String) ?? 'no source given',
    grade: reader.optional(group, 'grade', grades, gradeOf) ?? 'J',
    checked: readChecked(reader, group) ?? reader.checked,
  };
}

export function readChecked(reader: YamlReader, group: Group): string | undefined {
  const dayIn = (text: string) => (isDay(text) ? text : undefined);
  return reader.optional(group, 'checked', 'a day such as 2026-11-23', dayIn);
}

/** A duration within bounds, ms. */
export function readDuration(
  reader: YamlReader,
  group: Group,
  key: string,
  [least, most]: readonly [least: number, most: number],
): number | undefined {
  const allowed = `a time from ${formatDuration(least)} to ${formatDuration(most)}, such as 24h or 7d`;
  return reader.required(group, key, allowed, (text) => durationIn(text, least, most));
}

function readCap(
  reader: YamlReader,
  place: Field,
  region: string,
  figures: Figure[],
): Cap | undefined {
  const group = reader.group(place, ['calls', 'per', ...PROVENANCE]);
  if (!group.isGroup) return undefined;
  const calls = reader.required(group, 'calls', CALLS, callsIn);
  const perMs = readDuration(reader, group, 'per', [HOUR_MS, 366 * DAY_MS]);
  const from = provenance(reader, group);
  if (calls === undefined || perMs === undefined) return undefined;
  const value = `${counted(calls, 'call')} per ${periodText(perMs)}`;
  figures.push({ where: `${region}caps`, value, ...from });
  return { calls, perMs };
}

const CALLS = `a whole number of calls from 1 to ${MOST_CALLS}; to call nobody, pause the campaign or close the hours`;

function callsIn(text: string): number | undefined {
  const calls = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return calls >= 1 && calls <= MOST_CALLS ? calls : undefined;
}

function readSilence(
  reader: YamlReader,
  fields: Group['fields'],
  key: 'afterConversation' | 'afterRefusal',
  region: string,
  figures: Figure[],
): number | null {
  const field = fields.get(key);
  if (field === undefined) return null;
  const group = reader.group(field, ['silence', ...PROVENANCE]);
  if (!group.isGroup) return null;
  const ms = readDuration(reader, group, 'silence', [HOUR_MS, 3_650 * DAY_MS]);
  const from = provenance(reader, group);
  if (ms === undefined) return null;
  figures.push({ where: `${region}${key}`, value: `no call for ${periodText(ms)}`, ...from });
  return ms;
}

/** A period as the rules say it: `24h` is that and not `1d`. */
export function periodText(ms: number): string {
  return ms === DAY_MS ? '24h' : formatDuration(ms);
}
