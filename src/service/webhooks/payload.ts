import { FORM } from '../http/body.ts';
import { parseJson } from '../http/json.ts';

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
