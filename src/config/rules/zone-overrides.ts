import { join } from 'node:path';
import type { ZoneOverride } from '../../domain/calling/policy.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time-units.ts';
import { packageRoot } from '../../runtime/files.ts';
import { readAtBuild, readSettingsFile } from '../../runtime/yaml.ts';
import { isTimezone } from '../../text/times.ts';
import { rulesOf } from './load-rule.ts';
import { provenance } from './read-limits.ts';
import { yamlReader, type Group, type YamlReader } from './rule-file.ts';

/** Corrections of the time-zone data of Node; versions of this data are names such as `2026f`. */
export interface ZoneCorrections {
  /** The oldest version that they bring up to date. */
  since: string;
  /** The version that they bring it up to: the newest that callsheet knows. */
  reaches: string;
  /** From this moment on (epoch ms) somebody has to look for a newer version. */
  due: number;
  overrides: readonly ZoneOverride[];
}

const KEYS = ['zones', 'from', 'until', 'offset', 'fixedIn', 'source', 'grade', 'checked'];
const A_VERSION = 'a version of the time-zone data such as 2026b';
const A_MOMENT = 'a moment such as 2026-03-09T07:00:00Z';
const AN_OFFSET = 'an offset from UTC such as -07:00, or a zone whose clock it keeps';

let shipped: ZoneCorrections | undefined;

/** The file campaigns/rules/zone-overrides.yaml that comes with callsheet; it is read once. */
export function loadZoneCorrections(): ZoneCorrections {
  const path = join(rulesOf(packageRoot()), 'zone-overrides.yaml');
  shipped ??= readAtBuild(readSettingsFile(path)) as ZoneCorrections | undefined;
  return (shipped ??= readZoneCorrections(path));
}

export function loadZoneOverrides(): readonly ZoneOverride[] {
  return loadZoneCorrections().overrides;
}

export function readZoneCorrections(path: string): ZoneCorrections {
  const reader = yamlReader(readSettingsFile(path));
  const root = reader.root(['since', 'reaches', 'due', 'overrides']);
  const head = root && {
    since: reader.required(root, 'since', A_VERSION, versionOf),
    reaches: reader.required(root, 'reaches', A_VERSION, versionOf),
    due: reader.required(root, 'due', A_MOMENT, momentOf),
  };
  const list = root?.fields.get('overrides');
  const groups = list === undefined ? [] : reader.items(list);
  const overrides = groups.flatMap((item) => readOverride(reader, reader.group(item, KEYS)));
  reader.done(path);
  const { since = '', reaches = '', due = 0 } = head ?? {};
  return { since, reaches, due, overrides };
}

function readOverride(reader: YamlReader, group: Group): ZoneOverride[] {
  const from = reader.required(group, 'from', A_MOMENT, momentOf);
  const until = reader.optional(group, 'until', A_MOMENT, momentOf);
  const offsetMs = reader.required(group, 'offset', AN_OFFSET, offsetOf);
  const fixedIn = reader.required(group, 'fixedIn', A_VERSION, versionOf);
  provenance(reader, group);
  const zones = group.fields.get('zones');
  const what = 'the IANA name of a time zone, or a list of them';
  if (zones === undefined)
    reader.wrong(group.at, `${group.dotted} has no zones; it must be ${what}.`);
  if (!zones || from === undefined || offsetMs === undefined || fixedIn === undefined) return [];
  return reader.items(zones).flatMap((item) => {
    const zone = reader.text(item, what) ?? '';
    const end = until === undefined ? {} : { until };
    if (isTimezone(zone)) return [{ zone, from, ...end, offsetMs, fixedIn }];
    if (zone !== '') reader.wrong(item.valueAt, `${item.dotted} "${zone}" is not ${what}.`);
    return [];
  });
}

function versionOf(text: string): string | undefined {
  return /^20\d\d[a-z]$/.test(text) ? text : undefined;
}

function momentOf(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

function offsetOf(text: string): ZoneOverride['offsetMs'] | undefined {
  if (text.includes('/') && isTimezone(text)) return { sameAs: text };
  const match = /^([+-])(\d\d):([0-5]\d)$/.exec(text);
  if (match === null || Number(match[2]) > 14) return undefined;
  const ms = Number(match[2]) * HOUR_MS + Number(match[3]) * MINUTE_MS;
  // A zero keeps no sign: `-00:00` is no offset.
  return match[1] === '-' && ms !== 0 ? -ms : ms;
}
