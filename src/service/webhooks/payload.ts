import { formFields, isForm } from '../http/form-fields.ts';
import { parseJson } from '../http/json.ts';

/** What a delivery holds: JSON, or the fields of a form; undefined where it is neither. */
export function payloadOf(body: Uint8Array, contentType: string): unknown {
  if (isForm(contentType)) return formFields(body);
  return parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
}
