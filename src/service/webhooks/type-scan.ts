import type { WebhookRules } from '../profile/profile-webhooks.ts';
import { isFieldPath, type FieldPath } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/normalize.ts';

/** Looks for the type of one delivery while its bytes go by; of them it keeps what a name or a type may hold. */
export interface TypeScan {
  /** The next bytes, cut anywhere. */
  add(chunk: Uint8Array): void;
  /** Once all were added: true where the type is one that the profile calls unneeded. */
  isUnneeded(): boolean;
  /** Bytes that are kept now; never more than about a thousand. */
  readonly held: number;
}

/** A name or a type that is longer is none that a profile could mean. */
const LONGEST_WORD = 200;
/** As deep as `parseJson` goes. */
const DEEPEST = 200;

/**
 * Finds the type exactly where a delivery that is read whole has it: at the names `within` and `type` of the
 * profile, the first that holds a text; of a name that is there twice the last one counts. The same word in any
 * other place (a transcript, an inner object, a list) is not looked at. Texts, brackets and names are followed;
 * what lies between them is not checked, so that some things that are no JSON count as a delivery of their type.
 */
export function createTypeScan(rules: WebhookRules): TypeScan {
  const places = placesOf(rules);
  const longest = Math.max(...places.map(({ length }) => length));
  const types = rules.unneeded?.types ?? new Set();
  const found: (string | undefined)[] = places.map(() => undefined);
  /** The brackets that are open, and the names that led to the innermost one that may matter. */
  const open: number[] = [];
  const path: (string | null)[] = [];
  let word: number[] | null = null;
  let state: 'between' | 'text' | 'escaped' = 'between';
  let isName = false;
  let isBroken = false;

  function between(sign: number): void {
    if (open.length === 0 && !BLANKS.has(sign) && (sign !== OPEN_OBJECT || path.length > 0)) {
      // No object, or something behind it.
      isBroken = true;
    } else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
      open.push(sign);
      path[open.length - 1] = null;
      isName = sign === OPEN_OBJECT;
      isBroken = open.length > DEEPEST;
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
      isBroken = open.pop() !== (sign === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_LIST);
      isName = false;
    } else if (sign === COMMA) {
      isName = open.at(-1) === OPEN_OBJECT;
    } else if (sign === COLON) {
      isName = false;
      forget();
    } else if (sign === QUOTE) {
      state = 'text';
      word = isName ? (open.length <= longest ? [] : null) : placeHere() < 0 ? null : [];
    }
  }

  /** A value begins: what was found there, or further in, is of an earlier one with the same name. */
  function forget(): void {
    for (const [i, place] of places.entries()) {
      const isInside = place.length >= open.length && isAt(place, open.length);
      if (isInside) found[i] = undefined;
    }
  }

  /** Which place the value that begins now is; -1: none. */
  function placeHere(): number {
    if (open.length > longest || open.includes(OPEN_LIST)) return -1;
    return places.findIndex((place) => place.length === open.length && isAt(place, open.length));
  }

  function isAt(place: FieldPath, depth: number): boolean {
    if (open.includes(OPEN_LIST)) return false;
    for (let i = 0; i < depth; i++) if (place[i] !== path[i]) return false;
    return true;
  }

  function endOfText(): void {
    state = 'between';
    if (word === null) return;
    const text = word.length > LONGEST_WORD ? null : textOf(word);
    word = null;
    if (isName) path[open.length - 1] = text;
    else found[placeHere()] = text ?? '';
  }

  return {
    add(chunk) {
      for (let at = 0; at < chunk.length && !isBroken; at++) {
        // Nearly all of a long delivery is text that is not looked at.
        if (state === 'text' && word === null) at = endOfPlain(chunk, at);
        const sign = chunk[at];
        if (sign === undefined) return;
        if (state === 'between') {
          between(sign);
          continue;
        }
        if (state === 'escaped') state = 'text';
        else if (sign === BACKSLASH) state = 'escaped';
        else if (sign === QUOTE) {
          endOfText();
          continue;
        }
        if (word !== null && word.length <= LONGEST_WORD) word.push(sign);
      }
    },
    isUnneeded() {
      if (isBroken || open.length > 0 || state !== 'between') return false;
      const type = found.find((text) => text !== undefined);
      return type !== undefined && types.has(normalizeWord(type));
    },
    get held() {
      return (word?.length ?? 0) + path.reduce((sum, name) => sum + (name?.length ?? 0), 0);
    },
  };
}

/** In the order in which a delivery that is read whole is asked for its type. */
function placesOf({ within, type }: WebhookRules): FieldPath[] {
  const scopes = within.filter(isFieldPath);
  return type.filter(isFieldPath).flatMap((names) => scopes.map((scope) => [...scope, ...names]));
}

/** Where a quote or a backslash stands next; the end, where none does. */
function endOfPlain(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1;
  return at;
}

/** The text between two quotes of JSON; null for what is none. */
function textOf(bytes: readonly number[]): string | null {
  try {
    return JSON.parse(`"${Buffer.from(bytes).toString('utf8')}"`) as string;
  } catch {
    return null;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
