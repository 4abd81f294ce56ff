import type { NumberPolicy } from '../domain/campaign.ts';
import type { E164 } from '../domain/phone.ts';
import { hasPlus } from '../leads/phone/column-styles.ts';
import { requireCountry } from '../leads/phone/countries.ts';
import { parsePhone } from '../leads/phone/parse-phone.ts';
import { usageError } from '../runtime/errors.ts';
import type { Campaign } from '../store/port.ts';

/** Up to this many digits, a number lacks its area code, so a country alone would not complete it. */
const FEW_DIGITS = 7;

/**
 * Reads a phone number as typed.
 *
 * @param country ISO 3166, for a number without `+`
 * @throws AppError `PHONE_INVALID`, with what the number lacks (exit 2)
 */
export function readTypedPhone(text: string, country: string | null, policy?: NumberPolicy): E164 {
  const parsed = parsePhone(text, country === null ? null : requireCountry(country), policy);
  if (parsed.ok) return parsed.phone;
  const { code, text: problem } = parsed.refusal;
  const isShort = text.replaceAll(/\D/g, '').length <= FEW_DIGITS;
  const hint =
    code === 'too_short' || (code === 'no_country' && isShort)
      ? 'give all of its digits: +, country code, area code and number, e.g. +12125550123'
      : 'write it with + and country code, or give --country';
  throw usageError('PHONE_INVALID', `The number ${problem}.`, hint);
}

/** Reads the number given with `--lead` for this campaign. @throws AppError `PHONE_INVALID` (exit 2) */
export function readLeadPhone(text: string, { settings: { country } }: Campaign): E164 {
  // A number with `+` is one of the results: its country code is known to be there.
  const home = country === null || hasPlus(text) ? null : requireCountry(country);
  const parsed = parsePhone(text, home);
  if (parsed.ok) return parsed.phone;
  throw usageError('PHONE_INVALID', `--lead ${parsed.refusal.text}.`, AS_IN_RESULTS);
}

/** The next step for a number that belongs to no lead. */
export const AS_IN_RESULTS = 'give the number as in the column call_phone of the results';
