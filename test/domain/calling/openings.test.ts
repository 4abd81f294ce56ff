import { describe, expect, it } from 'vitest';
import type { HoursAt } from '../../../src/domain/calling/calling-hours.ts';
import { openings } from '../../../src/domain/calling/openings.ts';

const NOW = 1_000_000;
const people = (zoneKey: string, waiting: number, firstNotBefore = 0) => ({
  zoneKey,
  waiting,
  firstNotBefore,
});
const shut = (until: number | null, by = 'conservative', why = 'outside hours'): HoursAt => ({
  open: false,
  opensAt: until,
  hold: { until, by, why },
});
const OPEN: HoursAt = { open: true, until: Infinity };

describe('people who wait', () => {
  it('are counted by whether they may be called now, later or never', () => {
    const hoursAt = (key: string, at: number): HoursAt => {
      if (key === 'open') return OPEN;
      if (key === 'later') return at < NOW + 500 ? shut(NOW + 500) : OPEN;
      if (key === 'sooner') return at < NOW + 200 ? shut(NOW + 200, 'hours') : OPEN;
      return shut(null, 'zones.unknown', 'time zone unknown');
    };
    const places = [
      people('open', 3),
      people('later', 4),
      people('sooner', 2),
      people('never', 1),
      people('never too', 5),
    ];
    expect(openings(places, hoursAt, NOW)).toEqual({
      now: 3,
      later: 6,
      never: 6,
      next: { at: NOW + 200, zoneKey: 'sooner', by: 'hours', why: 'outside hours' },
      shut: [
        { by: 'zones.unknown', why: 'time zone unknown', people: 6, zones: ['never too', 'never'] },
      ],
    });
  });

  it('are due at the first open moment after the time for which they wait', () => {
    const closedUntil = (until: number) => (_: string, at: number) =>
      at >= until ? OPEN : shut(until);
    const later = [people('a', 1, NOW + 100)];
    expect(openings(later, () => OPEN, NOW).next).toEqual({
      at: NOW + 100,
      zoneKey: 'a',
      by: null,
      why: 'due later',
    });
    const opensBetween = (_: string, at: number) =>
      at < NOW + 100 ? OPEN : at < NOW + 900 ? shut(NOW + 900) : OPEN;
    expect(openings(later, opensBetween, NOW).next?.at).toBe(NOW + 900);
    expect(openings([people('a', 1)], closedUntil(NOW + 1), NOW).next?.at).toBe(NOW + 1);
  });

  it('are never called when their hours close for good before they are due', () => {
    const closesAt = (_: string, at: number) => (at < NOW + 50 ? OPEN : shut(null));
    const found = openings([people('a', 2, NOW + 100)], closesAt, NOW);
    expect(found).toMatchObject({ now: 0, later: 0, never: 2, shut: [{ people: 2 }] });
  });

  it('with rules that move ahead for ever get a moment before which nobody may be called', () => {
    const found = openings([people('a', 1)], (_, at) => shut(at + 10), NOW);
    expect(found.next?.at).toBe(NOW + 600);
  });

  it('with hours that name no later moment are never called', () => {
    expect(openings([people('a', 1)], (_, at) => shut(at), NOW).never).toBe(1);
  });

  it('are one group in all zones where the same shuts them out, with the zones of most people first', () => {
    const places = [people('America/Chicago;US', 1), people('America/Denver|Asia/Tokyo;', 3)];
    expect(openings(places, () => shut(null), NOW).shut).toEqual([
      {
        by: 'conservative',
        why: 'outside hours',
        people: 4,
        zones: ['America/Denver', 'Asia/Tokyo', 'America/Chicago'],
      },
    ]);
  });

  it('are listed by what shuts them out, most people first', () => {
    const hoursAt = (key: string) => shut(null, key, 'no hour is left');
    const found = openings([people('a', 1), people('b', 3)], hoursAt, NOW);
    expect(found.shut.map(({ by }) => by)).toEqual(['b', 'a']);
  });
});
