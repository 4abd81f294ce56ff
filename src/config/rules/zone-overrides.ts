import { join } from 'node:path';
import type { ZoneOverride } from '../../domain/calling/policy.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time-units.ts';
import { readSettingsFile } from '../../runtime/yaml.ts';
import { isTimezone } from '../../text/local-time.ts';
import { packageRoot } from '../package-root.ts';
import { rulesOf } from './load-rule.ts';
import { provenance } from './read-limits.ts';
import { yamlReader, type Group, type YamlReader } from './yaml-reader.ts';

const KEYS = ['zones', 'from', 'offset', 'fixedIn', 'source', 'grade', 'checked'];

let shipped: readonly ZoneOverride[] | undefined;

/**
 * The corrections of Node's time-zone data in campaigns/rules/zone-overrides.yaml, the file that comes with callsheet;
 * it is read once.
 */
export function loadZoneOverrides(): readonly ZoneOverride[] {
  return (shipped ??= readZoneOverrides(join(rulesOf(packageRoot()), 'zone-overrides.yaml')));
}

/** @throws AppError `RULES_INVALID` (exit 2) */
export function readZoneOverrides(path: string): ZoneOverride[] {
  const reader = yamlReader(readSettingsFile(path));
  const list = reader.root(['overrides'])?.fields.get('overrides');
  const groups = list === undefined ? [] : reader.items(list);
  const overrides = groups.flatMap((item) => readOverride(reader, reader.group(item, KEYS)));
  reader.done(path);
  return overrides;
}

function readOverride(reader: YamlReader, group: Group): ZoneOverride[] {
  const read = <T>(key: string, what: string, parse: (text: string) => T | undefined) => {
    const field = group.fields.get(key);
    if (field === undefined)
      reader.wrong(group.at, `${group.dotted} has no ${key}; it is ${what}.`);
    const text = field && reader.text(field, what);
    const value = text === undefined ? undefined : parse(text);
    if (field && text !== undefined && value === undefined)
      reader.wrong(field.valueAt, `${field.dotted} "${text}" is not ${what}.`);
    return value;
  };
  const from = read('from', 'a moment such as 2026-03-09T07:00:00Z', momentOf);
  const offsetMs = read('offset', 'an offset from UTC such as -07:00', offsetOf);
  const version = (text: string) => (/^20\d\d[a-z]$/.test(text) ? text : undefined);
  const fixedIn = read('fixedIn', 'a version of the time-zone data such as 2026b', version);
  provenance(reader, group);
  const zones = group.fields.get('zones');
  const what = 'the IANA name of a time zone, or a list of them';
  if (zones === undefined) reader.wrong(group.at, `${group.dotted} has no zones; it is ${what}.`);
  if (!zones || from === undefined || offsetMs === undefined || fixedIn === undefined) return [];
  return reader.items(zones).flatMap((item) => {
    const zone = reader.text(item, what) ?? '';
    if (isTimezone(zone)) return [{ zone, from, offsetMs, fixedIn }];
    if (zone !== '') reader.wrong(item.valueAt, `${item.dotted} "${zone}" is not ${what}.`);
    return [];
  });
}

function momentOf(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

function offsetOf(text: string): number | undefined {
  const match = /^([+-])(\d\d):([0-5]\d)$/.exec(text);
  if (match === null || Number(match[2]) > 14) return undefined;
  const ms = Number(match[2]) * HOUR_MS + Number(match[3]) * MINUTE_MS;
  // A zero keeps no sign: `-00:00` is no offset.
  return match[1] === '-' && ms !== 0 ? -ms : ms;
}
