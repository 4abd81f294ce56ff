import { own } from '../../domain/safe-text.ts';
import { textOrJson } from '../../text/wording.ts';

/** A JSON value whose strings may contain `{{name}}`. */
export type BodyTree = string | number | boolean | null | BodyTree[] | { [key: string]: BodyTree };

/** The values to fill in, by name; an absent name has no value. */
export type BodyValues = Readonly<Record<string, unknown>>;

export type Body = ReturnType<typeof compileBody>;

/** A value that the body needs is missing: nothing can be sent. */
export class MissingValue extends Error {
  readonly value: string;

  constructor(value: string) {
    super(`the body needs {{${value}}}, and there is none`);
    this.value = value;
  }
}

/**
 * What may be between the braces: a name; a name and `?`, if the value may be missing; a name, `|` and a default for a
 * value that is missing or blank. If a string is only `{{name}}`, the value replaces the string and keeps its type;
 * otherwise the value is inserted as text.
 */
const SLOT = /\{\{([^{}?|]+)(?:(\?)\s*)?(?:\|([^{}]*))?\}\}/g;

type Render = (values: BodyValues) => unknown;

export function compileBody(tree: BodyTree) {
  const slots = slotsIn(tree);
  return {
    /** @throws MissingValue for a name without a value, unless it ends in `?` or has a default */
    render: compile(tree),
    /** Names of the values that the template uses, e.g. `phone`, `lead.First name`. */
    uses: new Set(slots.map(({ name }) => name)),
    /** The names in `uses` that must have a value: if one is missing, nothing is sent. */
    needs: new Set(slots.filter(({ mayLack }) => !mayLack).map(({ name }) => name)),
    /** The placeholders as the template writes them, e.g. `{{firstName|there}}`; each once. */
    slots: [...new Set(slots.map(({ text }) => text))],
    /** The fields of the body that contain a placeholder, dotted, e.g. `customer.number`. */
    fields: [...new Set(slots.map(({ at }) => at.join('.')))],
    /** The value that each field takes, by the last key of the field: `first_name` of `lead.First name`. */
    filled: new Map(slots.map(({ at, name }) => [at.at(-1) ?? '', name])),
  };
}

interface Slot {
  /** The keys that lead to the string with this placeholder. */
  at: string[];
  text: string;
  name: string;
  mayLack: boolean;
}

export function slotsIn(tree: BodyTree, at: string[] = []): Slot[] {
  if (typeof tree === 'string') {
    return Array.from(tree.matchAll(SLOT), ([text, name = '', mark, instead]) => {
      return { at, text, name: name.trim(), mayLack: mark === '?' || instead !== undefined };
    });
  }
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, item]) => slotsIn(item, [...at, key]));
}

export const FORM = 'application/x-www-form-urlencoded';

export function encodeBody(body: unknown, as: 'json' | 'form') {
  return as === 'form'
    ? { text: formText(body), contentType: FORM }
    : { text: JSON.stringify(body), contentType: 'application/json' };
}

export type EncodedBody = ReturnType<typeof encodeBody>;

/** Encodes one level of fields as `application/x-www-form-urlencoded`; nested values become JSON text. */
function formText(body: unknown): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const item of [value as unknown].flat()) fields.append(name, textOrJson(item));
  }
  return fields.toString();
}

function compile(tree: BodyTree): Render {
  if (typeof tree === 'string') return compileText(tree);
  if (typeof tree !== 'object' || tree === null) return () => tree;
  if (Array.isArray(tree)) {
    const items = tree.map(compile);
    return (values) => items.map((render) => render(values)).filter((item) => item !== undefined);
  }
  const fields = Object.entries(tree).map(([key, item]) => [key, compile(item)] as const);
  return (values) => {
    const made = fields.map(([key, render]) => [key, render(values)] as const);
    return Object.fromEntries(made.filter(([, value]) => value !== undefined));
  };
}

function compileText(text: string): Render {
  const slots = [...text.matchAll(SLOT)];
  if (slots.length === 0) return () => text;
  const [first, name = '', mark, instead] = slots[0] ?? [];
  if (first === text) return (values) => valueOf(values, name.trim(), mark, instead);
  return (values) =>
    text.replace(SLOT, (_slot, inner: string, its?: string, other?: string) =>
      textOrJson(valueOf(values, inner.trim(), its, other) ?? ''),
    );
}

/** @returns undefined for a missing value that may be missing: its field is left out */
function valueOf(values: BodyValues, name: string, mark?: string, instead?: string): unknown {
  const value = own(values, name);
  const isThere = value !== undefined && value !== null;
  const isBlank = typeof value === 'string' && value.trim() === '';
  if (instead !== undefined) return isThere && !isBlank ? value : instead.trim();
  if (isThere) return value;
  if (mark === '?') return undefined;
  throw new MissingValue(name);
}

/** No service nests answers this deeply; a deeper answer is meant to overflow the stack of the code that reads it. */
export const DEEPEST = 200;

/** The value of a JSON text; undefined (which is not a JSON value) if it is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Each level takes at least two characters, so most answers are too short to be nested too deeply.
    return text.length > 2 * DEEPEST && isDeeper(value, DEEPEST) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** A campaign waits no longer than this, even if the service asks for more. */
const LONGEST_MS = 3_600_000;

/**
 * How long a Retry-After header asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3 and 5.6.7).
 * @param now epoch ms
 * @returns 0 to 3,600,000 ms; null when there is no header, or when it is neither seconds nor a date
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : dateMs(text) - now;
  return Number.isNaN(ms) ? null : Math.round(Math.min(Math.max(ms, 0), LONGEST_MS));
}

/** HTTP dates begin with a weekday; `Date.parse` also accepts much text that is not an HTTP date. */
function dateMs(text: string): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
