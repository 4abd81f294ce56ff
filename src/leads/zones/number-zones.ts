import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import type { E164 } from '../../domain/phone.ts';
import { countriesOf } from '../phone/countries.ts';

/** The place of a number as far as its digits tell; without zones: toll-free, satellite or unknown. */
interface NumberPlace {
  zones: readonly string[];
  /** ISO 3166 codes of states, or of the country where it is not divided; empty: none. */
  regions: readonly string[];
  /** ISO 3166 code; undefined: none. */
  country: string | undefined;
}

const NOWHERE: NumberPlace = { zones: [], regions: [], country: undefined };

/**
 * The time zones of a number. A number of +1 has those of its whole area code and of all area codes that serve the same
 * region, as an exchange says nothing of a mobile or a ported number. Elsewhere land lines have the zones of the
 * longest known prefix; all others, as mobiles mostly, have those of their country.
 */
export function numberPlace(phone: E164): NumberPlace {
  const digits = phone.slice(1);
  // Canada has numbers of seven digits, which begin like area codes of other places: +1 310 0000.
  if (digits.startsWith('1') && digits.length !== 11) return NOWHERE;
  if (digits.startsWith('1')) return areaCodes().get(digits.slice(1, 4)) ?? NOWHERE;
  const { country, isLocal } = kindOf(phone);
  if (country === undefined) return NOWHERE;
  const zones = (isLocal ? longestPrefix(digits) : undefined) ?? zonesOfCountry(country);
  return { zones, regions: [country], country };
}

/**
 * The zones of a country by the country table of the time-zone database, one of those whose clocks agree, without those
 * in which hardly anybody lives (`.config/number-zones.mjs` says which); empty: no country with phone numbers.
 * @param country ISO 3166 code
 */
export function zonesOfCountry(country: string): readonly string[] {
  countryTable ??= tableOf(COUNTRIES);
  return countryTable.get(country) ?? [];
}

/** The countries with this zone. @param zone IANA name */
export function countriesIn(zone: string): string[] {
  countryTable ??= tableOf(COUNTRIES);
  return [...countryTable].flatMap(([country, zones]) => (zones.includes(zone) ? [country] : []));
}

let countryTable: ReadonlyMap<string, readonly string[]> | undefined;

interface Kind {
  country: string | undefined;
  /** False for numbers that belong to no place within their country. */
  isLocal: boolean;
}

/** Calling codes under which mobiles have area codes (in Indonesia all but those of +62 8): https://github.com/google/libphonenumber, PhoneNumberUtil.java. */
const LOCAL_MOBILES = ['52', '54', '55', '62'];
/** The country follows from the first digits. */
const COUNTRY_DIGITS = 8;
/** Digits that tell the kind: +34 969 061 062 is a mobile, +34 969 061 163 a land line. */
const KIND_DIGITS = 10;
const MOST_REMEMBERED = 20_000;
const kinds = new Map<string, Kind>();

/** Looks at more digits only where a part of the country matters. */
function kindOf(phone: E164): Kind {
  const kind = kindBy(COUNTRY_DIGITS, phone);
  return kind.isLocal && zonesOfCountry(kind.country ?? '').length > 1
    ? kindBy(KIND_DIGITS, phone)
    : kind;
}

function kindBy(digits: number, phone: E164): Kind {
  const start = phone.slice(0, digits + 1);
  let kind = kinds.get(start);
  if (kind === undefined) {
    const parsed = parsePhoneNumberFromString(phone);
    const type = parsed?.getType();
    const code = parsed?.countryCallingCode ?? '';
    const isMobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
    const hasArea = LOCAL_MOBILES.includes(code) && !phone.startsWith('+628');
    // A number of a range that is not known to be in use still belongs to the country of its code.
    const country = parsed?.country ?? parsed?.getPossibleCountries()[0];
    // Prefixes are of the first country of a code: Australia, not the islands Cocos and Christmas.
    const isFirst = country !== undefined && country === countriesOf(code)[0];
    kind = { country, isLocal: isFirst && (type === 'FIXED_LINE' || (isMobile && hasArea)) };
    if (kinds.size >= MOST_REMEMBERED) kinds.clear();
    kinds.set(start, kind);
  }
  return kind;
}

/** The zones of the longest entry with which the digits begin. */
function longestPrefix(digits: string): readonly string[] | undefined {
  prefixTable ??= tableOf(PREFIXES);
  for (let length = LONGEST_PREFIX; length > 0; length -= 1) {
    const zones = prefixTable.get(digits.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return undefined;
}

const LONGEST_PREFIX = 9;
let prefixTable: ReadonlyMap<string, readonly string[]> | undefined;

let areaCodeTable: ReadonlyMap<string, NumberPlace> | undefined;

/** Read at the first question: most commands ask none. */
function areaCodes(): ReadonlyMap<string, NumberPlace> {
  areaCodeTable ??= new Map(
    entriesOf(AREA_CODES).flatMap(([zones = '', regions = '', codes = '']) => {
      const [first = ''] = regions.split(' ');
      const country = first.slice(0, 2);
      const place = { zones: zones.split('&'), regions: regions.split(' '), country };
      return codes.split(' ').map((code) => [code, place] as const);
    }),
  );
  return areaCodeTable;
}

function tableOf(table: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    entriesOf(table).flatMap(([zones = '', keys = '']) => {
      const all = zones.split('&');
      return keys.split(' ').map((key) => [key, all] as const);
    }),
  );
}

function entriesOf(table: string): string[][] {
  return table
    .split(';')
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('|'));
}

/*
 * Written by `npm run zones`; do not edit. Time zones of countries by zone.tab of the time-zone database
 * 2026f, in the public domain. Time zones and states of phone numbers, made from the files
 * resources/timezones/map_data.txt and resources/geocoding/en/1.txt of google/libphonenumber,
 * commit f7e3e88c92b905c8d6edb81f336dbe25edc05b52 (2026-07-17, v9.0.35).
 * Copyright (C) 2011, 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0
 * (http://www.apache.org/licenses/LICENSE-2.0). Changed: exchanges are united to area codes, area codes that serve the
 * same region to each other, and zones are named by their own country; see README.md beside this file.
 */

/** Zones of countries, one of those whose clocks agree: `zone&zone|country country;`. */
export const COUNTRIES = [
  'Atlantic/St_Helena|AC SH TA;Europe/Andorra|AD;Asia/Dubai|AE;Asia/Kabul|AF;America/Antigua|AG;America/Anguilla|AI;Europe/Tirane|AL;Asia/Yerevan|AM;Africa/Luanda|AO;America/Argentina/Buenos_Aires|AR;Pacific/Pago_Pago|AS;Europe/Vienna|AT;',
  'Australia/Adelaide&Australia/Brisbane&Australia/Darwin&Australia/Perth&Australia/Sydney|AU;America/Aruba|AW;Europe/Mariehamn|AX;Asia/Baku|AZ;Europe/Sarajevo|BA;America/Barbados|BB;Asia/Dhaka|BD;Europe/Brussels|BE;Africa/Ouagadougou|BF;Europe/Sofia|BG;Asia/Bahrain|BH;Africa/Bujumbura|BI;',
  'Africa/Porto-Novo|BJ;America/St_Barthelemy|BL;Atlantic/Bermuda|BM;Asia/Brunei|BN;America/La_Paz|BO;America/Kralendijk|BQ;America/Manaus&America/Rio_Branco&America/Sao_Paulo|BR;America/Nassau|BS;Asia/Thimphu|BT;Africa/Gaborone|BW;Europe/Minsk|BY;America/Belize|BZ;',
  'America/Atikokan&America/Blanc-Sablon&America/Cambridge_Bay&America/Edmonton&America/Halifax&America/Rankin_Inlet&America/Regina&America/St_Johns&America/Toronto&America/Vancouver&America/Whitehorse&America/Winnipeg|CA;Indian/Cocos|CC;Africa/Kinshasa&Africa/Lubumbashi|CD;Africa/Bangui|CF;',
  'Africa/Brazzaville|CG;Europe/Zurich|CH;Africa/Abidjan|CI;Pacific/Rarotonga|CK;America/Punta_Arenas&America/Santiago&Pacific/Easter|CL;Africa/Douala|CM;Asia/Shanghai&Asia/Urumqi|CN;America/Bogota|CO;America/Costa_Rica|CR;America/Havana|CU;Atlantic/Cape_Verde|CV;America/Curacao|CW;Indian/Christmas|CX;',
  'Asia/Nicosia|CY;Europe/Prague|CZ;Europe/Berlin|DE;Africa/Djibouti|DJ;Europe/Copenhagen|DK;America/Dominica|DM;America/Santo_Domingo|DO;Africa/Algiers|DZ;America/Guayaquil&Pacific/Galapagos|EC;Europe/Tallinn|EE;Africa/Cairo|EG;Africa/El_Aaiun|EH;Africa/Asmara|ER;Atlantic/Canary&Europe/Madrid|ES;',
  'Africa/Addis_Ababa|ET;Europe/Helsinki|FI;Pacific/Fiji|FJ;Atlantic/Stanley|FK;Pacific/Chuuk&Pacific/Kosrae|FM;Atlantic/Faroe|FO;Europe/Paris|FR;Africa/Libreville|GA;Europe/London|GB;America/Grenada|GD;Asia/Tbilisi|GE;America/Cayenne|GF;Europe/Guernsey|GG;Africa/Accra|GH;Europe/Gibraltar|GI;',
  'America/Nuuk&America/Thule|GL;Africa/Banjul|GM;Africa/Conakry|GN;America/Guadeloupe|GP;Africa/Malabo|GQ;Europe/Athens|GR;America/Guatemala|GT;Pacific/Guam|GU;Africa/Bissau|GW;America/Guyana|GY;Asia/Hong_Kong|HK;America/Tegucigalpa|HN;Europe/Zagreb|HR;America/Port-au-Prince|HT;Europe/Budapest|HU;',
  'Asia/Jakarta&Asia/Jayapura&Asia/Makassar|ID;Europe/Dublin|IE;Asia/Jerusalem|IL;Europe/Isle_of_Man|IM;Asia/Kolkata|IN;Indian/Chagos|IO;Asia/Baghdad|IQ;Asia/Tehran|IR;Atlantic/Reykjavik|IS;Europe/Rome|IT;Europe/Jersey|JE;America/Jamaica|JM;Asia/Amman|JO;Asia/Tokyo|JP;Africa/Nairobi|KE;Asia/Bishkek|KG;',
  'Asia/Phnom_Penh|KH;Pacific/Kiritimati&Pacific/Tarawa|KI;Indian/Comoro|KM;America/St_Kitts|KN;Asia/Pyongyang|KP;Asia/Seoul|KR;Asia/Kuwait|KW;America/Cayman|KY;Asia/Almaty|KZ;Asia/Vientiane|LA;Asia/Beirut|LB;America/St_Lucia|LC;Europe/Vaduz|LI;Asia/Colombo|LK;Africa/Monrovia|LR;Africa/Maseru|LS;',
  'Europe/Vilnius|LT;Europe/Luxembourg|LU;Europe/Riga|LV;Africa/Tripoli|LY;Africa/Casablanca|MA;Europe/Monaco|MC;Europe/Chisinau|MD;Europe/Podgorica|ME;America/Marigot|MF;Indian/Antananarivo|MG;Pacific/Majuro|MH;Europe/Skopje|MK;Africa/Bamako|ML;Asia/Yangon|MM;Asia/Hovd&Asia/Ulaanbaatar|MN;',
  'Asia/Macau|MO;Pacific/Saipan|MP;America/Martinique|MQ;Africa/Nouakchott|MR;America/Montserrat|MS;Europe/Malta|MT;Indian/Mauritius|MU;Indian/Maldives|MV;Africa/Blantyre|MW;America/Cancun&America/Ciudad_Juarez&America/Matamoros&America/Mazatlan&America/Mexico_City&America/Tijuana|MX;Asia/Kuching|MY;',
  'Africa/Maputo|MZ;Africa/Windhoek|NA;Pacific/Noumea|NC;Africa/Niamey|NE;Pacific/Norfolk|NF;Africa/Lagos|NG;America/Managua|NI;Europe/Amsterdam|NL;Europe/Oslo|NO;Asia/Kathmandu|NP;Pacific/Nauru|NR;Pacific/Niue|NU;Pacific/Auckland|NZ;Asia/Muscat|OM;America/Panama|PA;America/Lima|PE;',
  'Pacific/Gambier&Pacific/Marquesas&Pacific/Tahiti|PF;Pacific/Bougainville&Pacific/Port_Moresby|PG;Asia/Manila|PH;Asia/Karachi|PK;Europe/Warsaw|PL;America/Miquelon|PM;America/Puerto_Rico|PR;Asia/Gaza|PS;Atlantic/Azores&Europe/Lisbon|PT;Pacific/Palau|PW;America/Asuncion|PY;Asia/Qatar|QA;',
  'Indian/Reunion|RE;Europe/Bucharest|RO;Europe/Belgrade|RS XK;Asia/Irkutsk&Asia/Kamchatka&Asia/Magadan&Asia/Novosibirsk&Asia/Omsk&Asia/Vladivostok&Asia/Yakutsk&Asia/Yekaterinburg&Europe/Kaliningrad&Europe/Moscow&Europe/Samara|RU;Africa/Kigali|RW;Asia/Riyadh|SA;Pacific/Guadalcanal|SB;Indian/Mahe|SC;',
  'Africa/Khartoum|SD;Europe/Stockholm|SE;Asia/Singapore|SG;Europe/Ljubljana|SI;Arctic/Longyearbyen|SJ;Europe/Bratislava|SK;Africa/Freetown|SL;Europe/San_Marino|SM;Africa/Dakar|SN;Africa/Mogadishu|SO;America/Paramaribo|SR;Africa/Juba|SS;Africa/Sao_Tome|ST;America/El_Salvador|SV;',
  'America/Lower_Princes|SX;Asia/Damascus|SY;Africa/Mbabane|SZ;America/Grand_Turk|TC;Africa/Ndjamena|TD;Africa/Lome|TG;Asia/Bangkok|TH;Asia/Dushanbe|TJ;Pacific/Fakaofo|TK;Asia/Dili|TL;Asia/Ashgabat|TM;Africa/Tunis|TN;Pacific/Tongatapu|TO;Europe/Istanbul|TR;America/Port_of_Spain|TT;Pacific/Funafuti|TV;',
  'Asia/Taipei|TW;Africa/Dar_es_Salaam|TZ;Europe/Kyiv&Europe/Simferopol|UA;Africa/Kampala|UG;America/Adak&America/Anchorage&America/Chicago&America/Denver&America/Los_Angeles&America/New_York&America/Phoenix&Pacific/Honolulu|US;America/Montevideo|UY;Asia/Tashkent|UZ;Europe/Vatican|VA;',
  'America/St_Vincent|VC;America/Caracas|VE;America/Tortola|VG;America/St_Thomas|VI;Asia/Ho_Chi_Minh|VN;Pacific/Efate|VU;Pacific/Wallis|WF;Pacific/Apia|WS;Asia/Aden|YE;Indian/Mayotte|YT;Africa/Johannesburg|ZA;Africa/Lusaka|ZM;Africa/Harare|ZW;',
].join('');

/** Area codes of +1: `zone&zone|region region|code code;`. */
export const AREA_CODES = [
  'America/New_York|US-NJ|201 551 609 640 732 848 856 862 908 973;America/New_York|US-DC|202 771;America/New_York|US-CT|203 475 860 959;America/Winnipeg|CA-MB|204 431 584;America/Chicago|US-AL|205 251 256 334 659 938;America/Los_Angeles|US-WA|206 253 360 425 509 564;America/New_York|US-ME|207;',
  'America/Denver&America/Los_Angeles|US-ID|208 986;America/Los_Angeles|US-CA|209 213 279 310 323 341 350 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831 840 858 909 916 925 949 951;',
  'America/Chicago|US-TX|210 214 254 281 325 346 361 409 430 432 469 512 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979;America/New_York|US-NY|212 315 329 332 347 363 516 518 585 607 631 646 680 716 718 838 845 914 917 929 934;',
  'America/New_York|US-PA|215 223 267 272 412 445 484 570 582 610 717 724 814 835 878;America/New_York|US-OH|216 220 234 283 326 330 380 419 440 513 567 614 740 937;America/Chicago|US-IL|217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 872;',
  'America/Chicago|US-MN|218 320 507 612 651 763 924 952;America/Chicago&America/New_York|US-IN|219 574 812 930;America/Chicago|US-LA|225 318 337 504 985;America/Toronto|CA-ON|226 249 289 343 365 382 416 437 519 548 613 647 683 705 742 753 905 942;America/New_York|US-MD|227 240 301 410 443 667;',
  'America/Chicago|US-MS|228 601 662 769;America/New_York|US-GA|229 404 470 478 678 706 762 770 912 943;America/New_York|US-MI|231 248 269 313 517 586 616 679 734 810 947 989;America/Chicago|US-MO|235 314 417 557 573 636 660 816 975;America/Edmonton&America/Vancouver|CA-BC|236 250 257 672 778;',
  'America/New_York|US-FL|239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954;America/Nassau|BS|242;America/Barbados|BB|246;America/New_York|US-NC|252 336 472 704 743 828 910 919 980 984;America/New_York|US-IN|260 317 463 765;',
  'America/Chicago|US-WI|262 274 353 414 534 608 715 920;America/Toronto|CA-QC|263 354 438 450 468 514 579 819 873;America/Anguilla|AI|264;America/Antigua|AG|268;America/Chicago&America/New_York|US-KY|270 364 606;America/New_York|US-VA|276 434 540 571 686 703 757 804 826 948;America/Tortola|VG|284;',
  'America/New_York|US-DE|302;America/Denver|US-CO|303 719 720 748 970 983;America/New_York|US-WV|304 681;America/Regina|CA-SK|306 474 639;America/Denver|US-WY|307;America/Chicago&America/Denver|US-NE|308;America/Chicago|US-KS|316 913;America/Chicago|US-IA|319 515 563 641 712;',
  'America/Chicago|US-AR|327 479 501 870;America/New_York|US-MA|339 351 413 508 617 774 781 857 978;America/St_Thomas|US-VI|340;America/Cayman|KY|345;America/Halifax&America/Toronto|CA-QC|367 418 581;America/Edmonton|CA-AB|368 403 587 780 825;America/Denver|US-UT|385 435 801;America/New_York|US-RI|401;',
  'America/Chicago|US-NE|402 531;America/Chicago|US-OK|405 539 572 580 918;America/Denver|US-MT|406;America/Chicago&America/New_York|US-TN|423 729;America/Halifax|CA-NB|428 506;Atlantic/Bermuda|BM|441;America/Chicago&America/New_York|US-FL|448 850;America/Denver&America/Los_Angeles|US-OR|458 541;',
  'America/Grenada|GD|473;America/Phoenix|US-AZ|480 520 602 623;America/New_York|US-KY|502 859;America/Los_Angeles|US-OR|503 971;America/Denver|US-NM|505 575;America/New_York|US-NH|603;America/Vancouver|CA-BC|604;America/Chicago&America/Denver|US-SD|605;America/Chicago|US-TN|615 629 731 901 931;',
  'America/Chicago&America/Denver|US-KS|620 785;America/Grand_Turk|TC|649;America/Jamaica|JM|658 876;America/Montserrat|MS|664;Pacific/Saipan|US-MP|670;Pacific/Guam|US-GU|671;Pacific/Pago_Pago|US-AS|684;America/Chicago&America/Denver|US-ND|701;America/Los_Angeles|US-NV|702 725;',
  'America/Blanc-Sablon&America/Halifax&America/St_Johns|CA-NL|709 879;America/Lower_Princes|SX|721;America/St_Lucia|LC|758;America/Dominica|DM|767;America/Denver&America/Los_Angeles|US-NV|775;America/Halifax|CA-NS CA-PE|782 902;America/St_Vincent|VC|784;America/Puerto_Rico|US-PR|787 939;',
  'America/New_York|US-VT|802;America/New_York|US-SC|803 821 839 843 854 864;America/Atikokan&America/Toronto&America/Winnipeg|CA-ON|807;Pacific/Honolulu|US-HI|808;America/Santo_Domingo|DO|809 829 849;America/New_York|US-TN|865;',
  'America/Atikokan&America/Cambridge_Bay&America/Edmonton&America/Rankin_Inlet&America/Toronto&America/Whitehorse|CA-NT CA-NU CA-YT|867;America/Port_of_Spain|TT|868;America/St_Kitts|KN|869;America/Chicago&America/New_York|US-MI|906;America/Adak&America/Anchorage&Pacific/Honolulu|US-AK|907;',
  'America/Denver|US-TX|915;America/Denver&America/Phoenix|US-AZ|928;',
].join('');

/** Land lines of countries with several clocks, by their first digits; the longest entry counts: `zone&zone|digits digits;`. */
export const PREFIXES = [
  'Africa/Kinshasa|2431 2433 2434 2435 2436;Africa/Lubumbashi|2432;America/Nuuk|2991 2992 2993 2994 2995 2996 2998 2999;America/Thule|29997;Europe/Madrid|344 345 346 347 348 349;Atlantic/Canary|34822 34827 34828 34922 34928;Europe/Lisbon|3512;Atlantic/Azores|351292 351295 351296;Europe/Kyiv|380;',
  'Europe/Kyiv&Europe/Simferopol|38065 38069;America/Mexico_City|522 523 524 525 52614 52618 52621 52625 52627 52629 52635 52636 52639 52648 52649 52652 52659 52663 52671 52674 52675 52676 52677 527 528 529;America/Mexico_City&America/Tijuana|52200;',
  'America/Mazatlan|52311 52319 52323 52324 52325 52327 52389 52612 52613 52615 5262 5263 5264 52651 52653 52657 52660 52662 52667 52668 52669 52672 52673 52687 5269;America/Tijuana|52616 52646 52658 52661 52664 52665 52686;America/Matamoros|52626 52867 52877 52878 52894 52899;',
  'America/Ciudad_Juarez|52656;America/Cancun|52983 52984 52987 52998;America/Sao_Paulo|551 552 553 554 5550 5551 5553 5554 5555 5561 5562 5563 5564 55673480 55693527 557 558 5590 5591 55925009 5593 5594 5596 5598 5599;America/Manaus|55553682 5565 5566 5567 5569 559;America/Rio_Branco|5568;',
  'America/Noronha|55813619;America/Santiago|561 562 56322 56323 5633 5634 5635 564 565 566 567 568 569;Pacific/Easter|5632;America/Guayaquil|5932 5933 5934 5935 5936 5937 5939;America/Guayaquil&Pacific/Galapagos|59352;Australia/Sydney|611 612 613 614;',
  'Australia/Lord_Howe|61255053 61255143 61255213 61255280 61255307 61255369 61255413 61255568 61255936 61255937 61265080 61265081 61265082 61265099 61265164 61265251 61265296 61265341 61265606 61265632 61265998;Australia/Brisbane&Australia/Sydney|617;',
  'Australia/Adelaide&Australia/Darwin&Australia/Perth&Australia/Sydney|618;Asia/Jakarta&Asia/Makassar|62007 621 62379 62458 62516 62539 6280 62811 62818 62819 62824 62829 62831 62833 62834 62839 62853 62868 62876 62887;',
  'Asia/Jakarta|622 6231 6232 6233 6234 6235 62513 62515 62519 62522 62525 62528 6253 6256 626 627 628 62920 62958 62963 62979;Asia/Makassar|6236 6237 6238 624 62511 62512 62517 62518 62526 62527 6254 6255;Asia/Jayapura&Asia/Makassar|62403;',
  'Asia/Jayapura|6290 6291 6292 62951 62955 62956 62957 62962 62966 62967 62969 62971 62975 6298;Asia/Jakarta&Asia/Jayapura|62915 62952;Pacific/Chatham|64330;Pacific/Tahiti|6894 68988 68989;Pacific/Chuuk|6913 691933;Pacific/Kosrae|69132 69137 691920 691921 691924 691926;Asia/Irkutsk|7301 7395;',
  'Asia/Yakutsk|7302 7411 7416;Asia/Yekaterinburg|733 734 735;Europe/Samara|7341 7842 7845 7846 7848 7851;Europe/Moscow|736 747 748 749 7803 7804 781 782 783 7841 7843 7844 7847 7855 7856 7857 786 787 79;Asia/Omsk|7381;Asia/Novosibirsk|7382 7383 7384 7385 7388 7390 7391 7394;Europe/Kaliningrad|740;',
  'Asia/Magadan|7413 7424;Asia/Kamchatka|7415 7427;Asia/Vladivostok|7421 7423 7426;Asia/Yekaterinburg&Europe/Moscow|7800 7808 7809 7810;Europe/Kaliningrad&Europe/Moscow|7840;Asia/Shanghai|86;Asia/Shanghai&Asia/Urumqi|86901 86902 86903 86906 86908 86909 8699;',
  'Asia/Ulaanbaatar|97611 97612 97613 97615 97621 97622 97623 97625 97626 9765 9766 9767 9768 9769;Asia/Hovd|97614 97624;',
].join('');
