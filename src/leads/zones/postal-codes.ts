import type { CountryCode } from 'libphonenumber-js/max';

import { oneForm } from '../../text/fold-words.ts';
import { zonesOfCountry } from './number-zones.ts';

/**
 * Where the first three digits of a US ZIP code are. `AL 350-369`: a state's range; `FL 324-325 Chicago`: a part of it
 * with one clock, where the state has two. Of a part that is not named the whole state counts. Source: USPS Publication
 * 65 (ranges), and 49 CFR part 71 (which counties keep which time).
 */
const ZIPS = `
PR 006-007 VI 008 PR 009 MA 010-027 RI 028-029 NH 030-038 ME 039-049 VT 050-054 MA 055 VT 056-059 CT 060-069 NJ 070-089
NY 100-149 PA 150-196 DE 197-199 DC 200-205 MD 206-219 VA 220-246 WV 247-268 NC 270-289 SC 290-299 GA 300-319
FL 320-349 AL 350-369 TN 370-385 MS 386-397 GA 398-399 KY 400-427 OH 430-459 IN 460-479 MI 480-499 IA 500-528
WI 530-549 MN 550-567 DC 569 SD 570-577 ND 580-588 MT 590-599 IL 600-629 MO 630-658 KS 660-679 NE 680-693 LA 700-714
AR 716-729 OK 730-732 TX 733 OK 734-749 TX 750-799 CO 800-816 WY 820-831 ID 832-838 UT 840-847 AZ 850-865 NM 870-884
TX 885 NV 889-898 CA 900-961 HI 967-968 GU 969 OR 970-979 WA 980-994 AK 995-999 NY 005 DC 202-205`;

const ONE_CLOCK = `
FL 320-323 New_York FL 326-349 New_York TN 370-372 Chicago TN 374 New_York TN 376-379 New_York TN 380-384 Chicago
KY 402-405 New_York KY 410-418 New_York KY 420-424 Chicago IN 460-462 New_York IN 465-474 New_York IN 463-464 Chicago
IN 478-479 New_York MI 480-497 New_York SD 570-574 Chicago ND 580-584 Chicago KS 660-676 Chicago NE 680-689 Chicago
TX 733 Chicago TX 750-797 Chicago ID 832-834 Denver ID 836-837 Denver ID 838 Los_Angeles OR 970-978 Los_Angeles
NV 889-897 Los_Angeles AZ 850-859 Phoenix AK 998 Anchorage`;

/** The first letter of a Canadian postal code. Source: Canada Post, Addressing Guidelines. */
const CANADA: Record<string, string[]> = {
  A: ['NL'], B: ['NS'], C: ['PE'], E: ['NB'], G: ['QC'], H: ['QC'], J: ['QC'], K: ['ON'], L: ['ON'], M: ['ON'],
  N: ['ON'], P: ['ON'], R: ['MB'], S: ['SK'], T: ['AB'], V: ['BC'], X: ['NT', 'NU'], Y: ['YT'],
}; // prettier-ignore
/** Letters that lie within one clock, though their province has more. */
const CANADA_ONE_CLOCK: Record<string, string> = { H: 'Toronto', J: 'Toronto', K: 'Toronto', L: 'Toronto', M: 'Toronto', N: 'Toronto' }; // prettier-ignore

/** Ranges of Australian postcodes. Source: Australia Post. */
const AUSTRALIA = `
ACT 200-299 NSW 1000-2599 ACT 2600-2618 NSW 2619-2899 ACT 2900-2920 NSW 2921-2999 VIC 3000-3999 QLD 4000-4999
SA 5000-5799 SA 5800-5999 WA 6000-6999 TAS 7000-7999 NT 800-999 VIC 8000-8999 QLD 9000-9999`;
const AUSTRALIA_ONE_CLOCK = `
NSW 1000-2599 Sydney NSW 2619-2879 Sydney NSW 2880 Adelaide NSW 2881-2897 Sydney NSW 2898 Lord_Howe NSW 2900-2999 Sydney
WA 6000-6442 Perth WA 6444-6797 Perth`;

/**
 * Reads a postal code.
 * @param country ISO 3166 code of the country that it is a code of
 * @returns undefined: no code of this country, or one that says nothing of the time
 */
export function postalPlace(cell: string, country: string): StatePlace | undefined {
  const code = cell.trim().toUpperCase();
  if (code === '') return undefined;
  if (country === 'US') return unitedStates(code) ?? canada(code);
  if (country === 'CA') return canada(code) ?? unitedStates(code);
  if (country === 'AU') return australia(code);
  const zones = zonesOfCountry(country);
  return zones.length === 1 ? { zones, regions: [country] } : undefined;
}

/** `33101`, `33101-1234`, and `601` for `00601`, whose zeros a spreadsheet has eaten. */
function unitedStates(code: string): StatePlace | undefined {
  const digits = /^(\d{3,5})(?:-?\d{4})?$/.exec(code)?.[1];
  if (digits === undefined) return undefined;
  const start = Number(digits.padStart(5, '0').slice(0, 3));
  const state = rangeIn(ZIPS, start)?.state;
  return state === undefined ? undefined : within(`US-${state}`, rangeIn(ONE_CLOCK, start)?.zone);
}

function canada(code: string): StatePlace | undefined {
  if (!/^[A-Z]\d[A-Z] ?(?:\d[A-Z]\d)?$/.test(code)) return undefined;
  const letter = code.slice(0, 1);
  const places = (CANADA[letter] ?? []).map((province) => stateOfCode(`CA-${province}`));
  if (places.length === 0) return undefined;
  const zone = CANADA_ONE_CLOCK[letter];
  const zones = zone === undefined ? places.flatMap((place) => place.zones) : [`America/${zone}`];
  return { zones: [...new Set(zones)], regions: places.flatMap(({ regions }) => regions) };
}

function australia(code: string): StatePlace | undefined {
  if (!/^\d{3,4}$/.test(code)) return undefined;
  const state = rangeIn(AUSTRALIA, Number(code))?.state;
  const zone = rangeIn(AUSTRALIA_ONE_CLOCK, Number(code))?.zone;
  return state === undefined ? undefined : within(`AU-${state}`, zone && `Australia/${zone}`);
}

function within(region: string, zone: string | undefined): StatePlace {
  const state = stateOfCode(region);
  if (zone === undefined) return state;
  return { ...state, zones: [zone.includes('/') ? zone : `America/${zone}`] };
}

function rangeIn(
  table: string,
  code: number,
): { state: string; zone: string | undefined } | undefined {
  for (const [, state = '', from = '', to = from, zone] of table.matchAll(RANGE)) {
    if (code >= Number(from) && code <= Number(to)) return { state, zone };
  }
  return undefined;
}

const RANGE = /([A-Z]{2,3}) (\d+)(?:-(\d+))?(?: ([A-Z][a-z]\w+))?/g;

/** What a state says of where a person is. */
interface StatePlace {
  /** All zones that the state has a part in. */
  zones: readonly string[];
  /** ISO 3166-2. */
  regions: readonly string[];
}

/*
 * `code name, other name: zones`. Zones without a continent are in America; a state with two clocks has both, however
 * small the part is. From the tz database's comments on each zone and from the sources of src/leads/zones/README.md.
 */
const US = `
AL Alabama: Chicago; AK Alaska: Anchorage Adak; AZ Arizona: Phoenix Denver; AR Arkansas: Chicago;
CA California: Los_Angeles; CO Colorado: Denver; CT Connecticut: New_York; DE Delaware: New_York;
DC District of Columbia, Washington D.C., Washington DC, D.C.: New_York; FL Florida: New_York Chicago; GA Georgia: New_York;
HI Hawaii: Pacific/Honolulu; ID Idaho: Denver Los_Angeles; IL Illinois: Chicago; IN Indiana: New_York Chicago;
IA Iowa: Chicago; KS Kansas: Chicago Denver; KY Kentucky: New_York Chicago; LA Louisiana: Chicago; ME Maine: New_York;
MD Maryland: New_York; MA Massachusetts: New_York; MI Michigan: New_York Chicago; MN Minnesota: Chicago;
MS Mississippi: Chicago; MO Missouri: Chicago; MT Montana: Denver; NE Nebraska: Chicago Denver;
NV Nevada: Los_Angeles Denver; NH New Hampshire: New_York; NJ New Jersey: New_York; NM New Mexico: Denver;
NY New York: New_York; NC North Carolina: New_York; ND North Dakota: Chicago Denver; OH Ohio: New_York;
OK Oklahoma: Chicago; OR Oregon: Los_Angeles Denver; PA Pennsylvania: New_York; RI Rhode Island: New_York;
SC South Carolina: New_York; SD South Dakota: Chicago Denver; TN Tennessee: New_York Chicago; TX Texas: Chicago Denver;
UT Utah: Denver; VT Vermont: New_York; VA Virginia: New_York; WA Washington, Washington State: Los_Angeles;
WV West Virginia: New_York; WI Wisconsin: Chicago; WY Wyoming: Denver; PR Puerto Rico: Puerto_Rico;
VI Virgin Islands, U.S. Virgin Islands, US Virgin Islands: St_Thomas; GU Guam: Pacific/Guam;
MP Northern Mariana Islands: Pacific/Saipan; AS American Samoa: Pacific/Pago_Pago`;

const CA = `
AB Alberta: Edmonton; BC British Columbia: Vancouver Edmonton Dawson_Creek; MB Manitoba: Winnipeg; NB New Brunswick: Halifax;
NL Newfoundland and Labrador, Newfoundland, Labrador: St_Johns Halifax; NS Nova Scotia: Halifax;
NT Northwest Territories: Inuvik Edmonton; NU Nunavut: Iqaluit Atikokan Rankin_Inlet Cambridge_Bay;
ON Ontario: Toronto Winnipeg Atikokan; PE Prince Edward Island: Halifax; QC Quebec, Québec: Toronto Halifax Puerto_Rico;
SK Saskatchewan: Regina Edmonton; YT Yukon: Whitehorse`;

const AU = `
NSW New South Wales: Australia/Sydney Australia/Adelaide Australia/Lord_Howe; VIC Victoria: Australia/Melbourne;
QLD Queensland: Australia/Brisbane; SA South Australia: Australia/Adelaide;
WA Western Australia: Australia/Perth Australia/Eucla; TAS Tasmania: Australia/Hobart; NT Northern Territory: Australia/Darwin;
ACT Australian Capital Territory: Australia/Sydney`;

const BR = `
AC Acre: Rio_Branco; AL Alagoas: Sao_Paulo; AP Amapá: Sao_Paulo; AM Amazonas: Manaus Rio_Branco; BA Bahia: Sao_Paulo;
CE Ceará: Sao_Paulo; DF Distrito Federal: Sao_Paulo; ES Espírito Santo: Sao_Paulo; GO Goiás: Sao_Paulo;
MA Maranhão: Sao_Paulo; MT Mato Grosso: Manaus; MS Mato Grosso do Sul: Manaus; MG Minas Gerais: Sao_Paulo;
PA Pará: Sao_Paulo; PB Paraíba: Sao_Paulo; PR Paraná: Sao_Paulo; PE Pernambuco: Sao_Paulo Noronha; PI Piauí: Sao_Paulo;
RJ Rio de Janeiro: Sao_Paulo; RN Rio Grande do Norte: Sao_Paulo; RS Rio Grande do Sul: Sao_Paulo; RO Rondônia: Manaus;
RR Roraima: Manaus; SC Santa Catarina: Sao_Paulo; SP São Paulo: Sao_Paulo; SE Sergipe: Sao_Paulo; TO Tocantins: Sao_Paulo`;

const MX = `
AGU Aguascalientes: Mexico_City; BCN Baja California: Tijuana; BCS Baja California Sur: Mazatlan; CAM Campeche: Mexico_City;
CHP Chiapas: Mexico_City; CHH Chihuahua: Mexico_City Ciudad_Juarez Ojinaga; CMX Ciudad de México, CDMX: Mexico_City;
COA Coahuila: Mexico_City Matamoros; COL Colima: Mexico_City; DUR Durango: Mexico_City; GUA Guanajuato: Mexico_City;
GRO Guerrero: Mexico_City; HID Hidalgo: Mexico_City; JAL Jalisco: Mexico_City; MEX Estado de México, México: Mexico_City;
MIC Michoacán: Mexico_City; MOR Morelos: Mexico_City; NAY Nayarit: Mazatlan Mexico_City; NLE Nuevo León: Mexico_City Matamoros;
OAX Oaxaca: Mexico_City; PUE Puebla: Mexico_City; QUE Querétaro: Mexico_City; ROO Quintana Roo: Cancun;
SLP San Luis Potosí: Mexico_City; SIN Sinaloa: Mazatlan; SON Sonora: Hermosillo; TAB Tabasco: Mexico_City;
TAM Tamaulipas: Mexico_City Matamoros; TLA Tlaxcala: Mexico_City; VER Veracruz: Mexico_City; YUC Yucatán: Mexico_City;
ZAC Zacatecas: Mexico_City`;

const TEXTS = { US, CA, AU, BR, MX };

/**
 * Reads the state of a person by its name or its code.
 * @param country ISO 3166 code of the country that it is a state of
 * @returns undefined: not a state of this country, or of a country whose states all have one clock
 */
export function stateNamed(cell: string, country: string): StatePlace | undefined {
  const name = folded(cell);
  return name === '' ? undefined : (stateOf(name, country) ?? neighbour(name, country));
}

/** A person of one country may have kept a number of the other one, which shares the numbering plan. */
function neighbour(name: string, country: string): StatePlace | undefined {
  if (country === 'US') return stateOf(name, 'CA');
  return country === 'CA' ? stateOf(name, 'US') : undefined;
}

function stateOf(name: string, country: string): StatePlace | undefined {
  return tables()[country]?.get(name.replace(new RegExp(`^${country.toLowerCase()} `), ''));
}

/** The countries that have a state of this name or code. */
export function countriesOfState(cell: string): CountryCode[] {
  const name = folded(cell);
  const all = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
  return name === '' ? [] : all.filter((country) => stateOf(name, country) !== undefined);
}

/** By ISO 3166-2 code, e.g. `US-FL`. */
function stateOfCode(region: string): StatePlace {
  const [country = '', code = ''] = region.split('-');
  const place = stateOf(code.toLowerCase(), country);
  if (place === undefined) throw new Error(`no state has the code ${region}`);
  return place;
}

let read: Record<string, ReadonlyMap<string, StatePlace>> | undefined;

function tables(): Record<string, ReadonlyMap<string, StatePlace>> {
  read ??= Object.fromEntries(
    Object.entries(TEXTS).map(([country, text]) => [country, tableOf(country, text)]),
  );
  return read;
}

function tableOf(country: string, text: string): ReadonlyMap<string, StatePlace> {
  return new Map(
    text.split(';').flatMap((entry) => {
      const [, code = '', names = '', zones = ''] = /^\s*(\w+) ([^:]+): (.*)$/s.exec(entry) ?? [];
      const place = {
        zones: zones.split(' ').map((zone) => (zone.includes('/') ? zone : `America/${zone}`)),
        regions: [`${country}-${code}`],
      };
      return [code, ...names.split(',')].map((name) => [folded(name), place] as const);
    }),
  );
}

/** Without accents, case, and marks between words. */
function folded(text: string): string {
  const plain = oneForm(text).normalize('NFKD').replace(/\p{M}/gu, '');
  return plain.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim(); // prettier-ignore
}
