import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadZoneOverrides, readZoneOverrides } from '../../../src/config/rules/zone-overrides.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

describe('the corrections of time zones', () => {
  it('know where clocks stopped changing in 2026', () => {
    const shown = loadZoneOverrides().map(
      ({ zone, from, offsetMs, fixedIn }) =>
        `${zone} ${new Date(from).toISOString().slice(0, 10)} ${offsetMs / 3_600_000} ${fixedIn}`,
    );
    expect(shown).toEqual([
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
    ]);
  });

  it.each([
    [
      'zones: America/Vancuver',
      '1:22: overrides[0].zones[0] "America/Vancuver" is not the IANA name',
    ],
    [
      'from: yesterday',
      'overrides[0].from "yesterday" is not a moment such as 2026-03-09T07:00:00Z.',
    ],
    ['from: 2026-13-09T07:00:00Z', 'is not a moment'],
    ['offset: -7', 'overrides[0].offset "-7" is not an offset from UTC such as -07:00.'],
    ['offset: -15:00', 'is not an offset'],
    ['fixedIn: soon', 'is not a version of the time-zone data such as 2026b.'],
    ['grade: Z', 'is not a grade'],
    ['untill: x', '"overrides[0].untill" is not a key; known here are zones'],
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
    writeFileSync(path, `overrides: [{ ${entry} }]\n`);
    expect(() => readZoneOverrides(path)).toThrow(sentence);
  });

  it('need zone, moment, offset and version', () => {
    const path = join(tempFolder(), 'zones.yaml');
    writeFileSync(path, 'overrides: [{ source: a letter }]\n');
    for (const key of ['zones', 'from', 'offset', 'fixedIn'])
      expect(() => readZoneOverrides(path)).toThrow(`overrides[0] has no ${key}`);
  });
});
