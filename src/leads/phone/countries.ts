import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type CountryCode,
} from 'libphonenumber-js/max';

import { usageError } from '../../runtime/errors.ts';
import { oneForm, remembered } from '../../text/fold-words.ts';

const ALIASES: Readonly<Record<string, CountryCode>> = {
  uk: 'GB',
  'great britain': 'GB',
  'united states of america': 'US',
};

/** Languages in which country names are recognised; where two disagree, English wins. */
const LANGUAGES = 'en de fr es it pt nl pl cs sv da nb fi tr ja zh hi ru'.split(' ');

/**
 * The country that a cell names: an ISO 3166 code (`DE`, `DEU`), the calling code (`+49`, `0049`, `49`), or the name in
 * English or one of a dozen other languages.
 */
export const countryNamed = remembered((text) => findCountry(oneForm(text).trim()));

/** The country that the operator named. @throws AppError `COUNTRY_UNKNOWN` */
export function requireCountry(text: string): CountryCode {
  const country = countryNamed(text);
  if (country !== undefined) return country;
  throw usageError(
    'COUNTRY_UNKNOWN',
    `"${text}" is not a country: allowed are two-letter codes such as US, GB or DE (ISO 3166).`,
    'give --country with the code of the numbers that have no +',
  );
}

function findCountry(text: string): CountryCode | undefined {
  if (text === '') return undefined;
  const code = text.toUpperCase();
  if (isSupportedCountry(code)) return code;
  // Spreadsheets may add `.0` or `'` to a calling code.
  const calling = /^'?(?:\+|00)?([1-9]\d{0,2})(?:\.0)?$/.exec(text)?.[1];
  if (calling !== undefined) return countriesOf(calling)[0];
  return byName().get(plain(text));
}

let names: Map<string, CountryCode | undefined> | undefined;

/** Countries by name and three-letter code, without names that mean different countries in different languages. */
function byName(): Map<string, CountryCode | undefined> {
  if (names !== undefined) return names;
  const map = new Map<string, CountryCode | undefined>();
  const english = new Set<string>();
  for (const language of LANGUAGES) {
    const spoken = new Intl.DisplayNames(language, { type: 'region' });
    for (const country of getCountries()) {
      const name = plain(spoken.of(country) ?? country);
      if (language === 'en') english.add(name);
      const isTaken = map.has(name) && map.get(name) !== country;
      if (!isTaken) map.set(name, country);
      else if (!english.has(name)) map.set(name, undefined);
    }
  }
  for (const pair of THREE_LETTER_CODES) {
    const country = pair.slice(3);
    if (isSupportedCountry(country)) map.set(pair.slice(0, 3).toLowerCase(), country);
  }
  for (const [name, country] of Object.entries(ALIASES)) map.set(name, country);
  return (names = map);
}

/** A name without accents and punctuation, in lower case. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L} ]/gu, '')
    .replace(/ +/g, ' ')
    .trim();
}

/**
 * Three-letter country codes (ISO 3166-1 alpha-3, and XKX) of all countries that have phone numbers, each followed by
 * its two-letter code.
 */
export const THREE_LETTER_CODES: readonly string[] = `
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATGAG AUSAU AUTAT AZEAZ
  BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO
  BRABR BRBBB BRNBN BTNBT BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG
  COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK
  DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM
  GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT
  GUFGF GUMGU GUYGY HKGHK HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ
  ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW
  LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC
  MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS
  MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP
  NRUNR NZLNZ OMNOM PAKPK PANPA PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS
  PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SHNSH SJMSJ SLBSB SLESL SLVSV
  SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC
  TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG
  UKRUA URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS XKXXK YEMYE
  ZAFZA ZMBZM ZWEZW
`
  .trim()
  .split(/\s+/);

/** The lengths and the pattern of national numbers of one kind. */
export interface NumberRange {
  lengths: ReadonlySet<number>;
  pattern: RegExp;
}

export type NumberingPlan = ReturnType<typeof readPlan>;

const plans = new Map<CountryCode, NumberingPlan>();
let byCode: Map<string, CountryCode[]> | undefined;

export function numberingPlan(country: CountryCode): NumberingPlan {
  const known = plans.get(country);
  if (known !== undefined) return known;
  const plan = readPlan(country);
  plans.set(country, plan);
  return plan;
}

/** An international prefix that begins with 0 has at least two digits, and a number abroad seven. */
const FEWEST_ABROAD = 9;

/** True for a text without `+` or letters (`212-555-CALL`) that has too few digits for the country, and for any other. */
export function isShorter(text: string, country: CountryCode): boolean {
  const { fewest } = numberingPlan(country);
  const most = text.startsWith('0') ? Math.min(fewest, FEWEST_ABROAD) : fewest;
  return !/[+\p{L}]/u.test(text) && text.replace(/\D/g, '').length < most;
}

/** The countries of a calling code, in the order in which they are tried; none where it belongs to no country. */
export function countriesOf(code: string): readonly CountryCode[] {
  byCode ??= readCodes();
  return byCode.get(code) ?? [];
}

/** The fields of the library that its types leave out. */
interface Raw {
  metadata: { country_calling_codes: Record<string, CountryCode[]> };
  numberingPlan: {
    possibleLengths(): number[];
    nationalNumberPattern(): string;
    IDDPrefix(): string;
    /** A missing value is undefined, 0 or ''. */
    nationalPrefixForParsing(): string | 0 | undefined;
    leadingDigits(): string | 0 | undefined;
    nationalPrefixTransformRule(): string | 0 | undefined;
    type(name: string): { pattern(): string | 0; possibleLengths(): number[] } | undefined;
  };
}

const USUAL = ['FIXED_LINE', 'MOBILE'];
const OTHERS = 'PREMIUM_RATE TOLL_FREE SHARED_COST VOIP PERSONAL_NUMBER PAGER UAN VOICEMAIL'.split(
  ' ',
);

/** The library's data on a country, with patterns compiled once. The patterns match national numbers. */
function readPlan(country: CountryCode) {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const { numberingPlan: raw } = metadata as unknown as Raw;
  const ranges = (names: readonly string[]): NumberRange[] =>
    names.flatMap((name) => {
      const type = raw.type(name);
      const pattern = type?.pattern();
      if (!isText(pattern)) return [];
      return [{ lengths: new Set(type?.possibleLengths()), pattern: whole(pattern) }];
    });
  const usual = ranges(USUAL);
  const prefix = raw.nationalPrefixForParsing();
  const leading = raw.leadingDigits();
  return {
    /** The calling code, without `+`. */
    code: getCountryCallingCode(country),
    lengths: new Set(raw.possibleLengths()),
    /** Fewest digits of a number as people write it; 0: they leave out an area code, which the plan adds. */
    fewest: isText(raw.nationalPrefixTransformRule()) ? 0 : Math.min(...raw.possibleLengths()),
    general: whole(raw.nationalNumberPattern()),
    /** The prefix of international calls; applies only where it matches at the beginning. */
    abroad: new RegExp(raw.IDDPrefix()),
    /** The trunk prefix of national calls; null: there is none. */
    prefix: isText(prefix) ? new RegExp(`^(?:${prefix})`) : null,
    /** The leading digits that distinguish countries with the same calling code; must match at the beginning. */
    leading: isText(leading) ? new RegExp(leading) : null,
    /** Fixed and mobile lines. */
    usual,
    /** Number ranges of every kind (toll-free, premium and so on), `usual` among them. */
    types: [...usual, ...ranges(OTHERS)],
    /** The number of digits of the longest mobile number; 0 where there are no mobile numbers. */
    longestMobile: Math.max(0, ...(raw.type('MOBILE')?.possibleLengths() ?? [])),
  };
}

function isText(value: string | 0 | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** Countries by calling code; the main country of a code comes first, as in the library. */
function readCodes(): Map<string, CountryCode[]> {
  const all = (new Metadata() as unknown as Raw).metadata.country_calling_codes;
  const known = new Set<string>(getCountries());
  const isCountry = (code: string) => known.has(code);
  return new Map(
    Object.entries(all).map(([code, countries]) => [code, countries.filter(isCountry)]),
  );
}
