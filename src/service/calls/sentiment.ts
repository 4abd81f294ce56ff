import type { Sentiment } from '../../domain/analytics.ts';
import { rounded } from '../../domain/rounded.ts';
import type { Profile } from '../profile/profile.ts';
import { asNumber, asText, firstOf, inside, unwrapped } from '../profile/read-fields.ts';
import type { Scopes } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/fold-words.ts';

type Rules = Pick<Profile['analytics'], 'sentiment' | 'transcript'>;

/** @returns null when a sentiment field is there but empty, undefined when there is none */
export function readSentiment(scopes: Scopes, rules: Rules): Sentiment | null | undefined {
  const { at, scoreAt } = rules.sentiment;
  const sentiment = firstOf(scopes, at, (value) => sentimentOf(value, rules, scopes));
  if (typeof sentiment?.score === 'number') return sentiment;
  const score = firstOf(scopes, scoreAt, asScore);
  if (typeof score !== 'number') {
    return sentiment?.label === null ? null : sentiment;
  }
  return { label: sentiment?.label ?? null, score };
}

function sentimentOf(given: unknown, rules: Rules, scopes: Scopes): Sentiment | undefined {
  const value = unwrapped(given);
  if (Array.isArray(value)) return ofAll(value, rules, scopes);
  if (typeof value === 'object') {
    const scope = inside(value, scopes);
    const label = firstOf(scope, rules.sentiment.label, asLabel) ?? null;
    const score = firstOf(scope, rules.sentiment.score, asScore) ?? null;
    if (label === null && score === null) return ofParts(value ?? {}, rules, scopes);
    return { label: label === null ? null : renamed(label, rules), score };
  }
  const score = asScore(value) ?? null;
  if (score !== null) return { label: null, score };
  const text = asLabel(value);
  if (text === undefined) return undefined;
  const [, word = text, number] = WITH_SCORE.exec(text) ?? [];
  return { label: renamed(word, rules), score: asScore(number) ?? null };
}

/** A list of sentiments says one thing where those of the person, or those of nobody in particular, agree. */
function ofAll(list: readonly unknown[], rules: Rules, scopes: Scopes): Sentiment | undefined {
  const roleOf = (item: unknown) =>
    firstOf(inside(item, scopes), rules.transcript.role, asText) ?? '';
  const ofPerson = list.filter((item) => isPerson(roleOf(item), rules));
  const all = (ofPerson.length > 0 ? ofPerson : list).map((item) =>
    sentimentOf(item, rules, scopes),
  );
  const [first] = all;
  if (first?.label == null || all.some((each) => each?.label !== first.label)) return undefined;
  return all.length === 1 ? first : { label: first.label, score: null };
}

/** `{ agent: 'neutral', customer: 'positive' }`: the person's; `{ positive: 0.7, neutral: 0.3 }`: the largest share. */
function ofParts(object: object, rules: Rules, scopes: Scopes): Sentiment | undefined {
  const entries = Object.entries(object) as [string, unknown][];
  const [, ofPerson] = entries.find(([name]) => isPerson(name, rules)) ?? [];
  if (ofPerson !== undefined) return sentimentOf(ofPerson, rules, scopes);
  const shares = entries
    .map(([name, share]) => ({ name, share: asNumber(share) ?? NaN }))
    .toSorted((a, b) => b.share - a.share);
  const [most, next] = shares;
  const isShared = shares.every(({ name, share }) => MOOD.test(name) && share >= 0);
  if (!isShared || most === undefined || most.share === next?.share) return undefined;
  return { label: renamed(most.name.toLowerCase(), rules), score: null };
}
const MOOD = /^(very[ _-]?)?(positive|neutral|negative|mixed)$/i;

function isPerson(role: string, { transcript }: Rules): boolean {
  return transcript.person.has(normalizeWord(role));
}

/** The name that the profile gives the service's word; null for a word that means "no sentiment". */
function renamed(label: string, { sentiment: { words } }: Rules): string | null {
  const name = words.get(normalizeWord(label)) ?? label;
  return name === 'none' ? null : name;
}

/** A larger value is not a score but a time or an id. */
const LARGEST_SCORE = 1e6;

/**
 * A number, also as `4/10` or `80%`. Rounded: an expression of the profile may have computed the score, which leaves
 * binary fractions (0.1 + 0.2).
 */
function asScore(value: unknown): number | undefined {
  const [, part] =
    (typeof value === 'string' && /^\s*(-?[\d.]+) ?(?:\/ ?\d+|%)\s*$/.exec(value)) || [];
  const number = asNumber(part ?? value);
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
/** `positive (0.8)`, `positive: 0.8`. */
const WITH_SCORE = /^([a-z][a-z _-]{0,40}?) ?[(:] ?(-?\d+(?:\.\d+)?)\)?$/;
