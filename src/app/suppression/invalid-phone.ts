import type { PhoneRefusal } from '../../leads/phone/phone-refusal.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';

/** So few are a number without its area: a country alone would not complete it. */
const FEW_DIGITS = 7;

/** The error for a number that was typed, with what it lacks: `PHONE_INVALID` (exit 2). */
export function invalidPhone(typed: string, { code, text }: PhoneRefusal): AppError {
  const isShort = typed.replaceAll(/\D/g, '').length <= FEW_DIGITS;
  const hint =
    code === 'too_short' || (code === 'no_country' && isShort)
      ? 'give all of its digits: +, country code, area code and number, e.g. +12125550123'
      : 'write it with + and country code, or give --country';
  return usageError('PHONE_INVALID', `The number ${text}.`, hint);
}
