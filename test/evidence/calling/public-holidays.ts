/**
 * Public holidays from February 2026 (`10-12`) to March 2027 (those of February and March with their year), written down
 * by hand from the calendars of the countries: only those of which there is no doubt. What judges the calls must not
 * share the table of the program.
 */
const HOLIDAYS: Readonly<Record<string, string>> = {
  // Presidents' Day, Memorial Day, Juneteenth, Independence Day (a Saturday, observed on Friday), Labor Day, Columbus Day,
  // Veterans Day, Thanksgiving, Christmas, New Year's Day.
  US: '02-16 05-25 06-19 07-03 07-04 09-07 10-12 11-11 11-26 12-25 01-01 01-18 27-02-15',
  // The same, and Lincoln's birthday and the day of the election.
  'US-NY':
    '02-12 02-16 05-25 06-19 07-03 07-04 09-07 10-12 11-03 11-11 11-26 12-25 01-01 01-18 27-02-12 27-02-15',
  // Good Friday, and the day after Thanksgiving.
  'US-IN':
    '02-16 04-03 05-25 06-19 07-03 07-04 09-07 10-12 11-11 11-26 11-27 12-25 01-01 01-18 27-02-15 27-03-26',
  // Of César Chávez; Columbus Day is none.
  'US-CA':
    '02-16 03-31 05-25 06-19 07-03 07-04 09-07 11-11 11-26 11-27 12-25 01-01 01-18 27-02-15 27-03-31',
  'US-AZ': '02-16 05-25 06-19 07-03 07-04 09-07 10-12 11-11 11-26 12-25 01-01 01-18 27-02-15',
  'CA-NL': '04-03 07-01 09-07 11-11 12-25 01-01 27-03-26',
  CL: '04-03 04-04 05-01 05-21 06-29 07-16 08-15 09-18 09-19 10-12 12-08 12-25 01-01 27-03-26 27-03-27',
  IN: '08-15 10-02 01-26',
  AU: '04-03 04-06 04-25 12-25 12-26 12-28 01-01 01-26 27-03-26 27-03-29',
  DE: '04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26 01-01 27-03-26 27-03-29',
  FR: '04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25 01-01 27-03-29',
  // Of all four nations, as none can be told by a number: Saint Patrick's Day, both August bank holidays, Saint Andrew's.
  GB: '03-17 04-03 04-06 05-04 05-25 07-13 08-03 08-31 11-30 12-25 12-26 12-28 01-01 01-04 27-03-17 27-03-26 27-03-29',
  IE: '03-17 04-06 05-04 06-01 08-03 10-26 12-25 12-26 01-01 27-02-01 27-03-17 27-03-29',
  NZ: '04-03 04-06 04-25 04-27 06-01 07-10 10-26 12-25 12-26 12-28 01-01 01-04 27-02-06 27-02-08 27-03-26 27-03-29',
};

/** Countries of these nights of which the program has no table: its hours hold on all days there. */
const WITHOUT_TABLE = ['KI', 'NP'];

/** Whether a day is a public holiday in a country or state; undefined: nothing is known of it, so nobody is called. */
export function isHoliday(region: string, date: string): boolean | undefined {
  if (WITHOUT_TABLE.includes(region)) return false;
  const days = HOLIDAYS[region]?.split(' ');
  if (date < '2026-02-10' || date >= '2027-04-01') return undefined;
  return days?.includes(date < '2027-02-01' ? date.slice(5) : date.slice(2));
}
