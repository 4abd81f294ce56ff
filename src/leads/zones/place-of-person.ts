import { loadZoneOverrides } from '../../config/rules/zone-overrides.ts';
import { zoneKey } from '../../domain/calling/zone-key.ts';
import type { OffsetAt } from '../../domain/calling/local-days.ts';
import type { E164 } from '../../domain/phone.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import { countryNamed } from '../phone/countries.ts';
import { numberPlace, zonesOfCountry } from './number-zones.ts';
import { postalPlace, stateNamed } from './postal-codes.ts';
import { zoneNamed } from './zone-names.ts';

/** What a list says of where a person is; cells as they are, left out where the list has no such column. */
export interface PersonCells {
  phone: E164;
  timezone?: string | undefined;
  postalCode?: string | undefined;
  state?: string | undefined;
  country?: string | undefined;
}

export interface PersonPlace {
  /** See `zoneKey` of src/domain/calling; without zones, nothing is known. */
  zoneKey: string;
  /** True when the clocks that the list and the number point to differ at some time; then all of them count. */
  disagree: boolean;
  /** What was found, the best first. */
  evidence: ZoneEvidence[];
  /** Set when the cell of the time-zone column has a name that nobody knows; `nearest`: a known name like it. */
  unknownTimezone?: { value: string; nearest: string | undefined };
}

export interface ZoneEvidence {
  source: 'timezone' | 'postal_code' | 'state' | 'country' | 'number';
  /** The cell or number that says so. */
  text: string;
  zones: readonly string[];
  regions: readonly string[];
}

/**
 * Where a person is, for calling hours. The best of time zone, postal code, state and country in the list counts, in
 * this order, and the number besides it: laws speak of where the person is, and of the area code as well. Where the one
 * only narrows what the other allows, the list counts; where they differ, a call has to be allowed by all of them.
 * States of all of them count, as each may bring a stricter rule.
 */
export function placeOfPerson(person: PersonCells): PersonPlace {
  const { phone } = person;
  const number = numberPlace(phone);
  const country = countryNamed(person.country ?? '') ?? number.country;
  const found: (ZoneEvidence | undefined)[] = [
    ofTimezone(person.timezone, country),
    ofPostalCode(person.postalCode, country),
    ofState(person.state, country),
    country === number.country ? undefined : ofCountry(person.country, country),
  ];
  const list = found.filter((each) => each !== undefined);
  const own: ZoneEvidence = { source: 'number', text: phone, ...number };
  const evidence = [...list, own];
  const best = list.find(({ zones }) => zones.length > 0)?.zones ?? [];
  const disagree = best.length > 0 && number.zones.length > 0 && !agree(best, number.zones);
  const zones = disagree ? [...best, ...number.zones] : best.length > 0 ? best : number.zones;
  const place = {
    zoneKey: zoneKey({ zones, regions: regionsOf(evidence, country) }),
    disagree,
    evidence,
  };
  const unknown = unknownIn(person.timezone, country);
  return unknown === undefined ? place : { ...place, unknownTimezone: unknown };
}

/** A country is left out where one of its states is known. */
function regionsOf(evidence: readonly ZoneEvidence[], country: string | undefined): string[] {
  const all = [
    ...evidence.flatMap(({ regions }) => regions),
    ...(country === undefined ? [] : [country]),
  ];
  return all.filter(
    (one) => one.includes('-') || !all.some((other) => other.startsWith(`${one}-`)),
  );
}

function ofTimezone(cell = '', country: string | undefined): ZoneEvidence | undefined {
  const zones = cell.trim() === '' ? undefined : zoneNamed(cell, country).zones;
  return zones && { source: 'timezone', text: cell.trim(), zones, regions: [] };
}

function unknownIn(cell = '', country: string | undefined): PersonPlace['unknownTimezone'] {
  if (cell.trim() === '') return undefined;
  const found = zoneNamed(cell, country);
  return found.zones === undefined ? { value: cell.trim(), nearest: found.nearest } : undefined;
}

function ofPostalCode(cell = '', country: string | undefined): ZoneEvidence | undefined {
  const place = country === undefined ? undefined : postalPlace(cell, country);
  return place && { source: 'postal_code', text: cell.trim(), ...place };
}

function ofState(cell = '', country: string | undefined): ZoneEvidence | undefined {
  const place = country === undefined ? undefined : stateNamed(cell, country);
  return place && { source: 'state', text: cell.trim(), ...place };
}

function ofCountry(cell = '', country: string | undefined): ZoneEvidence | undefined {
  if (country === undefined) return undefined;
  return {
    source: 'country',
    text: cell.trim(),
    zones: zonesOfCountry(country),
    regions: [country],
  };
}

/** True when the clocks of one are among those of the other: then the one says more exactly what the other says. */
function agree(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [new Set(one.map(clockOf)), new Set(other.map(clockOf))];
  return [...a].every((clock) => b.has(clock)) || [...b].every((clock) => a.has(clock));
}

/** Clocks are compared once a week in these years: none differ for less than that only. */
const [FIRST_WEEK, LAST_WEEK, WEEK_MS] = [Date.UTC(2026, 0, 1), Date.UTC(2029, 0, 1), 604_800_000];
const clocks = new Map<string, string>();
let offsets: OffsetAt | undefined;

/** Equal for zones whose clocks always agree. */
function clockOf(zone: string): string {
  offsets ??= zoneOffsets(loadZoneOverrides());
  let clock = clocks.get(zone);
  if (clock === undefined) {
    const shown: (number | undefined)[] = [];
    for (let at = FIRST_WEEK; at < LAST_WEEK; at += WEEK_MS) shown.push(offsets(zone, at));
    clock = shown.join();
    clocks.set(zone, clock);
  }
  return clock;
}
