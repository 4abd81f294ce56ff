import { describe, expect, it } from 'vitest';
import { HOLIDAY_REGIONS, holidayOn, HOLIDAYS } from '../../../src/domain/calling/holidays.ts';

/** Read by hand from the calendars of the governments. */
const DAYS_OFF: [region: string, dates: string][] = [
  ['US', '2026-01-01 2026-01-19 2026-02-16 2026-05-25 2026-06-19 2026-07-04 2026-09-07 2026-10-12'],
  ['US', '2026-11-11 2026-11-26 2026-12-25 2027-01-18 2028-01-17 2028-11-23'],
  ['US-RI', '2026-08-10 2027-08-09 2028-08-14 2026-11-26'],
  ['US-FL', '2026-11-27 2026-12-25'],
  ['CA', '2026-07-01 2026-09-07 2026-12-25'],
  ['CA-QC', '2026-06-24 2026-07-01'],
  ['GB', '2026-04-03 2026-04-06 2026-05-04 2026-05-25 2026-08-31 2026-12-25'],
  ['FR', '2026-05-14 2026-05-25 2026-07-14 2026-11-11 2027-03-29'],
  ['IT', '2026-04-06 2026-06-02 2026-08-15 2026-12-08'],
  ['ES', '2026-04-03 2026-10-12 2026-12-08'],
  ['DE', '2026-04-03 2026-05-14 2026-10-03 2026-12-26'],
  ['MP', '2026-07-04 2026-11-26'],
  ['IN', '2026-01-26 2026-08-15 2026-10-02 2027-01-26'],
  ['AU', '2026-01-26 2026-04-25 2026-12-25'],
  ['CL', '2026-04-03 2026-04-04 2027-03-27 2028-04-15 2026-09-18'],
];

/** Days on which a holiday is observed that falls on a weekend. */
const OBSERVED: [region: string, dates: string][] = [
  // Independence Day, Juneteenth, Independence Day, Christmas, New Year's Day of 2028, Veterans Day
  ['US', '2026-07-03 2027-06-18 2027-07-05 2027-12-24 2027-12-31 2028-11-10'],
  ['US-CA', '2028-11-10'],
  ['GB', '2026-12-28 2027-12-27 2027-12-28 2028-01-03'],
  ['AU', '2026-12-28'],
];

describe('a public holiday', () => {
  it.each([...DAYS_OFF, ...OBSERVED])('in %s: %s', (region, dates) => {
    for (const date of dates.split(' '))
      expect([date, holidayOn(region, date)]).toEqual([date, true]);
  });

  it('of one nation closes for all British people, as no number tells the nation', () => {
    for (const date of ['2026-01-02', '2026-03-17', '2026-07-13', '2026-11-30'])
      expect(holidayOn('GB', date)).toBe(true);
  });

  it('of a state closes for people of that state, not for those of others', () => {
    expect(holidayOn('US-RI', '2026-08-10')).toBe(true);
    expect(holidayOn('US-FL', '2026-08-10')).toBe(false);
    expect(holidayOn('CA-ON', '2026-06-24')).toBe(false);
  });

  it('of a state that forbids calls on it closes where only the country is known', () => {
    expect(holidayOn('US', '2026-08-10')).toBe(true);
  });
});

describe('a day like any other', () => {
  it.each([
    ['US', '2026-11-23 2026-07-02'],
    ['US-FL', '2026-02-15'],
    ['FR', '2026-04-03 2026-12-26'],
    ['DE', '2026-01-06 2026-11-01'],
    ['ES', '2026-07-25'],
    ['IN', '2026-11-08'],
  ])('in %s: %s', (region, dates) => {
    for (const date of dates.split(' '))
      expect([date, holidayOn(region, date)]).toEqual([date, false]);
  });
});

describe('the table of holidays', () => {
  it('answers nothing before its first and after its last year', () => {
    const days = [`${HOLIDAYS.from - 1}-12-25`, `${HOLIDAYS.through + 1}-01-01`, 'someday'];
    expect(days.map((day) => holidayOn('US', day))).toEqual([undefined, undefined, undefined]);
  });

  it('answers nothing for a region without a calendar', () => {
    expect(holidayOn('XX', '2026-12-25')).toBeUndefined();
    expect(holidayOn('NP', '2026-12-25')).toBeUndefined();
    expect(holidayOn('', '2026-12-25')).toBeUndefined();
  });

  it('has the days of the country for a state without a calendar of its own', () => {
    expect(holidayOn('DE-BY', '2026-10-03')).toBe(true);
    expect(holidayOn('DE-BY', '2026-01-06')).toBe(false);
  });

  it('has every state of the US and every province of Canada, each with the days of its country', () => {
    const states = HOLIDAY_REGIONS.filter((region) => /^(US|CA)-/.test(region));
    expect(states).toHaveLength(51 + 13);
    for (const state of states) expect(holidayOn(state, '2026-12-25')).toBe(true);
    for (const state of states.filter((region) => region.startsWith('US-')))
      expect([state, holidayOn(state, '2026-10-12')]).toEqual([state, true]);
  });
});
