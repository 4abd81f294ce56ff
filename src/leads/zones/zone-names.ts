import { nearest } from '../../text/nearest.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';
import { own } from '../../domain/lists/own.ts';

/** The zones that a name means; of an unknown one the nearest known name. */
export type NamedZones =
  { zones: readonly string[] } | { zones?: undefined; nearest: string | undefined };

/** Characters of a name at most; for a long text some patterns take time that grows with its cube. */
const LONGEST = 200;

/**
 * Reads the name of a time zone as lists have it: IANA names in any case, the names of Windows (`Eastern Standard Time`)
 * and of Rails and HubSpot (`Eastern Time (US & Canada)`), `Eastern`, `EST`, and fixed offsets such as `+05:30`, `UTC+5`
 * and `GMT-0300`. Offsets have no summer time. `EST` is the time of New York, not the one of Panama that Intl takes it for.
 *
 * @param country ISO 3166 code of the person's country, which decides what abbreviations such as IST mean
 */
export function zoneNamed(text: string, country: string | undefined): NamedZones {
  if (text.trim().length > LONGEST) return { nearest: undefined };
  const name = text.normalize('NFKC').trim();
  const word = folded(name);
  const short = own(ABBREVIATIONS, word);
  const byCountry = short?.find(({ countries }) => countries.split(' ').includes(country ?? '-'));
  if (short !== undefined) {
    const zones = byCountry?.zones ?? short.find(({ countries }) => countries === '')?.zones;
    return zones === undefined ? { nearest: undefined } : { zones: [zones] };
  }
  const zone = offsetIn(name) ?? known().get(word) ?? known().get(folded(withoutOffset(name)));
  if (zone !== undefined) return { zones: [zone] };
  return { nearest: nearest(name, [...SPOKEN_NAMES, ...Intl.supportedValuesOf('timeZone')]) };
}

const NORTH_AMERICA = 'US CA MX PR BM BS';

/** Abbreviations with what they mean by country; without countries: anywhere. */
const ABBREVIATIONS: Readonly<Record<string, { zones: string; countries: string }[]>> = {
  ...american('e est edt et', 'America/New_York'),
  ...american('c cst cdt ct', 'America/Chicago'),
  ...american('m mst mdt mt', 'America/Denver'),
  ...american('p pst pdt pt', 'America/Los_Angeles'),
  ...american('ast adt at', 'America/Halifax'),
  ...american('nst ndt nt', 'America/St_Johns'),
  ...american('akst akdt akt', 'America/Anchorage'),
  ...american('hst hdt hast', 'Pacific/Honolulu'),
  ist: [
    { zones: 'Asia/Kolkata', countries: 'IN' },
    { zones: 'Europe/Dublin', countries: 'IE' },
    { zones: 'Asia/Jerusalem', countries: 'IL' },
  ],
  bst: [
    { zones: 'Europe/London', countries: 'GB IM JE GG' },
    { zones: 'Asia/Dhaka', countries: 'BD' },
  ],
  ...anywhere('gmt utc z zulu', 'UTC'),
  ...anywhere('wet west', 'Europe/Lisbon'),
  ...anywhere('cet cest met', 'Europe/Paris'),
  ...anywhere('eet eest', 'Europe/Athens'),
  ...anywhere('msk', 'Europe/Moscow'),
  ...anywhere('jst', 'Asia/Tokyo'),
  ...anywhere('hkt', 'Asia/Hong_Kong'),
  ...anywhere('sgt', 'Asia/Singapore'),
  ...anywhere('awst', 'Australia/Perth'),
  ...anywhere('acst acdt', 'Australia/Adelaide'),
  ...anywhere('aedt', 'Australia/Sydney'),
  ...anywhere('aest', 'Australia/Sydney'),
  ...anywhere('nzst nzdt', 'Pacific/Auckland'),
  ...anywhere('sast', 'Africa/Johannesburg'),
  ...anywhere('brt', 'America/Sao_Paulo'),
};

/** Such an abbreviation has another meaning elsewhere (CST in China, AST in Arabia, EST in Australia). */
function american(words: string, zones: string) {
  return Object.fromEntries(
    words.split(' ').map((word) => [word, [{ zones, countries: NORTH_AMERICA }]]),
  );
}

function anywhere(words: string, zones: string) {
  return Object.fromEntries(words.split(' ').map((word) => [word, [{ zones, countries: '' }]]));
}

/** Names that people say, with the zones that they mean. */
const SPOKEN: Readonly<Record<string, string>> = {
  Eastern: 'America/New_York',
  Central: 'America/Chicago',
  Mountain: 'America/Denver',
  Pacific: 'America/Los_Angeles',
  Arizona: 'America/Phoenix',
  Indiana: 'America/Indiana/Indianapolis',
  Alaska: 'America/Anchorage',
  Alaskan: 'America/Anchorage',
  Hawaii: 'Pacific/Honolulu',
  Atlantic: 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  Saskatchewan: 'America/Regina',
};
const SPOKEN_NAMES = Object.keys(SPOKEN);
/** What may follow a spoken name: `Eastern Time (US & Canada)`, `Pacific Daylight Time`, `US/Eastern`. */
const SUFFIXES = [
  '',
  ' time',
  ' standard time',
  ' daylight time',
  ' time us canada',
  ' us canada',
  ' time us and canada',
];

let names: ReadonlyMap<string, string> | undefined;

function known(): ReadonlyMap<string, string> {
  names ??= new Map([
    ...[...WINDOWS_ZONES].map(([name, zone]) => [folded(name), zone] as const),
    ...Object.entries(SPOKEN).flatMap(([name, zone]) => [
      ...SUFFIXES.map((suffix) => [`${name.toLowerCase()}${suffix}`, zone] as const),
      [`us ${name.toLowerCase()}`, zone] as const,
      [`canada ${name.toLowerCase()}`, zone] as const,
    ]),
    ...IANA_LINKS.split(' ').map((link) => [folded(link), link] as const),
    ...Intl.supportedValuesOf('timeZone').map((zone) => [folded(zone), zone] as const),
  ]);
  return names;
}

/** Names of the tz database that Node understands and does not list. */
const IANA_LINKS =
  'Asia/Kolkata Europe/Kyiv Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Yangon America/Argentina/Buenos_Aires ' +
  'America/Indiana/Indianapolis America/Kentucky/Louisville Atlantic/Faroe Pacific/Kanton America/Nuuk ' +
  'America/Atikokan Pacific/Pohnpei Pacific/Chuuk Asia/Chongqing Europe/Belfast America/Fort_Wayne Canada/Yukon ' +
  'Asia/Istanbul Australia/ACT Australia/NSW Australia/North Australia/Queensland Australia/South Australia/Tasmania ' +
  'Australia/Victoria Australia/West Brazil/East Brazil/West Brazil/Acre Chile/Continental Mexico/General Africa/Asmara';

/** `+05:30`, `UTC+5`, `GMT-0300`, `UTC+05:30`. @returns `+05:30` */
function offsetIn(name: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] =
    /^(?:UTC|GMT)?\s*([+\-−])\s*(\d{1,2})(?::?(\d{2}))?$/i.exec(name) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return `${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`;
}

/** `(UTC-05:00) Eastern Time (US & Canada)` without the offset, which is that of the winter only. */
function withoutOffset(name: string): string {
  return name.replace(/^\((?:UTC|GMT)[^)]*\)\s*/i, '');
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}+-]+/gu, ' ').trim(); // prettier-ignore
}
