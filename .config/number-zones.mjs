// Writes src/leads/zones/number-zones.ts. The zones of a country are those of the time-zone database's country table
// (test/leads/zones/iana/clocks.txt). Which part of a country a number is of is in two files of google/libphonenumber:
// resources/timezones/map_data.txt and resources/geocoding/en/1.txt. Its names of zones are not used: it gives one name
// to all zones whose clocks were equal once, whatever their country (Europe/Paris for Algeria).
// `npm run zones -- MAP_DATA GEOCODING VERSION` after a new version of one of the three.
import { readFileSync, writeFileSync } from 'node:fs';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';

const [mapData, geocoding, version] = process.argv.slice(2);
if (version === undefined) throw new Error('usage: number-zones.mjs MAP_DATA GEOCODING VERSION');

/*
 * Area codes that serve the same region. Google's data has one zone for the younger ones where the older one is split,
 * or does not know them yet. Source: NANPA's planning letters on each relief.
 */
const OVERLAYS = [
  '208 986',
  '250 236 257 672 778',
  '270 364',
  '418 367 581',
  '423 729',
  '541 458',
  '709 879',
  '812 930',
  '819 468 873',
  '850 448',
  '313 679',
  '507 924',
].map((group) => group.split(' '));

/**
 * Zones of a country in which so few people live that they do not decide when everybody else with a mobile may be called:
 * fewer than 5,000, and fewer than one in 1,000 of the country. Land lines there keep them. Cocos (593 people) and
 * Christmas Island (1,692, both ABS, census of 2021) are countries of their own in the table, apart from Australia.
 * Figures were read as others quote them.
 */
const HARDLY_ANYBODY = {
  'Antarctica/Macquarie': 'a research station, nobody lives there for good',
  'Australia/Lord_Howe': '382 people, ABS, census of 2016; Australia has 25,422,788 (2021)',
  'Australia/Eucla': '37 people, ABS, census of 2021',
  'Pacific/Chatham': '663 people, Stats NZ, census of 2018; New Zealand has 4.7 million',
  'America/Noronha': '3,167 people, IBGE, census of 2022; Brazil has 203 million',
  'America/Danmarkshavn': 'a weather station with 8 people, cenperm.ku.dk; Greenland has 56,000',
  'Pacific/Kanton': '41 people, Kiribati, census of 2005; Kiribati has more than 92,000',
};
/** Names that Node 22.13 (data 2024b) does not know yet: others with the same clock are taken. */
const TOO_YOUNG = ['America/Coyhaique'];
/** Regions with numbers that the country table has within another one. */
const WITHIN = { AC: 'SH', TA: 'SH', XK: 'RS' };

/** What an area code or prefix serves, where Google's data has it wrong, merged or not at all. */
const INSTEAD = {
  // An overlay of Orlando (407), and one of Saskatchewan (306).
  1689: ['America/New_York'],
  1474: ['America/Regina'],
  // Western Ontario keeps the clock of Manitoba (tz NEWS 2026f); Atikokan and others have no summer time.
  1807: ['America/Toronto', 'America/Atikokan', 'America/Winnipeg'],
  // Nunavut, the Northwest Territories and Yukon, by the comments of zone.tab.
  1867: [
    'America/Iqaluit', 'America/Atikokan', 'America/Rankin_Inlet', 'America/Cambridge_Bay', 'America/Edmonton',
    'America/Inuvik', 'America/Whitehorse',
  ],
  // Kaliningrad has no summer time, as Bucharest has.
  740: ['Europe/Kaliningrad'],
  7401: ['Europe/Kaliningrad'],
  7840: ['Europe/Kaliningrad', 'Europe/Moscow'],
  // Tweed Heads and its surroundings are in New South Wales.
  617: ['Australia/Brisbane', 'Australia/Sydney'],
  // From Perth by way of Darwin and Adelaide to Broken Hill.
  618: ['Australia/Perth', 'Australia/Darwin', 'Australia/Adelaide', 'Australia/Sydney'],
  // Google has Noronha for all of Pernambuco, whose only numbers on the islands are these; Manaus for parts of Pará. Their clock is that of São Paulo.
  5581: ['America/Sao_Paulo'],
  55813619: ['America/Noronha'],
  ...each(['5591', '5593', '5594'], ['America/Sao_Paulo']),
  // Chihuahua keeps the clock of Mexico City since 2022-10-30, but for the border; 649 is in Durango, too.
  ...each(
    ['52614', '52621', '52625', '52627', '52629', '52635', '52636', '52639', '52648', '52649', '52652', '52659'],
    ['America/Mexico_City'],
  ),
  // Saratov went to UTC+4 on 2016-12-04, the clock of Samara.
  7845: ['Europe/Samara'],
  // Land lines: area codes of Xinjiang, which has two times, and of the Crimea (national numbering plans, ITU-T E.164).
  86: ['Asia/Shanghai'],
  ...each(['86901', '86902', '86903', '86906', '86908', '86909', '8699'], ['Asia/Shanghai', 'Asia/Urumqi']),
  380: ['Europe/Kyiv'],
  ...each(['38065', '38069'], ['Europe/Kyiv', 'Europe/Simferopol']),
}; // prettier-ignore

/** Toll-free, personal, premium and machine numbers: nobody's place. */
const NOT_A_PLACE =
  /^1(8(00|33|44|55|66|77|88)|5(00|2[1-9]|33|44|66|77|88)|600|622|633|644|655|677|688|700|710|900)/;

const STATES = Object.fromEntries(
  `Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,Washington D.C. DC,
Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,
Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,
New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,
Pennsylvania PA,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,
Washington State WA,West Virginia WV,Wisconsin WI,Wyoming WY`
    .split(/,\s*/)
    .map((entry) => [entry.slice(0, -3), `US-${entry.slice(-2)}`]),
);
const PROVINCES = {
  Alberta: ['CA-AB'],
  'British Columbia': ['CA-BC'],
  'British Colombia': ['CA-BC'],
  Manitoba: ['CA-MB'],
  'New Brunswick': ['CA-NB'],
  'Newfoundland and Labrador': ['CA-NL'],
  'Nova Scotia/Prince Edward Island': ['CA-NS', 'CA-PE'],
  'Northwest Territories/Nunavut/Yukon': ['CA-NT', 'CA-NU', 'CA-YT'],
  Ontario: ['CA-ON'],
  Quebec: ['CA-QC'],
  Saskatchewan: ['CA-SK'],
};
/** Area codes without a row of their own in the geocoding file. */
const REGIONS = {
  203: 'US-CT', 310: 'US-CA', 713: 'US-TX', 718: 'US-NY', 905: 'CA-ON', 679: 'US-MI', 729: 'US-TN', 924: 'US-MN',
  242: 'BS', 246: 'BB', 264: 'AI', 268: 'AG', 284: 'VG', 340: 'US-VI', 345: 'KY', 441: 'BM', 473: 'GD', 649: 'TC',
  658: 'JM', 664: 'MS', 670: 'US-MP', 671: 'US-GU', 684: 'US-AS', 721: 'SX', 758: 'LC', 767: 'DM', 784: 'VC',
  787: 'US-PR', 939: 'US-PR', 809: 'DO', 829: 'DO', 849: 'DO', 868: 'TT', 869: 'KN', 876: 'JM',
}; // prettier-ignore

const { countries, clocks } = timeZoneDatabase();
const places = new Map(linesOf(geocoding));
const rows = new Map(linesOf(mapData).map(([prefix, zones]) => [prefix, zones.split('&')]));
/** Names that are taken before others with the same clock. */
const named = [
  new Set([...Object.values(INSTEAD).flat(), 'America/Nuuk']),
  new Set([...rows.values()].flat()),
  { has: () => true },
];
for (const [prefix, zones] of Object.entries(INSTEAD)) rows.set(prefix, zones);

const areaCodes = new Map();
for (const [prefix, zones] of rows) {
  if (!/^1\d{3}/.test(prefix) || NOT_A_PLACE.test(prefix)) continue;
  const code = prefix.slice(1, 4);
  const instead = INSTEAD[prefix.slice(0, 4)] ?? zones;
  add(
    areaCodes,
    code,
    instead.flatMap((zone) => zoneIn(countryOf(code), zone) ?? []),
  );
}
for (const group of OVERLAYS) {
  const all = group.flatMap((code) => areaCodes.get(code) ?? []);
  for (const code of group) add(areaCodes, code, all);
}

/** Land lines of countries with several clocks; in all others a number is anywhere in its country. */
const prefixes = new Map();
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  if (code === '1' || zonesOf(country).length === 1) continue;
  for (const [prefix, zones] of rows) {
    // Kazakhstan has the calling code of Russia, and one clock. A country as a whole is in the table of countries.
    if (!prefix.startsWith(code) || /^7[67]/.test(prefix)) continue;
    if (prefix === code && INSTEAD[code] === undefined) continue;
    // Exchanges of an area that is mended say no more than the area itself: numbers move with people.
    const area = areaInstead(prefix) ?? prefix;
    const own = INSTEAD[area] ?? zones;
    add(
      prefixes,
      area,
      own.flatMap((zone) => zoneIn(country, zone) ?? []),
    );
  }
}
for (const [prefix, zones] of prefixes) if (zones.length === 0) prefixes.delete(prefix);
/** By calling code, for entries that say no more than the country. */
const whole = new Map(
  getCountries().map((country) => [getCountryCallingCode(country), inhabited(country)]),
);

const numbering = [...areaCodes].sort().map(([code, zones]) => {
  return [`${zones.sort().join('&')}|${regionsOf(code).join(' ')}`, code];
});
const byCountry = getCountries()
  .sort()
  .map((country) => [inhabited(country).join('&'), country]);
const elsewhere = [...prefixes].sort().filter(([prefix, zones]) => !isSameAsShorter(prefix, zones));

writeFileSync(
  new URL('../src/leads/zones/number-zones.ts', import.meta.url),
  `/*
 * Written by \`npm run zones\`; do not edit. Time zones of countries by zone.tab of the time-zone database
 * ${clocks.version}, in the public domain. Time zones and states of phone numbers, made from the files
 * resources/timezones/map_data.txt and resources/geocoding/en/1.txt of google/libphonenumber,
 * ${version}.
 * Copyright (C) 2011, 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0
 * (http://www.apache.org/licenses/LICENSE-2.0). Changed: exchanges are united to area codes, area codes that serve the
 * same region to each other, and zones are named by their own country; see README.md beside this file.
 */

/** Zones of countries, one of those whose clocks agree: \`zone&zone|country country;\`. */
export const COUNTRIES = [
${written(byCountry)}
].join('');

/** Area codes of +1: \`zone&zone|region region|code code;\`. */
export const AREA_CODES = [
${written(numbering)}
].join('');

/** Land lines of countries with several clocks, by their first digits; the longest entry counts: \`zone&zone|digits digits;\`. */
export const PREFIXES = [
${written(elsewhere.map(([prefix, zones]) => [zones.sort().join('&'), prefix]))}
].join('');
`,
);

/** The longest entry of `INSTEAD` with which a prefix begins, but for those of a whole country. */
function areaInstead(prefix) {
  return Object.keys(INSTEAD)
    .filter((area) => area.length > 2 && prefix.startsWith(area))
    .sort((a, b) => b.length - a.length)[0];
}

function linesOf(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.trim().split('|'));
}

/** What `npm run time-zones` wrote: the zones of each country, and the clock of each name of a zone. */
function timeZoneDatabase() {
  const text = readFileSync(
    new URL('../test/leads/zones/iana/clocks.txt', import.meta.url),
    'utf8',
  );
  const countries = new Map();
  const clocks = new Map();
  clocks.version = /^# Time-zone database (\w+)/.exec(text)[1];
  for (const [, country, zones] of text.matchAll(/^country (\w\w) (.*)$/gm)) {
    countries.set(country, zones.split(' '));
  }
  for (const [, clock, names] of text.matchAll(/^clock (.*) \| (.*)$/gm)) {
    for (const name of names.split(' ')) clocks.set(name, clock);
  }
  return { countries, clocks };
}

/** One zone of a country for each clock: one that is named above or by Google, else the first of the country table. */
function zonesOf(country) {
  const all = countries.get(WITHIN[country] ?? country).filter((zone) => !TOO_YOUNG.includes(zone));
  const rank = (zone) =>
    named.findIndex((names) => names.has(zone)) + (HARDLY_ANYBODY[zone] === undefined ? 0 : 10);
  const byRank = all.toSorted((a, b) => rank(a) - rank(b));
  return byRank.filter((zone) => byRank.find((other) => isSameClock(other, zone)) === zone);
}

function inhabited(country) {
  return zonesOf(country)
    .filter((zone) => HARDLY_ANYBODY[zone] === undefined)
    .sort();
}

function isSameClock(one, other) {
  return clocks.get(one) === clocks.get(other);
}

/** The zone of a country that has the clock of this one; undefined: it has none. */
function zoneIn(country, zone) {
  const found = zonesOf(country).find((own) => isSameClock(own, zone));
  if (found === undefined) console.log(`${country} has no zone with the clock of ${zone}`);
  return found;
}

function countryOf(code) {
  const [region] = regionsOf(code);
  return /^US-(PR|VI|GU|MP|AS)$/.test(region) ? region.slice(3) : region.slice(0, 2);
}

function each(prefixes, zones) {
  return Object.fromEntries(prefixes.map((prefix) => [prefix, zones]));
}

function add(map, key, zones) {
  map.set(key, [...new Set([...(map.get(key) ?? []), ...zones])]);
}

function regionsOf(code) {
  if (REGIONS[code] !== undefined) return [REGIONS[code]];
  const place = places.get(`1${code}`) ?? '';
  const found = PROVINCES[place] ?? STATES[place] ?? cityOf(place);
  if (found === undefined) throw new Error(`area code ${code} is in "${place}"`);
  return [found].flat();
}

/** \`Chicago, IL\`, \`Montreal, QC\`. */
function cityOf(place) {
  const code = /, ([A-Z]{2})$/.exec(place)?.[1];
  if (Object.values(STATES).includes(`US-${code}`)) return `US-${code}`;
  return ['ON', 'QC'].includes(code) ? `CA-${code}` : undefined;
}

function isSameAsShorter(prefix, zones) {
  for (let length = prefix.length - 1; length > 0; length -= 1) {
    const shorter = prefixes.get(prefix.slice(0, length)) ?? whole.get(prefix.slice(0, length));
    if (shorter !== undefined) return [...shorter].sort().join() === [...zones].sort().join();
  }
  return false;
}

/** Entries that have the same head become one, and lines of about 300 characters hold several: `head|tail tail; ...`. */
function written(entries) {
  const tails = new Map();
  for (const [head, tail] of entries) tails.set(head, [...(tails.get(head) ?? []), tail]);
  const lines = [''];
  for (const [head, all] of tails) {
    const entry = `${head}|${all.join(' ')};`;
    if (lines.at(-1).length + entry.length > 300) lines.push('');
    lines.push(lines.pop() + entry);
  }
  return lines
    .filter((line) => line !== '')
    .map((line) => `  '${line}',`)
    .join('\n');
}
