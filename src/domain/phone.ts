/** A phone number in E.164: `+`, a country code, 7 to 15 digits in all. */
export type E164 = string & { readonly __brand: 'E164' };

/** True for strict E.164 (ITU-T E.164: at most 15 digits, no leading zero). */
export function isE164(text: string): text is E164 {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

/** A number as it may appear in logs: the first two and the last two characters, e.g. `+1********34`. */
export function maskPhone(phone: string): string {
  const signs = Array.from(phone);
  const hidden = Math.max(0, signs.length - 4);
  return signs.slice(0, 2).join('') + '*'.repeat(hidden) + signs.slice(-2).join('');
}

/**
 * Masks everything that may be a phone number in a text from outside: seven digits or more, of any script, with or
 * without separators between them.
 */
export function maskNumbers(text: string): string {
  return text.replace(NUMBER, maskPhone);
}

/** As `maskNumbers`, but leaves UUIDs and digits without separators or `+`, as ids look like that. */
export function maskWrittenNumbers(text: string): string {
  return text.replace(NUMBER_OR_ID, (found) => (ID.test(found) ? found : maskPhone(found)));
}

const BETWEEN = '[\\p{Pd}\\p{Zs}\\t()（）./\\\\·．／]';
/** A date or an IP address ends here: no further digits follow. */
const END = '(?![-/.]?\\d)';
const DATE = `\\d{4}([-/.])\\d\\d\\1\\d\\d${END}|\\d\\d([-/.])\\d\\d\\2\\d{4}${END}`;
const IP_ADDRESS = `\\d{1,3}(?:\\.\\d{1,3}){3}${END}`;
const NUMBER = new RegExp(
  `(?<!\\p{Nd}[-/.]?)(?!${DATE}|${IP_ADDRESS})[+＋﹢]?\\p{Nd}(?:${BETWEEN}{0,3}\\p{Nd}){6,}`,
  'gu',
);
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const NUMBER_OR_ID = new RegExp(`${UUID}|${NUMBER.source}`, 'giu');
const ID = new RegExp(`^(?:[0-9]+|${UUID})$`, 'i');
