import { readFileSync } from 'node:fs';

/*
 * The time-zone database as Debian ships it, by an extract that `npm run time-zones` has written (clocks.txt). Tests
 * judge by it, and by neither Node's data nor our tables.
 */

const text = readFileSync(new URL('clocks.txt', import.meta.url), 'utf8');
const FROM = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

/** The version of the database, e.g. `2026f`. */
export const VERSION = /^# Time-zone database (\w+)/.exec(text)?.[1] ?? '';
/** The extract holds clocks from 2026-01-01 to here, exclusive. */
export const END = Date.UTC(2030, 0, 1);

/** A clock: its changes, each with the offset from then on, ms; the first is where the extract begins. */
export type Clock = readonly { at: number; offset: number }[];

const countries = new Map(
  [...text.matchAll(/^country (\w\w) (.*)$/gm)].map(([, country = '', zones = '']) => {
    return [country, zones.split(' ')] as const;
  }),
);

const clocks = new Map(
  [...text.matchAll(/^clock (.*) \| (.*)$/gm)].flatMap(([, written = '', names = '']) => {
    const clock = written.split(' ').map((change) => {
      const [minutes = 0, offset = minutes] = change.split(':').map(Number);
      const at = change.includes(':') ? FROM + minutes * MINUTE : FROM;
      return { at, offset: offset * MINUTE };
    });
    return names.split(' ').map((name) => [name, clock] as const);
  }),
);

/** All names of zones and links. */
export const NAMES = [...clocks.keys()];

/** Regions of phone numbers that are no countries of the table: Ascension, Tristan da Cunha, Kosovo. */
const WITHIN: Record<string, string> = { AC: 'SH', TA: 'SH', XK: 'RS' };

/** The zones of a country by zone.tab. @param country ISO 3166 code, or a region of phone numbers */
export function zonesOf(country: string): readonly string[] {
  return countries.get(WITHIN[country] ?? country) ?? [];
}

/** The same object for all zones whose clocks agree. @throws Error if there is no such zone */
export function clockOf(zone: string): Clock {
  const clock = clocks.get(zone);
  if (clock === undefined) throw new Error(`no zone ${zone} in ${VERSION}`);
  return clock;
}

/** Offset from UTC, ms, from 2026 to 2029. */
export function offsetAt(clock: Clock, at: number): number {
  return clock.findLast((change) => change.at <= at)?.offset ?? NaN;
}
