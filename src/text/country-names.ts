const ALIASES: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  'united states of america': 'US',
};

/** Languages in which country names are recognised; where two disagree, English wins. */
const LANGUAGES = 'en de fr es it pt nl pl cs sv da nb fi tr ja zh hi ru'.split(' ');

/** The code of the country with this name, in English or one of a dozen other languages, or with this code of ISO 3166. */
export function countryByName(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  // The names of all countries in all languages take some time.
  return COUNTRIES.has(code) ? code : byName().get(plain(text));
}

let names: Map<string, string | undefined> | undefined;

/** Countries by name and three-letter code, without names that mean different countries in different languages. */
function byName(): Map<string, string | undefined> {
  if (names !== undefined) return names;
  const map = new Map<string, string | undefined>();
  const english = new Set<string>();
  for (const language of LANGUAGES) {
    const spoken = new Intl.DisplayNames(language, { type: 'region' });
    for (const country of COUNTRIES) {
      const name = plain(spoken.of(country) ?? country);
      if (language === 'en') english.add(name);
      const isTaken = map.has(name) && map.get(name) !== country;
      if (!isTaken) map.set(name, country);
      else if (!english.has(name)) map.set(name, undefined);
    }
  }
  for (const pair of THREE_LETTER_CODES) map.set(pair.slice(0, 3).toLowerCase(), pair.slice(3));
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

/** Ascension and Tristan da Cunha have no three-letter code. */
const COUNTRIES = new Set(['AC', 'TA', ...THREE_LETTER_CODES.map((pair) => pair.slice(3))]);
