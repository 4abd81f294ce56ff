import { dirname, join } from 'node:path';
import { surveyList, toRejectedRow } from '../../leads/import.ts';
import type { ListRow } from '../../leads/rows/list-row.ts';
import { openRejects } from '../../leads/rows/add-rows.ts';
import type { Surveyed, SurveyedList } from '../../views/lists.ts';
import { countriesIn, numberPlace } from '../../leads/zones/number-zones.ts';
import { aheadOf } from '../nights/openings-ahead.ts';
import { surveyDraft } from '../plan/check-plan.ts';
import type { PlanRequest } from '../plan/plan.ts';
import { placesIn } from '../plan/planned-hours.ts';
import type { World } from '../world.ts';

type Reason = SurveyedList['reasons'][number];

/** So many rows of each reason are shown. */
const SHOWN = 5;
/** Today and a week. */
const DAYS_AHEAD = 8;

/** Reads the lists that were sent to a draft as it would take them. Writes nothing. */
export async function surveySent(request: PlanRequest, world: World): Promise<Surveyed> {
  const tallies = new Map<string, Tally>();
  const watch = (path: string) => () => {
    const tally = new Tally();
    tallies.set(path, tally);
    return (rows: readonly ListRow[]) => tally.add(rows);
  };
  const { surveys = [], settings } = (await surveyDraft(request, watch, world)) ?? {};
  const now = world.clock.now();
  return {
    lists: surveys.map(({ path: name, scanned, notes, ...survey }) => {
      const { rows, good, mended, fictional, rejected, duplicates, suppressed } = survey;
      const { reasons, rejects } = tallies.get(name) ?? new Tally();
      return {
        ...{ name, rows, good, mended, fictional, rejected, duplicates, suppressed },
        ...{ headers: scanned.headers, warnings: scanned.warnings, rejects },
        reasons: [...reasons.values()],
        notes: Object.values(notes).map(({ example }) => example),
      };
    }),
    good: surveys.reduce((sum, { good }) => sum + good, 0),
    country: mostFrequent([...tallies.values()].flatMap(({ countries }) => countries)),
    ahead: settings ? aheadOf(settings, placesIn(surveys), now, DAYS_AHEAD, now) : null,
  };
}

function mostFrequent(all: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** So many rows say enough of where the people are. */
const TELLING = 1_000;

/** A guess is right for at least this share of the numbers without a country code. */
const FITS = 0.9;

/**
 * The country of the numbers without `+` of a list: that of its other numbers, else of the machine's time zone or US,
 * where nearly all of them are in use there; '' where none fits, or both of the latter and not with the same numbers.
 *
 * @returns undefined when every number says its own country
 */
export async function countryOfList(path: string, timezone: string): Promise<string | undefined> {
  const read = async (country: string | null) => {
    const tally = new Tally();
    const policy = { unassigned: 'refuse', tollFree: 'accept' } as const;
    const isEnough = (rows: number) => rows >= TELLING;
    const watch = () => (rows: readonly ListRow[]) => tally.add(rows);
    const { good } = await surveyList(path, { country, policy, isEnough, watch });
    return { good, countries: tally.countries, without: tally.reasons.get('no_country')?.count };
  };
  const bare = await read(null);
  if (bare.without === undefined) return undefined;
  const { without } = bare;
  const fitting = async (guesses: readonly string[]) => {
    for (const country of guesses) {
      const { good, countries } = await read(country);
      if (good - bare.good >= FITS * without) return { country, places: String(countries) };
    }
    return undefined;
  };
  const told = mostFrequent(bare.countries);
  const own = told === null ? undefined : await fitting([told]);
  if (own !== undefined) return own.country;
  const here = await fitting(countriesIn(timezone));
  const us = await fitting(['US']);
  return here && us && here.places !== us.places ? '' : ((here ?? us)?.country ?? '');
}

/** The rows of one list that are not taken, by reason. */
class Tally {
  readonly countries: string[] = [];
  readonly reasons = new Map<string, Reason>();
  rejects = 0;

  add(rows: readonly ListRow[]): void {
    for (const row of rows) {
      if (row.kind === 'good') {
        const { country } = this.countries.length < TELLING ? numberPlace(row.phone) : {};
        if (country !== undefined) this.countries.push(country);
        continue;
      }
      const { code, text } = row.refusal;
      const reason = this.reasons.get(code) ?? { code, kind: row.kind, count: 0, rows: [] };
      this.reasons.set(code, reason);
      reason.count += 1;
      if (reason.rows.length < SHOWN)
        reason.rows.push({ line: row.line, cells: row.cells, why: text });
      this.rejects += toRejectedRow(row).length;
    }
  }
}

/**
 * Writes the rows of one list that would not be taken beside its file, with line and reason, to be mended and sent
 * again; the file goes away with the list.
 *
 * @param name of the list
 * @returns its path; null: every row would be taken, or there is no such list
 */
export async function rejectsOfSent(
  request: PlanRequest,
  name: string,
  world: World,
): Promise<string | null> {
  const kept: ListRow[][] = [];
  const watch = (path: string) => () => {
    kept.length = path === name ? 0 : kept.length;
    return (rows: readonly ListRow[]) => {
      if (path === name) kept.push(rows.filter(({ kind }) => kind !== 'good'));
    };
  };
  const planned = await surveyDraft(request, watch, world);
  const found = planned?.surveys.find(({ path }) => path === name);
  if (found === undefined) return null;
  const { headers, file } = found.scanned;
  const rejects = openRejects(join(dirname(file), 'rejects'), {
    ...{ path: name, at: world.clock.now(), headers },
  });
  try {
    for (const rows of kept) await rejects.add(rows.flatMap(toRejectedRow));
    return await rejects.keep();
  } finally {
    await rejects.discard();
  }
}
