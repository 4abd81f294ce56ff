import type { IncomingHttpHeaders } from 'node:http';

import type { UnknownWord } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import type { DeliveryFacts } from '../../domain/same-call.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import type { FoundCall } from '../calls/spoken.ts';
import { DEEPEST, FORM, parseJson } from '../http/body.ts';
import type { EVENT_MEANINGS, WebhookRules } from '../profile/profile-webhooks.ts';
import { isFieldPath, type FieldPath } from '../profile/read-fields.ts';

/** Webhook deliveries as the stages see them. Part of the interface in `port.ts`. */

/** How the deliveries of one service are identified, verified and read, as its profile describes it. */
export interface DeliveryProtocol {
  /**
   * What signatures prove. `nothing`: deliveries are not signed. Otherwise a delivery without a valid signature is
   * refused. `all`: the whole delivery is believed. `fields`: only single fields are signed; the delivery is a hint
   * whose call id is genuine.
   */
  readonly proves: 'all' | 'fields' | 'nothing';
  /** IP addresses that deliveries come from; empty: any. */
  readonly ips: readonly string[];
  /**
   * @param body the bytes as received, before anything was read from them
   * @param now epoch ms
   * @param url the address that the service posts to: some services sign it
   */
  verify(headers: IncomingHttpHeaders, body: Uint8Array, now: number, url?: string): SignatureCheck;
  /** The service's id of the delivery, the same in every retry; null: the service gives no usable id. */
  idOf(headers: IncomingHttpHeaders, body: Uint8Array): string | null;
  /** The body as it may be stored: if it contains our secrets, they are masked. */
  bodyToKeep(body: Uint8Array): Uint8Array;
  /** The headers that may be stored, without those that contain a secret. */
  headersToKeep(headers: IncomingHttpHeaders): Record<string, string>;
  /** The deliveries that are dropped unread; null: the profile names none. */
  readonly unneeded: { largestBytes: number; scan(): TypeScan } | null;
  /** Never throws. */
  read(body: Uint8Array, headers: Readonly<Record<string, string>>): DeliveryReading;
}

export type SignatureCheck =
  | { kind: 'signed' }
  /** The profile has no signature scheme, no secret is configured, or a valid signature covers only a part. */
  | { kind: 'unsigned' }
  | { kind: 'refused'; why: 'signature_missing' | 'signature_wrong' | 'time_wrong' };

export type DeliveryReading = DeliveryEvent | { kind: 'unreadable'; why: string };

export interface DeliveryEvent extends DeliveryFacts {
  kind: 'event';
  /** The service's own word, e.g. `call.finished`; null: none was found. */
  type: string | null;
  /** `unknown`: the profile does not name this type. */
  meaning: (typeof EVENT_MEANINGS)[number] | 'unknown';
  phone: E164 | null;
  /** What a poll would find; null if the delivery does not contain it. */
  found: FoundCall | null;
  /** Every field of a captured lead, unchanged. */
  lead: Record<string, unknown> | null;
  /** What the profile does not understand. */
  unknown?: UnknownWord;
}

/** The body's JSON value, or the fields of a form as an object; undefined if the body is neither. */
export function payloadOf(body: Uint8Array, contentType: string): unknown {
  return isForm(contentType) ? formFields(body) : parseJson(textOf(body));
}

export function isForm(contentType: string): boolean {
  return new RegExp(`^${FORM}\\b`, 'i').test(contentType);
}

/** Each name followed by its value, sorted by name, identical pairs once: what some services sign, not the bytes. */
export function sortedFields(body: Uint8Array): string {
  const pairs = [...new URLSearchParams(textOf(body))].map(([name, value]) => ({ name, value }));
  pairs.sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value));
  return [...new Set(pairs.map(({ name, value }) => name + value))].join('');
}

/** @param encoding `latin1`: one character for each byte, whatever the bytes are */
export function textOf(body: Uint8Array, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(encoding);
}

/** If a name is given twice, its first value counts. */
function formFields(body: Uint8Array): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(textOf(body))) fields[name] ??= value;
  return fields;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

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
    const text = word.length > LONGEST_WORD ? null : wordText(word);
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
function wordText(bytes: readonly number[]): string | null {
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
