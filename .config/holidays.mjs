// Writes src/domain/calling/holidays.ts: the public holidays that close calling hours, out of date-holidays.
// `npm run holidays` after a new version of that package, and once a year with a later THROUGH.
import { writeFileSync } from 'node:fs';
import Holidays from 'date-holidays';

const [FROM, THROUGH] = [2026, 2028];
/** Countries whose states are told apart by a number or an address of a list. */
const STATES_OF = ['US', 'CA'];
/** Nobody's nation can be read from a British number, and the nations differ by a few days only: all of them close. */
const UNITED = { GB: ['ENG', 'NIR', 'SCT', 'WLS'] };
/** States whose holidays close for people of whom only the country is known, too: their laws forbid calls on these days. */
const STRICT_STATES = { US: ['AL', 'LA', 'MS', 'NE', 'PA', 'RI', 'UT'], CA: ['BC', 'QC'] };
/** The package lists these as days off, but they are days of remembrance on which offices are open. */
const OBSERVANCES = /Susan B\. Anthony Day/;

/** Not in the package: federal holidays of the United States hold there. */
const LIKE = { MP: 'US' };
const inEachYear = (day) => [2026, 2027, 2028].map((year) => `${year}-${day}`);
const TRUTH_AND_RECONCILIATION = inEachYear('09-30');
/** Days that the package lacks, by country or state. */
const MISSING = {
  // Veterans Day is a Saturday, and is observed the day before.
  US: ['2028-11-10'],
  // RIGL 25-1-1: Rhode Island Independence Day, and the days on which state officers are elected.
  'US-RI': [...inEachYear('05-04'), '2026-11-03', '2028-11-07'],
  // Neb. Rev. Stat. 62-301: the day after Thanksgiving.
  'US-NE': ['2026-11-27', '2027-11-26', '2028-11-24'],
  // 44 P.S. 11: Good Friday, and the general or municipal election.
  'US-PA': ['2026-04-03', '2027-03-26', '2028-04-14', '2026-11-03', '2027-11-02', '2028-11-07'],
  // National Day for Truth and Reconciliation, a statutory holiday there: e.g. Employment Standards Act (BC) s. 1.
  ...Object.fromEntries(
    ['BC', 'MB', 'NT', 'NU', 'PE', 'YT'].map((state) => [`CA-${state}`, TRUTH_AND_RECONCILIATION]),
  ),
  // The Saturday before Easter.
  CL: ['2026-04-04', '2027-03-27', '2028-04-15'],
};

const DAY_MS = 86_400_000;
const years = Array.from({ length: THROUGH - FROM + 1 }, (_, index) => FROM + index);
// The years around them too: New Year's Day on a Saturday is observed on the last day of the year before.
const asked = [FROM - 1, ...years, THROUGH + 1];

/** All days off, `2026-12-25`, in order; also the days on which one that falls on a weekend is observed. */
function daysOff(country, state) {
  const calendar = state ? new Holidays(country, state) : new Holidays(country);
  calendar.setTimezone('UTC');
  const found = asked.flatMap((year) => calendar.getHolidays(year) ?? []);
  const days = found
    .filter(({ type, name }) => type === 'public' && !OBSERVANCES.test(name))
    .flatMap(({ date, start, end }) => {
      const first = Date.parse(`${date.slice(0, 10)}T00:00Z`);
      const length = Math.max(1, Math.ceil((end - start) / DAY_MS));
      return Array.from({ length }, (_, index) => new Date(first + index * DAY_MS));
    })
    .map((day) => day.toISOString().slice(0, 10))
    .filter((day) => years.includes(Number(day.slice(0, 4))));
  return [
    ...new Set([...days, ...(MISSING[country] ?? []), ...(MISSING[`${country}-${state}`] ?? [])]),
  ].sort();
}

/** `US/0704 1225/0119/0118/0117` without the blanks: the days of every year, then those of each year alone. */
function encoded(region, days) {
  const of = (year) =>
    days.filter((day) => day.startsWith(`${year}`)).map((day) => day.slice(5).replace('-', ''));
  const every = of(FROM).filter((day) => years.every((year) => of(year).includes(day)));
  const own = years.map((year) =>
    of(year)
      .filter((day) => !every.includes(day))
      .join(''),
  );
  return [region, every.join(''), ...own].join('/');
}

const union = (lists) => [...new Set(lists.flat())].sort();
const entries = [];
for (const country of Object.keys(new Holidays().getCountries()).sort()) {
  const parts = [...(UNITED[country] ?? []), ...(STRICT_STATES[country] ?? [])];
  const days = union([daysOff(country), ...parts.map((part) => daysOff(country, part))]);
  if (days.length > 0) entries.push(encoded(country, days));
  if (!STATES_OF.includes(country)) continue;
  const national = daysOff(country);
  for (const state of Object.keys(new Holidays().getStates(country)).sort())
    entries.push(encoded(`${country}-${state}`, union([national, daysOff(country, state)])));
}
for (const [country, other] of Object.entries(LIKE)) entries.push(encoded(country, daysOff(other)));

const lines = [];
for (const entry of entries) {
  const last = lines.at(-1);
  if (last !== undefined && last.length + entry.length < 300)
    lines[lines.length - 1] = `${last} ${entry}`;
  else lines.push(entry);
}
writeFileSync(
  new URL('../src/domain/calling/holidays.ts', import.meta.url),
  `/*
 * Written by \`npm run holidays\`; do not edit. Public holidays of ${entries.length} countries and states, ${FROM} to ${THROUGH}, from date-holidays,
 * https://github.com/commenthol/date-holidays, (c) 2015-present commenthol, data under CC BY-SA 3.0
 * (https://creativecommons.org/licenses/by-sa/3.0/, from Wikipedia articles named there); this table is under it as well.
 * An entry is the region, the days (MMDD) of every year, then those of each year alone. holidays.ts reads it.
 */
export const FIRST_YEAR = ${FROM};
export const LAST_YEAR = ${THROUGH};
export const TABLE = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join(' ');
`,
);
