import { createRequire } from 'node:module';
import fc from 'fast-check';
import { getCountries, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import type { E164 } from '../../../../src/domain/phone.ts';

/** The calling code first, and at 11 the pattern of each kind of number; 0 where a region has none of a kind. */
type Region = readonly [code: string, ...unknown[]];

const { countries } = createRequire(import.meta.url)('libphonenumber-js/metadata.max.json') as {
  countries: Record<string, Region>;
};
const KINDS = 11;

export const REGIONS = getCountries();

/**
 * Random numbers of a region, some of each kind (land lines, mobiles, toll-free ...), by the patterns of libphonenumber;
 * about `count`. Where regions share a calling code, some belong to another one by their digits: mobiles of the Cocos
 * islands to Australia, all of Western Sahara to Morocco.
 */
export function numbersOf(region: CountryCode, count: number, seed: number): E164[] {
  const [code, ...rest] = countries[region] ?? [''];
  const kinds = (rest[KINDS - 1] as (0 | [pattern: string])[])
    .map((kind) => (kind === 0 ? '' : kind[0]))
    .filter((pattern) => pattern !== '');
  return kinds.flatMap((pattern) => {
    const national = fc.stringMatching(new RegExp(`^(?:${pattern})$`));
    return fc
      .sample(national, { numRuns: Math.ceil(count / kinds.length), seed })
      .map((digits) => `+${code}${digits}` as E164)
      .filter((phone) => parsePhoneNumberFromString(phone)?.country !== undefined);
  });
}
