import { invalidFlag } from '../config/campaign-file.ts';
import type { NumberPolicy } from '../domain/campaign.ts';
import type { E164 } from '../domain/phone.ts';
import { HOUR_MS } from '../domain/time-units.ts';
import { hasPlus } from '../leads/phone/column-styles.ts';
import { requireCountry } from '../leads/phone/countries.ts';
import { parsePhone } from '../leads/phone/parse-phone.ts';
import { AppError, EXIT, usageError } from '../runtime/errors.ts';
import type { Campaign } from '../store/port.ts';
import { isDay, localTime } from '../text/times.ts';
import type { World } from './world.ts';

/** The earliest time zone (Line Islands, Kiribati) is this far ahead of UTC. */
const FIRST_ZONE_MS = 14 * HOUR_MS;

/**
 * The beginning of the day in UTC that a file dates from, epoch ms. Accepts a day as soon as it has begun in any zone.
 *
 * @param flag what the person calls it, e.g. `--as-of`
 */
export function readAsOf(flag: string, text: string, now: number): number {
  const day = readDay(flag, text);
  if (day - FIRST_ZONE_MS <= now) return day;
  const today = new Date(now).toISOString().slice(0, 10);
  throw invalidFlag(`${flag} "${text}" is still to come. Give today (${today}) or a day before.`);
}

/**
 * The end of the last day on which something holds, in the machine's zone, epoch ms.
 *
 * @param flag what the person calls it, e.g. `--until`
 * @throws AppError `FLAG_INVALID` (exit 2), also for a day that is over
 */
export async function readUntil(
  flag: string,
  text: string,
  { clock, timezone }: Pick<World, 'clock' | 'timezone'>,
): Promise<number> {
  readDay(flag, text);
  // Loaded only here, because most commands do not need the library of wall clocks.
  const { endOfDay } = await import('../text/wall-clock.ts');
  const end = endOfDay(text, timezone);
  if (end > clock.now()) return end;
  throw usageError(
    'FLAG_INVALID',
    `${flag} "${text}" has passed: that day ended at ${localTime(end, timezone)}, so that nobody would be suppressed.`,
    `give today or a later day, or leave ${flag} out: for good`,
  );
}

/** The beginning of a day in UTC, epoch ms. @throws AppError `FLAG_INVALID` (exit 2) */
function readDay(flag: string, text: string): number {
  if (isDay(text)) return Date.parse(`${text}T00:00:00Z`);
  throw invalidFlag(`${flag} "${text}" is not a day such as 2026-01-05.`);
}

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

/** Reads the number given with `--lead` for this campaign. @throws AppError `PHONE_INVALID` with `hint` (exit 2) */
export function readLeadPhone(text: string, { settings }: Campaign, hint = AS_IN_RESULTS): E164 {
  const { country } = settings;
  // A number with `+` is one of the results: its country code is known to be there.
  const home = country === null || hasPlus(text) ? null : requireCountry(country);
  const parsed = parsePhone(text, home);
  if (parsed.ok) return parsed.phone;
  throw usageError('PHONE_INVALID', `--lead ${parsed.refusal.text}.`, hint);
}

/** The next step for a number that belongs to no lead. */
export const AS_IN_RESULTS = 'give the number as in the column call_phone of the results';

interface Asked {
  question: string;
  /** The word that has to be typed; default `yes`. */
  word?: string;
  /** Why a confirmation is needed, for the error without a terminal, e.g. `Calls to real people need a yes`. */
  needed: string;
  /** What did not happen because of a no, e.g. `nobody was called`. */
  undone: string;
  /** The next step after a no; default: to type the word in full. */
  retry?: string;
  /** The next step without a terminal; default: to use a terminal, or --yes. */
  hint?: string;
  code?: string;
}

/** A person was asked, and did not type the word. */
export class Declined extends AppError {}

/**
 * Asks a question, and throws unless the word is typed.
 *
 * @throws Declined after a no, AppError where nobody can be asked: `NOT_CONFIRMED`, or `code` (exit 2)
 */
export async function requireConfirmed(world: World, asked: Asked): Promise<void> {
  const { question, word = 'yes', needed, undone, code = 'NOT_CONFIRMED' } = asked;
  if (await world.confirm(question, word)) return;
  const { retry = `run it again and type ${word}, in full` } = asked;
  const { hint = 'run it on a terminal, or give --yes' } = asked;
  const exitCode = EXIT.usage;
  if (world.attended)
    throw new Declined(code, `Not confirmed: ${undone}.`, { hint: retry, exitCode });
  const message = `${needed}, and there is no terminal to ask on; ${undone}.`;
  throw new AppError(code, message, { hint, exitCode });
}
