/** A phone number in E.164: `+`, a country code, 7 to 15 digits in all. */
export type E164 = string & { readonly __brand: 'E164' };

/** True for strict E.164 (ITU-T E.164: at most 15 digits, no leading zero). */
export function isE164(text: string): text is E164 {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

/** A number as it may appear in logs: country and last two digits, e.g. `+1********34`. */
export function maskPhone(phone: string): string {
  return phone.slice(0, 2) + '*'.repeat(Math.max(0, phone.length - 4)) + phone.slice(-2);
}
