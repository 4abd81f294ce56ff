// Writes src/leads/zones/number-table.ts: the time zones and states of phone numbers, out of two files of
// google/libphonenumber: resources/timezones/map_data.txt and resources/geocoding/en/1.txt.
// `npm run zones -- MAP_DATA GEOCODING VERSION` after a new version of them.
import { readFileSync, writeFileSync } from 'node:fs';

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

/** Zones that Google's data leaves out: what an area code or prefix serves besides. */
const ALSO = {
  // Western Ontario keeps the clock of Manitoba, which may leave that of the central United States.
  1807: ['America/Chicago'],
  // Darwin has the clock of Adelaide without summer time.
  618: ['Australia/Darwin', 'Australia/Eucla'],
  61: ['Australia/Darwin'],
  // Tweed Heads and its surroundings are in New South Wales.
  617: ['Australia/Brisbane'],
  76: ['Asia/Almaty', 'Asia/Aqtobe'],
};
/** Names in Google's data that stand for a zone with another clock. */
const RATHER = { 7: { 'Europe/Bucharest': 'Europe/Kaliningrad' } };
/** Rows that are wrong: overlays of Orlando (407) and of Saskatchewan (306), which have one clock. */
const WRONG_ROWS = { 1689: ['America/New_York'], 1474: ['America/Regina'] };
/** What Google's data names for Kazakhstan under the code of Russia. */
const NOT_RUSSIA = ['Asia/Almaty', 'Asia/Aqtobe'];

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

const rows = linesOf(mapData).map(([prefix, zones]) => [prefix, zones.split('&')]);
const places = new Map(linesOf(geocoding));

const areaCodes = new Map();
for (const [prefix, zones] of rows) {
  if (!/^1\d{3}/.test(prefix) || NOT_A_PLACE.test(prefix)) continue;
  add(areaCodes, prefix.slice(1, 4), WRONG_ROWS[prefix] ?? zones);
}
for (const group of OVERLAYS) {
  const all = group.flatMap((code) => areaCodes.get(code) ?? []);
  for (const code of group) add(areaCodes, code, all);
}
const prefixes = new Map();
for (const [prefix, zones] of rows) {
  if (prefix.startsWith('1')) continue;
  const rather = RATHER[prefix[0]] ?? {};
  const own = prefix === '7' ? zones.filter((zone) => !NOT_RUSSIA.includes(zone)) : zones;
  // Exchanges of one Australian area say no more than the area itself: numbers move with people.
  add(
    prefixes,
    prefix.replace(/^(61[78]).*/, '$1'),
    own.map((zone) => rather[zone] ?? zone),
  );
}
for (const [prefix, zones] of Object.entries(ALSO)) {
  if (prefix.startsWith('1')) add(areaCodes, prefix.slice(1), zones);
  else add(prefixes, prefix, zones);
}

const numbering = [...areaCodes].sort().map(([code, zones]) => {
  return [`${zones.sort().join('&')}|${regionsOf(code).join(' ')}`, code];
});
const elsewhere = [...prefixes].sort().filter(([prefix, zones]) => !isSameAsShorter(prefix, zones));

writeFileSync(
  new URL('../src/leads/zones/number-table.ts', import.meta.url),
  `/*
 * Written by \`npm run zones\`; do not edit. Time zones and states of phone numbers, made from the files
 * resources/timezones/map_data.txt and resources/geocoding/en/1.txt of google/libphonenumber,
 * ${version}.
 * Copyright (C) 2011, 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0
 * (http://www.apache.org/licenses/LICENSE-2.0). Changed: exchanges are united to area codes, area codes that serve the
 * same region to each other; see README.md beside this file.
 */

/** Area codes of +1: \`zone&zone|region region|code code;\`. */
export const AREA_CODES = [
${written(numbering)}
].join('');

/** Other numbers by their first digits, the country code included; the longest entry counts: \`zone&zone|digits digits;\`. */
export const PREFIXES = [
${written(elsewhere.map(([prefix, zones]) => [zones.sort().join('&'), prefix]))}
].join('');
`,
);

function linesOf(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.trim().split('|'));
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
    const shorter = prefixes.get(prefix.slice(0, length));
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
