import type { CallingLimits, Cap } from '../../domain/calling/policy.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time-units.ts';
import { formatDuration, parseDuration } from '../../text/durations.ts';
import { counted } from '../../text/plural.ts';
import { isCalendarDate } from './calendar-date.ts';
import { readHours } from './read-hours.ts';
import { GRADES, type Figure } from './rule-file.ts';
import { weekText } from '../../domain/calling/week-text.ts';
import type { Field, Group, YamlReader } from './yaml-reader.ts';

const PROVENANCE = ['source', 'grade', 'checked'];
/** Keys of a group of limits. */
export const LIMITS = ['hours', 'caps', 'afterConversation', 'afterRefusal', 'duties'];
const MOST_CALLS = 1_000;

/**
 * The limits in a group, which is the file or one of its regions; a limit with problems is left out, as the file is refused.
 *
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
    const duty = group.fields.get('duty');
    const value = duty && reader.text(duty, 'what the caller has to do');
    if (group.isGroup && duty === undefined)
      reader.wrong(group.at, `${group.dotted} has no duty; say in it what the caller has to do.`);
    if (value !== undefined)
      figures.push({ where: `${region}duties`, value, ...provenance(reader, group) });
  }
  return limits;
}

/** Where a figure is from. An operator's own file may leave it out: it is then graded as a judgement. */
export function provenance(
  reader: YamlReader,
  { fields }: Group,
): Pick<Figure, 'source' | 'grade' | 'checked'> {
  const [source, grade, checked] = PROVENANCE.map((key) => fields.get(key));
  const known = grade && reader.text(grade, `one of ${GRADES.join(', ')}`);
  if (grade && known !== undefined && !GRADES.some((one) => one === known))
    reader.wrong(
      grade.valueAt,
      `${grade.dotted} "${known}" is not a grade; the grades are ${GRADES.join(', ')}.`,
    );
  const day = readChecked(reader, checked);
  return {
    source: (source && reader.text(source, 'where the figure is from')) ?? 'no source given',
    grade: GRADES.find((one) => one === known) ?? 'J',
    checked: day ?? reader.checked,
  };
}

/** The day on which a source was looked up. */
export function readChecked(reader: YamlReader, field: Field | undefined): string | undefined {
  const day = field && reader.text(field, 'a day such as 2026-11-23');
  if (field && day !== undefined && !isCalendarDate(day))
    reader.wrong(field.valueAt, `${field.dotted} "${day}" is not a day such as 2026-11-23.`);
  return day;
}

/** A duration within bounds, ms. */
export function readDuration(
  reader: YamlReader,
  group: Group,
  key: string,
  [least, most]: readonly [least: number, most: number],
): number | undefined {
  const allowed = `a time from ${formatDuration(least)} to ${formatDuration(most)}, such as 24h or 7d`;
  const field = group.fields.get(key);
  if (field === undefined) {
    reader.wrong(group.at, `${group.dotted} has no ${key}; it must be ${allowed}.`);
    return undefined;
  }
  const text = reader.text(field, allowed);
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= least && ms <= most) return ms;
  reader.wrong(field.valueAt, `${field.dotted} "${text}" is not ${allowed}.`);
  return undefined;
}

function readCap(
  reader: YamlReader,
  place: Field,
  region: string,
  figures: Figure[],
): Cap | undefined {
  const group = reader.group(place, ['calls', 'per', ...PROVENANCE]);
  if (!group.isGroup) return undefined;
  const calls = readCalls(reader, group);
  const perMs = readDuration(reader, group, 'per', [HOUR_MS, 366 * DAY_MS]);
  const from = provenance(reader, group);
  if (calls === undefined || perMs === undefined) return undefined;
  const value = `${counted(calls, 'call')} per ${periodText(perMs)}`;
  figures.push({ where: `${region}caps`, value, ...from });
  return { calls, perMs };
}

function readCalls(reader: YamlReader, group: Group): number | undefined {
  const allowed = `a whole number of calls from 1 to ${MOST_CALLS}`;
  const field = group.fields.get('calls');
  const text = field && reader.text(field, allowed);
  if (field === undefined)
    reader.wrong(group.at, `${group.dotted} has no calls; it must be ${allowed}.`);
  if (field === undefined || text === undefined) return undefined;
  const calls = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (calls >= 1 && calls <= MOST_CALLS) return calls;
  const zero = calls === 0 ? '; to call nobody, pause the campaign or close the hours' : '';
  reader.wrong(field.valueAt, `${field.dotted} "${text}" is not ${allowed}${zero}.`);
  return undefined;
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
