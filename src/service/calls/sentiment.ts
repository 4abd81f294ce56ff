import type { Sentiment } from '../../domain/analytics.ts';
import { rounded } from '../../domain/rounded.ts';
import type { Profile } from '../profile/profile.ts';
import { asNumber, firstOf, inside, type Scopes } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/fold-words.ts';

type Rules = Profile['analytics']['sentiment'];

/** @returns null when a sentiment field is there but empty, undefined when there is none */
export function readSentiment(scopes: Scopes, rules: Rules): Sentiment | null | undefined {
  const sentiment = firstOf(scopes, rules.at, (value) => sentimentOf(value, rules, scopes));
  if (typeof sentiment?.score === 'number') return sentiment;
  const score = firstOf(scopes, rules.scoreAt, asScore);
  if (typeof score !== 'number') {
    return sentiment?.label === null ? null : sentiment;
  }
  return { label: sentiment?.label ?? null, score };
}

function sentimentOf(value: unknown, rules: Rules, scopes: Scopes): Sentiment | undefined {
  if (typeof value === 'object') {
    const scope = inside(value, scopes);
    const label = firstOf(scope, rules.label, asLabel) ?? null;
    const score = firstOf(scope, rules.score, asScore) ?? null;
    if (label === null && score === null) return undefined;
    return { label: label === null ? null : renamed(label, rules), score };
  }
  const score = asScore(value) ?? null;
  if (score !== null) return { label: null, score };
  const label = asLabel(value);
  return label === undefined ? undefined : { label: renamed(label, rules), score: null };
}

/** The name that the profile gives the service's word; null for a word that means "no sentiment". */
function renamed(label: string, { words }: Rules): string | null {
  const name = words.get(normalizeWord(label)) ?? label;
  return name === 'none' ? null : name;
}

/** A larger value is not a score but a time or an id. */
const LARGEST_SCORE = 1e6;

/** Rounded: an expression of the profile may have computed the score, which leaves binary fractions (0.1 + 0.2). */
function asScore(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined || Math.abs(number) > LARGEST_SCORE ? undefined : rounded(number);
}

/** A word, not a number written as text, and not a whole conversation. */
function asLabel(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_LABEL) return undefined;
  const label = value.trim().toLowerCase();
  return label === '' || NO_WORD.test(label) ? undefined : label;
}
const LONGEST_LABEL = 200;
const NO_WORD = /^[+-]?(\d+(\.\d*)?(e[+-]?\d+)?|nan|inf|infinity)$/;
