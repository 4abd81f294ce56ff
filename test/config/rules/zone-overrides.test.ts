import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  loadZoneOverrides,
  readZoneCorrections,
} from '../../../src/config/rules/zone-overrides.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

const HEAD = 'since: 2024b\nreaches: 2026f\ndue: 2027-02-15T00:00:00Z\n';

describe('the corrections of time zones', () => {
  it('know where clocks stopped changing in 2026', () => {
    const shown = loadZoneOverrides().map(
      ({ zone, from, until, offsetMs, fixedIn }) =>
        `${zone} ${dayOf(from)}${until === undefined ? '' : ` to ${dayOf(until)}`} ${typeof offsetMs === 'number' ? offsetMs / 3_600_000 : offsetMs.sameAs} ${fixedIn}`,
    );
    expect(shown).toEqual([
      'America/Asuncion 2025-03-22 -3 2025a',
      'Europe/Chisinau 2022-03-27 Europe/Bucharest 2026a',
      'America/Vancouver 2026-03-09 -7 2026b',
      'Canada/Pacific 2026-03-09 -7 2026b',
      'America/Edmonton 2026-06-18 -6 2026c',
      'Canada/Mountain 2026-06-18 -6 2026c',
      'America/Yellowknife 2026-06-18 -6 2026c',
      'Africa/Casablanca 2026-09-20 0 2026c',
      'Africa/El_Aaiun 2026-09-20 0 2026c',
      'America/Inuvik 2026-08-21 -6 2026d',
      'America/Winnipeg 2026-10-31 -5 2026e',
      'Canada/Central 2026-10-31 -5 2026e',
      'America/Havana 2026-11-01 to 2027-11-07 -4 2026f',
    ]);
  });

  it.each([
    [
      'zones: America/Vancuver',
      '4:22: overrides[0].zones[0] "America/Vancuver" is not the IANA name',
    ],
    [
      'from: yesterday',
      'overrides[0].from "yesterday" is not a moment such as 2026-03-09T07:00:00Z.',
    ],
    ['from: 2026-13-09T07:00:00Z', 'is not a moment'],
    [
      'offset: -7',
      'overrides[0].offset "-7" is not an offset from UTC such as -07:00, or a zone whose clock it keeps.',
    ],
    ['offset: Europe/Bukarest', 'is not an offset'],
    ['until: soon', 'overrides[0].until "soon" is not a moment'],
    ['offset: -15:00', 'is not an offset'],
    ['fixedIn: soon', 'is not a version of the time-zone data such as 2026b.'],
    ['grade: Z', 'is not a grade'],
    ['untill: x', '"overrides[0].untill" is not a key; did you mean "until"?'],
  ])('refuse %s with its place', (given, sentence) => {
    const [key = ''] = given.split(':');
    const good = {
      zones: 'America/Vancouver',
      from: '2026-03-09T07:00:00Z',
      offset: "'+05:45'",
      fixedIn: '2026b',
    };
    const rest = Object.entries(good).filter(([name]) => name !== key);
    const path = join(tempFolder(), 'zones.yaml');
    const entry = [given, ...rest.map(([name, value]) => `${name}: ${value}`)].join(', ');
    writeFileSync(path, `${HEAD}overrides: [{ ${entry} }]\n`);
    expect(() => readZoneCorrections(path)).toThrow(sentence);
  });

  it('need zone, moment, offset and version', () => {
    const path = join(tempFolder(), 'zones.yaml');
    writeFileSync(path, 'overrides: [{ source: a letter }]\n');
    for (const key of ['zones', 'from', 'offset', 'fixedIn'])
      expect(() => readZoneCorrections(path)).toThrow(`overrides[0] has no ${key}`);
    for (const key of ['since', 'reaches', 'due'])
      expect(() => readZoneCorrections(path)).toThrow(`the file has no ${key}`);
  });
});

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
