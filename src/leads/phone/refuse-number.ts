import {
  validatePhoneNumberLength,
  type PhoneNumber,
  type PhoneNumberType,
} from 'libphonenumber-js/max';
import type { NumberPolicy } from '../../domain/campaign.ts';
import { isCostly, isFiller } from './fast-phone.ts';
import { FEWEST_DIGITS } from './phone-cell.ts';
import { refusal, type PhoneRefusal } from './phone-refusal.ts';

/** Calling codes without a country: freephone, shared cost, satellite, global and premium networks. */
const COUNTRYLESS = new Set(['800', '808', '870', '878', '881', '882', '883', '888', '979']);

const REFUSED_TYPES: Readonly<Record<string, string>> = {
  PREMIUM_RATE: 'a premium-rate number',
  SHARED_COST: 'a shared-cost number',
  PERSONAL_NUMBER: 'a personal number that costs like a premium-rate one',
  PAGER: 'a pager',
  UAN: "a company's access number",
  VOICEMAIL: 'a voicemail access number',
};

interface Known {
  type: PhoneNumberType | undefined;
  /** True when the numbering plan lists the number's range. */
  assigned: boolean;
  /** True when it was written with its country code. */
  hasPlus: boolean;
}

/** Why a number that was read must not be called; undefined where it may be. */
export function refuseNumber(
  cell: string,
  number: PhoneNumber,
  known: Known,
  policy: NumberPolicy,
): PhoneRefusal | undefined {
  const { countryCallingCode, nationalNumber } = number;
  const { type, assigned } = known;
  if (number.ext !== undefined && !(policy.extension === 'accept' && isMarked(cell))) {
    return refusal('has_extension', cell);
  }
  if (COUNTRYLESS.has(countryCallingCode)) {
    return refusal('never_called', cell, 'a number of no country (satellite, global or shared)');
  }
  if (type === 'TOLL_FREE' && policy.tollFree !== 'accept') return refusal('toll_free', cell);
  if (type !== undefined && type in REFUSED_TYPES) {
    return refusal('never_called', cell, REFUSED_TYPES[type]);
  }
  if (isCostly(number.number)) return refusal('never_called', cell, 'a premium-rate number');
  if (isShort(nationalNumber, known)) return refusal('too_short', cell);
  if (!assigned && !number.isPossible()) {
    const isLong = validatePhoneNumberLength(number.number) === 'TOO_LONG';
    return refusal(isLong ? 'too_long' : 'too_short', cell);
  }
  if (isFiller(nationalNumber) || !(assigned || mayBeNew(number))) {
    return refusal('not_assignable', cell);
  }
  if (!assigned && policy.unassigned === 'refuse') return refusal('unassigned_number', cell);
  return undefined;
}

/** True where a sign or a word marks the extension: a few digits after a mere comma may belong to another number. */
function isMarked(cell: string): boolean {
  return /[\p{L}#~]/u.test(cell.replace(/^\s*tel:/i, ''));
}

/** True for emergency and service numbers: fewer than 7 digits, except for assigned numbers of very small countries. */
function isShort(nationalNumber: string, { assigned, hasPlus }: Known): boolean {
  if (nationalNumber.length >= FEWEST_DIGITS) return false;
  return !hasPlus || !assigned || /^(?:\d{1,3}|116\d{3})$/.test(nationalNumber);
}

/**
 * The library does not list ranges that were opened after its release (in 2025 whole US area codes), so a number of a
 * possible length is taken. In North America an area code and an exchange never start with 0 or 1.
 */
function mayBeNew({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  return countryCallingCode !== '1' || /^[2-9]\d{2}[2-9]\d{6}$/.test(nationalNumber);
}
