import { getCountryCallingCode } from 'libphonenumber-js/max';
import { countryNamed } from '../phone/countries.ts';
import { zonesOfCallingCode } from './number-zones.ts';
import { stateOfCode } from './states.ts';

/** Read from a cell: `US`, `USA`, `Deutschland`; undefined: empty, or no country. */
export function countryOfCell(cell = ''): string | undefined {
  return cell.trim() === '' ? undefined : countryNamed(cell);
}

/** United States without its territories, which have calling areas and codes of their own. */
const US_STATES = ['US-NY', 'US-TX', 'US-AZ', 'US-CA', 'US-AK', 'US-HI'];
const CA_PROVINCES = ['CA-NL', 'CA-QC', 'CA-ON', 'CA-SK', 'CA-AB', 'CA-BC', 'CA-NT'];

/** All zones of a country. @param country ISO 3166 code */
export function countryZones(country: string): readonly string[] {
  if (country === 'US') return zonesOfStates(US_STATES);
  if (country === 'CA') return zonesOfStates(CA_PROVINCES);
  const code = callingCodeOf(country);
  // The islands that share +1 are told apart by their area codes alone.
  return code === undefined || code === '1'
    ? []
    : zonesOfCallingCode(country === 'KZ' ? '77' : code);
}

function zonesOfStates(regions: readonly string[]): string[] {
  return [...new Set(regions.flatMap((region) => stateOfCode(region).zones))];
}

function callingCodeOf(country: string): string | undefined {
  try {
    return getCountryCallingCode(country as Parameters<typeof getCountryCallingCode>[0]);
  } catch {
    return undefined;
  }
}
