import { FIRST_YEAR, LAST_YEAR, TABLE } from './holiday-table.ts';

/** The first and the last year whose public holidays are known. */
export const HOLIDAYS = { from: FIRST_YEAR, through: LAST_YEAR } as const;

/** Countries and states with a table of their own: `GB`, `US-FL`. */
export const HOLIDAY_REGIONS: readonly string[] = TABLE.split(' ').map((entry) =>
  entry.replace(/\/.*/s, ''),
);

/**
 * Whether a day is a public holiday, or one on which a holiday is observed that falls on a weekend.
 *
 * @param region ISO 3166 code of a country or state: `GB`, `US-RI`; a state without a table of its own has its country's
 * @param date `2026-12-25`
 * @returns undefined: not known, as there is no table for the region or the year is outside `HOLIDAYS`
 */
export function holidayOn(region: string, date: string): boolean | undefined {
  const year = Number(date.slice(0, 4));
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return undefined;
  const table = tables();
  const days = table.get(region) ?? table.get(region.replace(/-.*/s, ''));
  return days?.has(date);
}

/** Whether public holidays of a region are known at all; where they are not, its hours hold on all days alike. */
export function hasHolidays(region: string): boolean {
  return tables().has(region) || tables().has(region.replace(/-.*/s, ''));
}

let read: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Read at the first question: most commands ask none. */
function tables(): ReadonlyMap<string, ReadonlySet<string>> {
  read ??= new Map(
    TABLE.split(' ').map((entry) => {
      const [region = '', every = '', ...byYear] = entry.split('/');
      const dates = byYear.flatMap((own, index) =>
        (`${every}${own}`.match(/\d{4}/g) ?? []).map(
          (day) => `${FIRST_YEAR + index}-${day.slice(0, 2)}-${day.slice(2)}`,
        ),
      );
      return [region, new Set(dates)];
    }),
  );
  return read;
}
