import { WireError } from './wire-error.ts';

/** A phone number in E.164. */
export const E164 = /^\+[1-9][0-9]{6,14}$/;

/** The body as an object. @throws WireError 400 */
export function objectBody(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new WireError(400, 'invalid_type', 'The body has to be a JSON object.');
}

/** The text of a required field. @throws WireError 400 for another type, 422 if absent or blank */
export function requiredText(body: Record<string, unknown>, field: string): string {
  const value = body[field] ?? '';
  if (typeof value !== 'string') throw wrongType(field, 'a string');
  if (value.trim() === '') throw wrongField(field, `${field} is required.`);
  return value;
}

export function wrongType(field: string, allowed: string): WireError {
  return new WireError(400, 'invalid_type', `${field} has to be ${allowed}.`, { field });
}

export function wrongField(field: string, message: string, code = 'invalid_field'): WireError {
  return new WireError(422, code, message, { field });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
