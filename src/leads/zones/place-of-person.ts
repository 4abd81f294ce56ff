import { loadZoneOverrides } from '../../config/rules/zone-overrides.ts';
import type { OffsetAt } from '../../domain/calling/local-days.ts';
import { zoneKey } from '../../domain/calling/zone-key.ts';
import type { E164 } from '../../domain/phone.ts';
import { own } from '../../domain/safe-text.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import { nearest } from '../../text/nearest.ts';
import { SPOKEN_FORMS, SPOKEN_ZONES } from '../../text/zone-names.ts';
import { countryNamed } from '../phone/countries.ts';
import { numberPlace, zonesOfCountry } from './number-zones.ts';
import { postalPlace, stateNamed } from './postal-codes.ts';

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
  /** The cell of the time-zone column, when it has a name that nobody knows. */
  unknownTimezone?: string;
}

interface ZoneEvidence {
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
  const { phone, timezone = '' } = person;
  const number = numberPlace(phone);
  const country = countryNamed(person.country ?? '') ?? number.country;
  const byTimezone = ofTimezone(timezone, country);
  const found: (ZoneEvidence | undefined)[] = [
    byTimezone,
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
  const isUnknown = byTimezone === undefined && timezone.trim() !== '';
  return isUnknown ? { ...place, unknownTimezone: timezone.trim() } : place;
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

function ofTimezone(cell: string, country: string | undefined): ZoneEvidence | undefined {
  const zones = cell.trim() === '' ? undefined : zoneNamed(cell, country);
  return zones && { source: 'timezone', text: cell.trim(), zones, regions: [] };
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

/**
 * Names of time zones in Windows with the zone that each stands for. Source: Unicode CLDR,
 * common/supplemental/windowsZones.xml, territory 001.
 */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  `
Dateline Standard Time=-12:00;UTC-11=-11:00;Aleutian Standard Time=America/Adak;Hawaiian Standard Time=Pacific/Honolulu;
Marquesas Standard Time=Pacific/Marquesas;Alaskan Standard Time=America/Anchorage;UTC-09=-09:00;
Pacific Standard Time (Mexico)=America/Tijuana;UTC-08=-08:00;Pacific Standard Time=America/Los_Angeles;
US Mountain Standard Time=America/Phoenix;Mountain Standard Time (Mexico)=America/Mazatlan;
Mountain Standard Time=America/Denver;Yukon Standard Time=America/Whitehorse;
Central America Standard Time=America/Guatemala;Central Standard Time=America/Chicago;
Easter Island Standard Time=Pacific/Easter;Central Standard Time (Mexico)=America/Mexico_City;
Canada Central Standard Time=America/Regina;SA Pacific Standard Time=America/Bogota;
Eastern Standard Time (Mexico)=America/Cancun;Eastern Standard Time=America/New_York;Haiti Standard Time=America/Port-au-Prince;
Cuba Standard Time=America/Havana;US Eastern Standard Time=America/Indianapolis;Turks And Caicos Standard Time=America/Grand_Turk;
Paraguay Standard Time=America/Asuncion;Atlantic Standard Time=America/Halifax;Venezuela Standard Time=America/Caracas;
Central Brazilian Standard Time=America/Cuiaba;SA Western Standard Time=America/La_Paz;
Pacific SA Standard Time=America/Santiago;Newfoundland Standard Time=America/St_Johns;Tocantins Standard Time=America/Araguaina;
E. South America Standard Time=America/Sao_Paulo;SA Eastern Standard Time=America/Cayenne;
Argentina Standard Time=America/Buenos_Aires;Greenland Standard Time=America/Godthab;
Montevideo Standard Time=America/Montevideo;Magallanes Standard Time=America/Punta_Arenas;
Saint Pierre Standard Time=America/Miquelon;Bahia Standard Time=America/Bahia;UTC-02=-02:00;
Azores Standard Time=Atlantic/Azores;Cape Verde Standard Time=Atlantic/Cape_Verde;UTC=UTC;GMT Standard Time=Europe/London;
Greenwich Standard Time=Atlantic/Reykjavik;Sao Tome Standard Time=Africa/Sao_Tome;Morocco Standard Time=Africa/Casablanca;
W. Europe Standard Time=Europe/Berlin;Central Europe Standard Time=Europe/Budapest;Romance Standard Time=Europe/Paris;
Central European Standard Time=Europe/Warsaw;W. Central Africa Standard Time=Africa/Lagos;Jordan Standard Time=Asia/Amman;
GTB Standard Time=Europe/Bucharest;Middle East Standard Time=Asia/Beirut;Egypt Standard Time=Africa/Cairo;
E. Europe Standard Time=Europe/Chisinau;Syria Standard Time=Asia/Damascus;West Bank Standard Time=Asia/Hebron;
South Africa Standard Time=Africa/Johannesburg;FLE Standard Time=Europe/Kiev;Israel Standard Time=Asia/Jerusalem;
South Sudan Standard Time=Africa/Juba;Kaliningrad Standard Time=Europe/Kaliningrad;Sudan Standard Time=Africa/Khartoum;
Libya Standard Time=Africa/Tripoli;Namibia Standard Time=Africa/Windhoek;Arabic Standard Time=Asia/Baghdad;
Turkey Standard Time=Europe/Istanbul;Arab Standard Time=Asia/Riyadh;Belarus Standard Time=Europe/Minsk;
Russian Standard Time=Europe/Moscow;E. Africa Standard Time=Africa/Nairobi;Volgograd Standard Time=Europe/Volgograd;
Iran Standard Time=Asia/Tehran;Arabian Standard Time=Asia/Dubai;Astrakhan Standard Time=Europe/Astrakhan;
Azerbaijan Standard Time=Asia/Baku;Russia Time Zone 3=Europe/Samara;Mauritius Standard Time=Indian/Mauritius;
Saratov Standard Time=Europe/Saratov;Georgian Standard Time=Asia/Tbilisi;Caucasus Standard Time=Asia/Yerevan;
Afghanistan Standard Time=Asia/Kabul;West Asia Standard Time=Asia/Tashkent;Ekaterinburg Standard Time=Asia/Yekaterinburg;
Pakistan Standard Time=Asia/Karachi;Qyzylorda Standard Time=Asia/Qyzylorda;India Standard Time=Asia/Calcutta;
Sri Lanka Standard Time=Asia/Colombo;Nepal Standard Time=Asia/Katmandu;Central Asia Standard Time=Asia/Bishkek;
Bangladesh Standard Time=Asia/Dhaka;Omsk Standard Time=Asia/Omsk;Myanmar Standard Time=Asia/Rangoon;
SE Asia Standard Time=Asia/Bangkok;Altai Standard Time=Asia/Barnaul;W. Mongolia Standard Time=Asia/Hovd;
North Asia Standard Time=Asia/Krasnoyarsk;N. Central Asia Standard Time=Asia/Novosibirsk;Tomsk Standard Time=Asia/Tomsk;
China Standard Time=Asia/Shanghai;North Asia East Standard Time=Asia/Irkutsk;Singapore Standard Time=Asia/Singapore;
W. Australia Standard Time=Australia/Perth;Taipei Standard Time=Asia/Taipei;Ulaanbaatar Standard Time=Asia/Ulaanbaatar;
Aus Central W. Standard Time=Australia/Eucla;Transbaikal Standard Time=Asia/Chita;Tokyo Standard Time=Asia/Tokyo;
North Korea Standard Time=Asia/Pyongyang;Korea Standard Time=Asia/Seoul;Yakutsk Standard Time=Asia/Yakutsk;
Cen. Australia Standard Time=Australia/Adelaide;AUS Central Standard Time=Australia/Darwin;
E. Australia Standard Time=Australia/Brisbane;AUS Eastern Standard Time=Australia/Sydney;
West Pacific Standard Time=Pacific/Port_Moresby;Tasmania Standard Time=Australia/Hobart;
Vladivostok Standard Time=Asia/Vladivostok;Lord Howe Standard Time=Australia/Lord_Howe;
Bougainville Standard Time=Pacific/Bougainville;Russia Time Zone 10=Asia/Srednekolymsk;Magadan Standard Time=Asia/Magadan;
Norfolk Standard Time=Pacific/Norfolk;Sakhalin Standard Time=Asia/Sakhalin;Central Pacific Standard Time=Pacific/Guadalcanal;
Russia Time Zone 11=Asia/Kamchatka;New Zealand Standard Time=Pacific/Auckland;UTC+12=+12:00;Fiji Standard Time=Pacific/Fiji;
Chatham Islands Standard Time=Pacific/Chatham;UTC+13=+13:00;Tonga Standard Time=Pacific/Tongatapu;
Samoa Standard Time=Pacific/Apia;Line Islands Standard Time=Pacific/Kiritimati`
    .split(';')
    .map((pair) => pair.trim().split('=') as [name: string, zone: string]),
);

/** Characters of a name at most; for a long text some patterns take time that grows with its cube. */
const LONGEST = 200;

/**
 * Reads the name of a time zone as lists have it: IANA names in any case, the names of Windows (`Eastern Standard
 * Time`) and of Rails and HubSpot (`Eastern Time (US & Canada)`), `Eastern`, `EST`, and fixed offsets such as `+05:30`,
 * `UTC+5` and `GMT-0300`. Offsets have no summer time. `EST` is the time of New York, not the one of Panama that Intl
 * takes it for.
 * @param country ISO 3166 code of the person's country, which decides what abbreviations such as IST mean
 */
export function zoneNamed(
  text: string,
  country: string | undefined,
): readonly string[] | undefined {
  if (text.trim().length > LONGEST) return undefined;
  const name = text.normalize('NFKC').trim();
  const word = folded(name);
  const short = own(ABBREVIATIONS, word);
  const byCountry = short?.find(({ countries }) => countries.split(' ').includes(country ?? '-'));
  if (short !== undefined) {
    const zones = byCountry?.zones ?? short.find(({ countries }) => countries === '')?.zones;
    return zones === undefined ? undefined : [zones];
  }
  const zone = offsetIn(name) ?? known().get(word) ?? known().get(folded(withoutOffset(name)));
  return zone === undefined ? undefined : [zone];
}

/** The known name of a zone that was probably meant, see `nearest`; up to a millisecond. */
export function zoneMeant(text: string): string | undefined {
  if (text.length > LONGEST || own(ABBREVIATIONS, folded(text)) !== undefined) return undefined;
  return nearest(text, [...Object.keys(SPOKEN_ZONES), ...Intl.supportedValuesOf('timeZone')]);
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
  return anywhere(words, zones, NORTH_AMERICA);
}

function anywhere(words: string, zones: string, countries = '') {
  return Object.fromEntries(words.split(' ').map((word) => [word, [{ zones, countries }]]));
}

let names: ReadonlyMap<string, string> | undefined;

function known(): ReadonlyMap<string, string> {
  names ??= new Map([
    ...[...WINDOWS_ZONES].map(([name, zone]) => [folded(name), zone] as const),
    ...SPOKEN_FORMS,
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
