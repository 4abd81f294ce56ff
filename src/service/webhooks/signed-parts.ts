import { payloadOf, sortedFields } from './payload.ts';
import { asId, parseFieldPath, readPath } from '../profile/read-fields.ts';
import type { FieldPath } from '../profile/read-fields.ts';

/** What a signature is over, as a profile writes it: `{timestamp}.{body}`, `{url}{fields}`, `{body.call_id}`. */

/** One field of the body: proves nothing but itself. */
const FIELD = /^\{body\.([^{}]+)\}$/;
const PARTS = /(\{(?:body(?:\.[^{}]+)?|timestamp|url|fields)\})/;

interface Delivered {
  timestamp: string;
  body: Uint8Array;
  contentType: string;
  /** The address that the service was given. */
  url: string;
}

/** Whether everything that is delivered is proved, or only single fields of it. */
export function coversBody(template: string): boolean {
  return /\{(?:body|fields)\}/.test(template);
}

/** The single fields in it. */
export function signedFields(template: string): FieldPath[] {
  return template.split(PARTS).flatMap((part) => {
    const [, name] = FIELD.exec(part) ?? [];
    return name === undefined ? [] : [parseFieldPath(name)];
  });
}

/**
 * The template with the body's own bytes in it: decoding them first would change what is signed.
 *
 * @returns null where a field is not there: nothing can have been signed then
 */
export function signedParts(
  template: string,
  { timestamp, body, contentType, url }: Delivered,
): (string | Uint8Array)[] | null {
  const parts = template.split(PARTS).map((part) => {
    switch (part) {
      case '{body}':
        return body;
      case '{timestamp}':
        return timestamp;
      case '{url}':
        return url;
      case '{fields}':
        return sortedFields(body);
      default: {
        const [, name] = FIELD.exec(part) ?? [];
        return name === undefined ? part : fieldIn(body, contentType, parseFieldPath(name));
      }
    }
  });
  return parts.every((part) => part !== null) ? parts : null;
}

/** The text of a field; null where it is none, or blank. */
export function fieldIn(body: Uint8Array, contentType: string, path: FieldPath): string | null {
  return asId(readPath(payloadOf(body, contentType), path)) ?? null;
}
