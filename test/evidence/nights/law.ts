/**
 * The figures of the rule `us-states`, written down a second time by hand: what judges the calls must not share
 * the program's reading of its rule files, nor its arithmetic of hours, zones and caps.
 */
export interface Law {
  /** Hours of the day, half-open, from Monday to Sunday; null: closed. */
  week: readonly (readonly [from: number, to: number] | null)[];
  closedOnHolidays: boolean;
  /** At most so many calls in any 24 hours; null: no limit. */
  callsPerDay: number | null;
}

type Hours = readonly [from: number, to: number] | null;

const everyDay = (hours: Hours) => Array.from({ length: 7 }, () => hours);
const law = (week: readonly Hours[], more: Partial<Law> = {}): Law => ({
  week,
  closedOnHolidays: false,
  callsPerDay: null,
  ...more,
});
const days = (weekday: Hours, sat: Hours, sun: Hours) => [
  ...[weekday, weekday, weekday, weekday, weekday],
  sat,
  sun,
];

const CAPPED = law(everyDay([8, 20]), { callsPerDay: 3 });
const SOUTH = law(days([8, 20], [8, 20], null), { closedOnHolidays: true });
const NORTH = law(everyDay([9, 21]));
/** States whose own law was not read, and those of which callsheet knows no figures. */
const NOT_READ = law(days([9, 20], [10, 17], null), { closedOnHolidays: true });

const LAWS: Readonly<Record<string, Law>> = {
  'US-FL': CAPPED,
  'US-OK': law(everyDay([9, 20]), { callsPerDay: 3 }),
  'US-MD': CAPPED,
  'US-OR': CAPPED,
  'US-WA': law(everyDay([8, 20])),
  'US-MA': law(everyDay([8, 20])),
  'US-CT': law(everyDay([9, 20])),
  'US-NV': law(everyDay([9, 20])),
  'US-TX': law(days([9, 21], [9, 21], [12, 21])),
  'US-RI': law(days([9, 18], [10, 17], null), { closedOnHolidays: true }),
  'US-KY': law(everyDay([10, 21])),
  'US-AL': SOUTH,
  'US-LA': SOUTH,
  'US-MS': law(days([8, 20], [8, 20], null)),
  'US-MI': NORTH,
  'US-MN': NORTH,
  'US-NM': NORTH,
  'US-IL': NORTH,
  'US-CA': NORTH,
  'US-ME': law(days([9, 17], null, null)),
  'US-SC': law(everyDay([8, 19])),
  'US-SD': law(days([9, 21], null, null)),
  'US-UT': law(days([8, 21], [8, 21], null), { closedOnHolidays: true }),
  'US-PA': law(days([9, 19], [9, 19], null), { closedOnHolidays: true }),
  'US-NE': law(days([8, 21], [8, 21], [13, 21])),
};

/** Puerto Rico and the islands have no figures of their own: at least the federal hours hold. */
const TERRITORIES = ['US-PR', 'US-VI', 'US-GU', 'US-MP', 'US-AS'];

export function lawOf(state: string): Law {
  return LAWS[state] ?? (TERRITORIES.includes(state) ? law(everyDay([8, 21])) : NOT_READ);
}

/** Federal holidays of the weeks that are simulated. */
export const HOLIDAYS = ['2026-01-19'];
