/** Deliveries that come as a form (`application/x-www-form-urlencoded`). */

export function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType);
}

/** The fields as an object; of a name that stands there twice the first value counts. */
export function formFields(body: Uint8Array): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(textOf(body))) fields[name] ??= value;
  return fields;
}

/** Each name with its value behind it, in the order of names, a pair once: what some services sign instead of the bytes. */
export function sortedFields(body: Uint8Array): string {
  const pairs = [...new URLSearchParams(textOf(body))].map(([name, value]) => ({ name, value }));
  pairs.sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value));
  return [...new Set(pairs.map(({ name, value }) => name + value))].join('');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
