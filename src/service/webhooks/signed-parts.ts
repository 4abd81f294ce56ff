import { payloadOf, sortedFields } from './delivery.ts';
import { asId, parseFieldPath, readPath, type FieldPath } from '../profile/read-fields.ts';

/** What a signature covers, as a template in the profile: `{timestamp}.{body}`, `{url}{fields}`, `{body.call_id}`. */

/** One field of the body: signed alone, it proves only itself. */
const FIELD = /^\{body\.([^{}]+)\}$/;
const PARTS = /(\{(?:body(?:\.[^{}]+)?|timestamp|url|fields)\})/;

interface Delivered {
  timestamp: string;
  body: Uint8Array;
  contentType: string;
  /** The address that the service posts to. */
  url: string;
}

/** True when the signature covers the whole body, not only single fields of it. */
export function coversBody(template: string): boolean {
  return /\{(?:body|fields)\}/.test(template);
}

/** The single fields of the body in a template. */
export function signedFields(template: string): FieldPath[] {
  return template.split(PARTS).flatMap((part) => {
    const [, name] = FIELD.exec(part) ?? [];
    return name === undefined ? [] : [parseFieldPath(name)];
  });
}

/**
 * The template's parts, filled in. The body stays bytes: decoding it could change what was signed.
 *
 * @returns null if a field does not exist: nothing can have been signed then
 */
export function signedParts(
  template: string,
  { timestamp, body, contentType, url }: Delivered,
): (string | Uint8Array)[] | null {
  const parts = template.split(PARTS).map((part) => {
    if (part === '{body}') return body;
    if (part === '{timestamp}') return timestamp;
    if (part === '{url}') return url;
    if (part === '{fields}') return sortedFields(body);
    const [, name] = FIELD.exec(part) ?? [];
    return name === undefined ? part : fieldIn(body, contentType, parseFieldPath(name));
  });
  return parts.every((part) => part !== null) ? parts : null;
}

/** The text of a field; null if the field does not exist or is blank. */
export function fieldIn(body: Uint8Array, contentType: string, path: FieldPath): string | null {
  return asId(readPath(payloadOf(body, contentType), path)) ?? null;
}
