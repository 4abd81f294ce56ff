import { z } from 'zod';

import { LEAD_RESULTS, NOT_CALLED } from '../../domain/lead.ts';
import { messageOf } from '../../runtime/errors.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import { parseDuration } from '../../text/times.ts';
import { parseAddress, unfilledIn } from '../http/address.ts';
import { ExpressionError } from './expressions.ts';
import { parseFieldPath, parsePath, type FieldPath, type Path } from './read-fields.ts';

const NAME = /^(\.|[^.\s/=]+(\.[^.\s]+)*)$/;
const POINTER = /^(\/([^~/]|~[01])*)+$/;
const WHAT_NAMES_ARE =
  'it must be a name, a dotted name such as call.id, a JSON Pointer such as /call/id, an expression that begins with =, or .';

/** A candidate for reading: a dotted name, a JSON Pointer, or `=` and a CEL expression. */
const name = z.string().transform((text, context) => readName(text, context));

/** Candidates in order; at least one. */
export const names = z.array(name).min(1);

/** Candidates in order; a profile leaves the key out if the service has no such field. */
export const namesOrNone = z.array(name).default([]);

export const expression = z.string().transform((text, context): Path => {
  if (text.startsWith('=')) return readName(text, context);
  context.addIssue({ code: 'custom', message: 'it must be an expression that begins with =' });
  return [];
});

/** A field to write: a dotted name or a JSON Pointer. */
export const field = z.string().transform((text, context): FieldPath => {
  if (text === '.') context.addIssue({ code: 'custom', message: 'it must name a field' });
  else if (isFieldName(text)) return parseFieldPath(text);
  else context.addIssue({ code: 'custom', message: 'it must be a name, or a dotted name' });
  return [];
});

/** Words, normalised by `normalizeWord` for comparison. */
export function wordsOr(words: string[]) {
  return z
    .array(z.string())
    .default(words)
    .transform((list) => new Set(list.map(normalizeWord)));
}
export const wordsOrNone = wordsOr([]);

/** Words and their meanings; see `WordMap`. */
export function wordsTo<T extends z.ZodType>(value: T) {
  return z
    .record(z.string(), value)
    .transform((record) => new WordMap<z.output<T>>(Object.entries(record)));
}

export function namesTo<T extends z.ZodType>(value: T) {
  return z
    .record(z.string(), value)
    .transform((record, context) =>
      Object.entries(record).map(([key, to]) => [readName(key, context, [key]), to] as const),
    );
}

export const header = z.string().regex(/^[\w-]+$/, 'it must be the name of a header');
/** A base address; see `parseAddress`. */
export const url = z.string().transform((text, context) => {
  try {
    return parseAddress(text).url;
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) });
    return z.NEVER;
  }
});
/**
 * The path of an operation. Names in braces are ids of services.yaml, except those that callsheet fills in.
 * @param fills which of the latter have a value in this operation
 */
export function pathWith(...fills: string[]) {
  const path = z.string().regex(/^\/[!-~]*$/, 'it must begin with / and have no blanks');
  const told = fills.map((fill) => `{${fill}}, `).join('');
  return path.superRefine((text, context) => {
    const name = unfilledIn(text, fills);
    const message = `{${name}} has no value here; known: ${told}{user}, and the ids of services.yaml`;
    if (name !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** A duration such as `5s`, `10m`, `2h`, `1d` or `50ms`; the output is in ms. */
export const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: 'it must be a duration such as 30s, 10m or 24h' });
  return z.NEVER;
});

const NOT_SAYABLE = ['rejected', 'unconfirmed', 'no_result', 'suppressed', 'expired', 'cancelled'];
/** The results that a service's word can mean; only callsheet itself decides the others. */
export const sayable = z.enum([
  ...LEAD_RESULTS.filter((result) => !NOT_SAYABLE.includes(result)),
  ...NOT_CALLED,
]);

function readName(text: string, context: z.RefinementCtx, at: string[] = []): Path {
  const isKey = at.length > 0;
  const complain = (message: string, offset?: number) => {
    const told = isKey ? message.replace(/^it /, 'its key ') : message;
    const params = { offset, isKey };
    context.addIssue({ code: 'custom', message: told, path: at, params });
  };
  if (!text.startsWith('=')) {
    if (isFieldName(text)) return parsePath(text);
    complain(text.includes('__proto__') ? 'it must not contain __proto__' : WHAT_NAMES_ARE);
    return [];
  }
  try {
    return parsePath(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const offset = (/^=\s*/.exec(text)?.[0].length ?? 1) + error.offset;
    const place = `it is not a usable expression at its character ${offset + 1}`;
    complain(`${place}: ${error.message}`, offset);
    return [];
  }
}

function isFieldName(text: string): boolean {
  const isName = text.startsWith('/') ? POINTER.test(text) : NAME.test(text);
  return isName && !text.split(/[./]/).includes('__proto__');
}

/**
 * Maps words to values. `*` at the end of a word, in front of it, or at both ends matches any text: `limit*`,
 * `*_limit`, `*limit*`. If several match, the closest wins: the word itself, then the longest beginning, then the
 * longest of the other patterns; `*` alone comes last.
 */
export class WordMap<T> {
  /** The entries as given: patterns with their `*`, other words as `normalizeWord` spells them. */
  readonly entries: readonly (readonly [word: string, to: T])[];
  readonly #exact = new Map<string, T>();
  /** The closest pattern first. */
  readonly #patterns: ReturnType<typeof patternOf<T>>[] = [];

  constructor(entries: readonly (readonly [string, T])[]) {
    this.entries = entries.map(([word, to]) => {
      const [, front, middle = '', end] = /^(\*?)(.*?)(\*?)$/s.exec(word) ?? [];
      if (front !== '' || end !== '') {
        this.#patterns.push(patternOf(middle, front === '*', end === '*', to));
        return [word, to];
      }
      const plain = normalizeWord(word);
      this.#exact.set(plain, to);
      return [plain, to];
    });
    this.#patterns.sort((a, b) => a.rank - b.rank || b.length - a.length);
  }

  /** @param word as `normalizeWord` spells it */
  get(word: string): T | undefined {
    const exact = this.#exact.get(word);
    if (exact !== undefined || this.#patterns.length === 0) return exact;
    return this.#patterns.find(({ fits }) => fits(word))?.to;
  }

  has(word: string): boolean {
    return this.get(word) !== undefined;
  }
}

function patternOf<T>(text: string, isOpenInFront: boolean, isOpenAtEnd: boolean, to: T) {
  const part = plainPart(text, isOpenInFront, isOpenAtEnd);
  const { length } = part;
  // `*` alone matches everything, so it comes last.
  const rank = length === 0 ? 2 : isOpenInFront ? 1 : 0;
  const fits = !isOpenInFront
    ? (word: string) => word.startsWith(part)
    : isOpenAtEnd
      ? (word: string) => word.includes(part)
      : (word: string) => word.endsWith(part);
  return { fits, rank, length, to };
}

/**
 * `normalizeWord` for a part of a word: separators at an open end are kept, as they mark where a word begins or ends.
 * The zeros around the part prevent separators from being trimmed.
 */
function plainPart(text: string, isOpenInFront: boolean, isOpenAtEnd: boolean): string {
  const rest = isOpenInFront ? text : text.trimStart();
  return normalizeWord(`0${isOpenAtEnd ? rest : rest.trimEnd()}0`).slice(1, -1);
}
