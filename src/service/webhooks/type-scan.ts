import { DEEPEST } from '../http/json.ts';
import type { WebhookRules } from '../profile/profile-webhooks.ts';
import { isFieldPath, type FieldPath } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/fold-words.ts';

/** Finds the type of one delivery while its bytes are received; it keeps only the key names and types that it needs. */
export type TypeScan = ReturnType<typeof createTypeScan>;

/** No profile names a field or type that is longer than this. */
const LONGEST_WORD = 200;

/**
 * A streaming scanner for deliveries of many MB (call recordings) that are not needed. It finds the type exactly where
 * the reader of a fully parsed delivery finds it: at `within` and `type` of the profile, the first place that holds a
 * text; if a key is given twice, its last value counts. The same word in any other place (a transcript, an inner
 * object, a list) is ignored. The scanner follows strings, brackets and keys, and checks nothing else: some texts that
 * are not valid JSON get a type as well.
 */
export function createTypeScan(rules: WebhookRules) {
  const places = placesOf(rules);
  const longest = Math.max(...places.map(({ length }) => length));
  const types = rules.unneeded?.types ?? new Set();
  const found: (string | undefined)[] = places.map(() => undefined);
  /** The open brackets (`open`), and the keys that lead to the innermost one (`path`). */
  const open: number[] = [];
  const path: (string | null)[] = [];
  let word: number[] | null = null;
  let state: 'between' | 'text' | 'escaped' = 'between';
  let isName = false;
  let isBroken = false;

  function between(sign: number): void {
    if (open.length === 0 && !BLANKS.has(sign) && (sign !== OPEN_OBJECT || path.length > 0)) {
      // Not an object, or something after its end.
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

  /** A value begins: anything found earlier at its key, or inside it, belongs to a previous value of the same key. */
  function forget(): void {
    for (const [i, place] of places.entries()) {
      const isInside = place.length >= open.length && isAt(place, open.length);
      if (isInside) found[i] = undefined;
    }
  }

  /** The index of the place at which the value begins; -1: it does not begin at any of the places. */
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
    /** Takes the next chunk; chunks may be cut anywhere. */
    add(chunk: Uint8Array): void {
      for (let at = 0; at < chunk.length && !isBroken; at++) {
        // Nearly all of a long delivery is inside strings that do not matter: skip to the end of such a string.
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
    /** After the last chunk: true when the profile calls the delivery's type unneeded. */
    isUnneeded() {
      if (isBroken || open.length > 0 || state !== 'between') return false;
      const type = found.find((text) => text !== undefined);
      return type !== undefined && types.has(normalizeWord(type));
    },
    /** Bytes held now; never more than about a thousand. */
    get held() {
      return (word?.length ?? 0) + path.reduce((sum, name) => sum + (name?.length ?? 0), 0);
    },
  };
}

/** The places of the type, in the order in which a parsed delivery is searched. */
function placesOf({ within, type }: WebhookRules): FieldPath[] {
  const scopes = within.filter(isFieldPath);
  return type.filter(isFieldPath).flatMap((names) => scopes.map((scope) => [...scope, ...names]));
}

/** The index of the next quote or backslash, or the end. */
function endOfPlain(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1;
  return at;
}

/** The value of a JSON string from the bytes between its quotes; null when they are not valid. */
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
