import { describe, expect, it } from 'vitest';
import { aDeskFor } from './moments.ts';

/**
 * Where people were called by the clock of another country, or by data that is out of date: a number, and moments at
 * which the time-zone database 2026f (NEWS, zone.tab) says that it is before 08:00, and within the hours.
 */
const PEOPLE = [
  ['Algeria', '+213551234567', '2026-07-01T06:05Z', '2026-07-01T07:05Z'],
  ['Morocco', '+212650123456', '2026-12-01T07:05Z', '2026-12-01T08:05Z'],
  ['Western Sahara', '+212528812345', '2026-12-01T07:05Z', '2026-12-01T08:05Z'],
  ['Libya', '+218912345678', '2026-07-01T05:05Z', '2026-07-01T06:05Z'],
  ['Palestine', '+970599123456', '2026-10-20T04:05Z', '2026-10-20T05:05Z'],
  ['Nicaragua', '+50581234567', '2026-07-01T13:05Z', '2026-07-01T14:05Z'],
  ['South Sudan', '+211977123456', '2026-12-01T05:05Z', '2026-12-01T06:05Z'],
  ['Kenora in western Ontario', '+18075550200', '2026-12-01T12:05Z', '2026-12-01T13:05Z'],
] as const;

describe('a person is called by the clock of their own country', () => {
  it.each(PEOPLE)('in %s', async (_, phone, early, within) => {
    const { rung, callAt } = await aDeskFor(phone);
    await callAt(early);
    expect(rung()).toEqual([]);
    await callAt(within);
    expect(rung()).toEqual([phone]);
  });

  it('in Cuba, which stays on -04 in the winter of 2026, and no longer after that', async () => {
    const inWinter = await aDeskFor('+5351234567');
    await inWinter.callAt('2026-12-02T01:05Z');
    expect(inWinter.rung()).toEqual([]);
    await inWinter.callAt('2026-12-02T12:05Z');
    expect(inWinter.rung()).toEqual(['+5351234567']);

    const later = await aDeskFor('+5351234568');
    await later.callAt('2027-12-01T12:05Z');
    expect(later.rung()).toEqual([]);
    await later.callAt('2027-12-01T13:05Z');
    expect(later.rung()).toEqual(['+5351234568']);
  });
});

describe('islands on which hardly anybody lives', () => {
  it('do not close the mobiles of their country: Australia at 08:05 in Perth, which is before seven on Cocos', async () => {
    const { rung, callAt } = await aDeskFor('+61412345678');
    await callAt('2026-12-01T00:05Z');
    expect(rung()).toEqual(['+61412345678']);
  });
});
