import { Environment } from '@marcbachmann/cel-js';

import { own } from '../../domain/safe-text.ts';

/** A CEL (Common Expression Language) expression; `body` is the object in which fields are looked up. */
export interface Expression {
  /** The expression as written, without the `=` in front. */
  readonly text: string;
  /** Returns a JSON value; undefined when it cannot be computed from this object, e.g. because a field is absent. */
  readonly evaluate: (body: unknown) => unknown;
}

/** Why an expression cannot be used, and where in its text (0-based). */
export class ExpressionError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Enough for a computed field, and small, because the expression is evaluated for every answer. */
const LIMITS = { maxAstNodes: 400, maxDepth: 40, maxListElements: 100, maxMapEntries: 50 };
const MACROS = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);

let environment: Environment | undefined;

/** @throws ExpressionError for text that is not CEL, uses a variable other than `body`, or could run for ever */
export function compileExpression(text: string): Expression {
  environment ??= createEnvironment();
  let program: ReturnType<Environment['parse']>;
  try {
    program = environment.parse(text);
  } catch (error) {
    throw asExpressionError(error);
  }
  const checked = program.check();
  if (!checked.valid) throw asExpressionError(checked.error);
  refuseEndless(program.ast, 0);
  const first = firstField(program.ast);
  return {
    text,
    evaluate: (body) => {
      // Most answers have few of the fields that a profile looks for, and an error costs as much as a poll.
      if (first !== undefined && !hasField(body, first)) return undefined;
      try {
        return plain(program({ body }) as unknown);
      } catch {
        return undefined;
      }
    },
  };
}

/** Operators that evaluate their first part in any case. */
const IN_ORDER = '. [] ?: == != < <= > >= + - * / % in'.split(' ');

/** The field of `body` that an expression reads first, whatever the rest is; undefined: it may do without. */
function firstField(node: unknown): string | undefined {
  const { op, args } = node as { op: string; args: unknown };
  const [one, other, more] = Array.isArray(args) ? (args as unknown[]) : [args];
  if (op === '.' && isBody(one)) return String(other);
  if (op === '!_' || op === '-_' || IN_ORDER.includes(op)) return firstField(one);
  if (op === 'rcall') return firstField(other);
  const isCall = op === 'call' && one !== 'has' && Array.isArray(other) && other.length > 0;
  return isCall && more === undefined ? firstField((other as unknown[])[0]) : undefined;
}

function isBody(node: unknown): boolean {
  const { op, args } = node as { op?: string; args?: unknown };
  return op === 'id' && args === 'body';
}

function hasField(body: unknown, name: string): boolean {
  const isRecord = typeof body === 'object' && body !== null;
  return isRecord && own(body as Record<string, unknown>, name) !== undefined;
}

/** Standard CEL, except that int and double may be mixed, texts of numbers divided, and `time(x)` reads the times that services send. */
function createEnvironment(): Environment {
  const made = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })
    .registerVariable('body', 'dyn')
    .registerFunction('time(dyn): double', epochMs);
  const operators = {
    '+': (a: number, b: number) => a + b,
    '-': (a: number, b: number) => a - b,
    '*': (a: number, b: number) => a * b,
    '/': (a: number, b: number) => a / b,
  };
  for (const [sign, compute] of Object.entries(operators)) {
    const mixed = (a: unknown, b: unknown) => compute(Number(a), Number(b));
    made.registerOperator(`double ${sign} int`, mixed);
    made.registerOperator(`int ${sign} double`, mixed);
  }
  // An amount may come as text: `body.cents / 100`.
  const ofText = (a: string, b: unknown) => (isDecimal(a) ? Number(a) / Number(b) : NaN);
  for (const type of ['int', 'double']) made.registerOperator(`string / ${type}`, ofText);
  return made;
}

/** A number above a bound is in the next smaller unit: 1e11 is the year 5138 in seconds and March 1973 in ms. */
const LARGEST_SECONDS = 1e11;
const LARGEST_MS = 1e14;
const LARGEST_MICROSECONDS = 1e17;
const DAYS = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s/i;
/** How ISO 8601 and RFC 2822 begin; `Date.parse` also makes a date of nearly any text with a number in it. */
const DATE = /^(\d{4}-\d{2}|\d{4}\/\d{1,2}\/|\d{1,2}[ -][a-z]{3}|[a-z]{3,9} \d{1,2},? \d{4})/i;
/** An offset, or one of the names that `Date.parse` knows, after the time of day. */
const ZONE = /^[^:]*:\d{2}.*(?:[+-]\d|(?<![a-z])(?:z|utc?|gmt|[ecmp][sd]t)(?![a-z]))/i;
/** Characters; no date with its time and zone is longer. */
const LONGEST_DATE = 100;

/**
 * Epoch ms of a date as text (ISO 8601, RFC 2822), or of epoch seconds, ms, microseconds or nanoseconds. A time without
 * a zone is UTC: its meaning must not depend on where this program runs.
 * @returns NaN for anything else
 */
export function epochMs(value: unknown): number {
  if (typeof value === 'string' && !isDecimal(value)) return dateMs(value.trim());
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    return NaN;
  return bySize(Number(value));
}

function bySize(number: number): number {
  const size = Math.abs(number);
  if (size < LARGEST_SECONDS) return number * 1_000;
  if (size < LARGEST_MS) return number;
  return size < LARGEST_MICROSECONDS ? number / 1e3 : number / 1e6;
}

/** True for `42` or `-1.5`, with or without blanks around the number. */
export function isDecimal(text: string): boolean {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text);
}

function dateMs(text: string): number {
  if (text.length > LONGEST_DATE || !DATE.test(text.replace(DAYS, ''))) return NaN;
  if (ZONE.test(text)) return Date.parse(text);
  // `10:00Z` is ISO 8601, `10:00 PM Z` is not, and `Date.parse` takes each in its own spelling alone.
  const at = Date.parse(`${text}Z`);
  return Number.isNaN(at) ? Date.parse(`${text} Z`) : at;
}

/**
 * Functions that search one text for another, which takes long when a service sends both texts: the text to search for
 * must be a literal in the profile.
 */
const SEARCHES = new Set(['contains', 'indexOf', 'lastIndexOf', 'replace', 'split']);

/**
 * Refuses what could run very long on data from a service: backtracking patterns, nested loops (also hidden ones, as in
 * `x in body.list`), searches for a text from the service, and `cel.bind`, which can double a text again and again.
 */
function refuseEndless(node: unknown, loops: number): void {
  if (Array.isArray(node)) {
    for (const item of node as unknown[]) refuseEndless(item, loops);
    return;
  }
  if (typeof node !== 'object' || node === null || !('op' in node) || !('args' in node)) return;
  const { op, args } = node as { op: string; args: unknown; start?: number };
  const name = op === 'rcall' || op === 'call' ? String((args as unknown[])[0]) : '';
  const at = (node as { start?: number }).start ?? 0;
  if (name === 'matches') throw new ExpressionError('matches() is not supported', at);
  if (name === 'bind') throw new ExpressionError('cel.bind() is not supported', at);
  if (loops > 0 && op === 'id' && args === 'body') {
    const message =
      'body cannot be used inside a loop; compare the item of the loop with a constant';
    throw new ExpressionError(message, at);
  }
  if (SEARCHES.has(name) && !(args as { op?: string }[][])[2]?.every(({ op }) => op === 'value')) {
    const message = `${name}() is supported with a text in quotes only, as the service could send a long one`;
    throw new ExpressionError(message, at);
  }
  const inside = loops + (MACROS.has(name) ? 1 : 0);
  if (inside > 1) throw new ExpressionError(`${name}() inside another loop is not supported`, at);
  if (!MACROS.has(name)) {
    refuseEndless(args, loops);
    return;
  }
  // The list of a loop may come from the body; the expression for each item may not use the body.
  const [, list, ...asked] = args as unknown[];
  refuseLoops(list, name);
  refuseEndless(list, loops);
  refuseEndless(asked, inside);
}

/** The result of one loop may not be the list of another. */
function refuseLoops(list: unknown, outer: string): void {
  if (typeof list !== 'object' || list === null) return;
  const { op, args, start } = list as { op?: string; args?: unknown; start?: number };
  const [name] = Array.isArray(args) ? (args as unknown[]) : [];
  if (op === 'rcall' && MACROS.has(String(name)))
    throw new ExpressionError(`${outer}() inside another loop is not supported`, start ?? 0);
  for (const part of Array.isArray(args) ? (args as unknown[]).flat() : [])
    refuseLoops(part, outer);
}

function asExpressionError(error: unknown): ExpressionError {
  const { message = 'it is no CEL expression', range } = (error ?? {}) as {
    message?: string;
    range?: { start?: number };
  };
  return new ExpressionError(message.split('\n')[0] ?? message, range?.start ?? 0);
}

/** Converts a CEL result to a JSON value: CEL's integers are BigInt, its durations are seconds and nanoseconds. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(plain);
  const { seconds, nanos } = value as { seconds?: unknown; nanos?: unknown };
  if (typeof seconds === 'bigint') return Number(seconds) * 1_000 + Number(nanos) / 1e6;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
