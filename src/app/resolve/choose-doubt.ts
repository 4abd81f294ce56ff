import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import type { Campaign, Doubt } from '../../store/port.ts';
import { shellWord } from '../../text/shell-word.ts';

/**
 * The one call in doubt that is meant, also one that was settled before.
 *
 * @param text a number, an attempt id or an external id
 * @throws AppError `PHONE_INVALID`, `NOT_IN_DOUBT`, `LEAD_AMBIGUOUS` (exit 2)
 */
export function chooseDoubt(text: string, doubts: readonly Doubt[], campaign: Campaign): Doubt {
  const named = doubts.find(({ attemptId, key }) => attemptId === text || key === text);
  if (named !== undefined) return named;
  if (/^a\d+$/.test(text)) throw notInDoubt(`attempt ${text}`, campaign);
  const phone = readPhone(text, campaign);
  const theirs = doubts.filter((doubt) => doubt.phone === phone);
  const open = theirs.filter(({ resolution }) => resolution === null);
  if (open.length > 1) {
    const ids = open.map(({ attemptId }) => attemptId).join(', ');
    throw usageError(
      'LEAD_AMBIGUOUS',
      `${phone} has ${open.length} calls in doubt: ${ids}.`,
      'give the attempt with --lead',
    );
  }
  const doubt = open[0] ?? theirs.at(-1);
  if (doubt === undefined) throw notInDoubt(`a call to ${phone}`, campaign);
  return doubt;
}

function readPhone(text: string, { settings }: Campaign): E164 {
  const country = settings.country === null ? null : requireCountry(settings.country);
  const parsed = parsePhone(text, country);
  if (parsed.ok) return parsed.phone;
  throw usageError(
    'PHONE_INVALID',
    `--lead ${parsed.refusal.text}.`,
    'give the number as in the column call_phone of the results',
  );
}

function notInDoubt(what: string, { name }: Campaign): AppError {
  const message = `No doubt of "${name}" is ${what}; allowed are the numbers and attempts of calls in doubt.`;
  return usageError('NOT_IN_DOUBT', message, `\`callsheet resolve ${shellWord(name)}\` lists them`);
}
