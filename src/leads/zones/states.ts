import type { CountryCode } from 'libphonenumber-js/max';
import { oneForm } from '../../text/fold-words.ts';

/** What a state says of where a person is. */
export interface StatePlace {
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
 *
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
export function stateOfCode(region: string): StatePlace {
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
