import { findPhoneNumbersInText, type CountryCode } from 'libphonenumber-js/max';
import { plainPhone } from './fast-phone.ts';
import { numberingPlan } from './numbering-plans.ts';
import { digitsIn } from './phone-cell.ts';

/** Of a number without the digits that the library adds to it; only some countries have fewer. */
const FEWEST_DIGITS = 5;
/** More digits between two words are several numbers. */
const MOST_DIGITS = 40;

/** Digits and all that the library takes for punctuation of a number, once `cleanPhone` has been there. */
const RUN = /\+?[\d ().~[\]\u2010-\u2015\u2053\u2212\u223c\u30fc-]+/g;

/** Where the library looks for a number in a part of a run; at a hyphen it takes all that is behind it. */
const GAPS = [/ +/, /\. */, /(?=\()/];
const HYPHENS = / -|- |[\u2012-\u2015]/;

/**
 * The numbers within words, in the order of the text. The library tries every group of digits; here it is only shown
 * those that may be a number or its extension, so that a text of short groups costs no more than one of numbers. Where
 * more than 40 digits have no word between them, each part that may be a number is read by itself.
 *
 * @param text as `cleanPhone` returns it
 * @param country the country of numbers without `+`, or null
 */
export function numbersWithin(text: string, country: CountryCode | null): string[] {
  const lengths = country === null ? [] : numberingPlan(country).lengths;
  const fewest = Math.min(FEWEST_DIGITS, ...lengths);
  const mayBeNumber = (part: string) => {
    const digits = digitsIn(part);
    return digits >= fewest && digits <= MOST_DIGITS;
  };
  // Separators become line breaks, so that the library does not join what they separate.
  const lines = text.split(/[/;,|\n]+/).map((line) => {
    // All there is: `everyNumber` has read it.
    const only = line.trim();
    if (/^\+\d+$/.test(only) && plainPhone(only, country) !== undefined) return '';
    const counts = (line.match(RUN) ?? []).map(digitsIn).filter((digits) => digits > 0);
    const isNumber = (at: number) => (counts[at] ?? 0) >= fewest;
    let at = -1;
    return line.replace(RUN, (run) => {
      const digits = digitsIn(run);
      if (digits > 0) at += 1;
      // Beside a number may be its extension, or that to which it would be one.
      if (digits === 0 || (!isNumber(at) && (isNumber(at - 1) || isNumber(at + 1)))) return run;
      if (!isNumber(at)) return '\n';
      const gaps = digits > MOST_DIGITS ? [...GAPS, HYPHENS] : GAPS;
      const parts = gaps.flatMap((gap) => run.split(gap)).filter(mayBeNumber);
      if (digits > MOST_DIGITS) return `\n${[...new Set(parts)].join('\n')}\n`;
      const hasParts = HYPHENS.test(run) || parts.some((part) => part !== run);
      // A sign in the place of gaps in which the library would look in vain.
      if (hasParts) return run;
      const isWithin = (gap: string, from: number) => from > 0 && from + gap.length < run.length;
      return run.replace(/[ .]+/g, (gap, from: number) => (isWithin(gap, from) ? '\u2212' : gap));
    });
  });
  const options = country === null ? {} : { defaultCountry: country };
  const found = findPhoneNumbersInText(lines.join('\n'), options);
  return found.map(({ number }) => number.number);
}
