import { loadZoneCorrections, type ZoneCorrections } from '../../config/rules/zone-overrides.ts';
import { HOLIDAYS } from '../../domain/calling/holidays.ts';
import { overridesInForce, TIME_ZONE_DATA } from '../../runtime/time-zones.ts';

/** What is said of data that decides about hours, and whether calls can rely on it. */
export interface DataState {
  ok: boolean;
  detail: string;
}

/**
 * The version of Node's time-zone data, the newest that callsheet knows, and every zone in which the two differ: these
 * are corrected. Data that is older than the corrections reach back is not in order.
 *
 * @throws AppError `RULES_INVALID` where the file of corrections cannot be read: no hours can be decided then
 */
export function zoneData(
  now: number,
  version: string = TIME_ZONE_DATA,
  { since, reaches, due, overrides }: ZoneCorrections = loadZoneCorrections(),
): DataState {
  const has = `Node's time-zone data is ${version}`;
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  if (version < since) {
    return {
      ok: false,
      detail: `${has}; corrections (${FILE}) bring only ${since} and later up to ${reaches}, so calls may be made at wrong hours. Next: Use a newer Node: \`node -p process.versions.tz\` prints its version.`,
    };
  }
  const next =
    now < due
      ? ''
      : ` Next: Look for a newer callsheet: a newer version than ${reaches} is due since ${dayOf(due)}.`;
  if (version > reaches && /^\d{4}/.test(version)) {
    const newer = `newer than ${reaches}, the newest that callsheet knows, so no zone is corrected`;
    return { ok: true, detail: `${has}, ${newer}.${next}` };
  }
  const differ = overridesInForce(overrides, version).map(
    ({ zone, from, until, fixedIn }) =>
      `${zone} from ${dayOf(from)}${until === undefined ? '' : ` to ${dayOf(until)}`} (${fixedIn})`,
  );
  const what =
    differ.length === 0
      ? 'no zone differs'
      : `these differ and are corrected: ${differ.join(', ')}`;
  return {
    ok: true,
    detail: `${has}, the newest that callsheet knows ${reaches}; ${what} (${FILE}).${next}`,
  };
}

const FILE = 'campaigns/rules/zone-overrides.yaml';

/** Until when public holidays are known. A rule with holidays keeps its window closed in years after that. */
export function holidayData(now: number): DataState {
  const { from, through } = HOLIDAYS;
  const year = new Date(now).getUTCFullYear();
  const known = `public holidays are known from ${from} to ${through}`;
  if (year >= from && year < through) return { ok: true, detail: known };
  const when = year === through ? `from ${through + 1}-01-01 on` : 'now';
  return {
    ok: year === through,
    detail: `${known}; rules with holidays allow no call ${when}. Next: Update callsheet.`,
  };
}
