import { z } from 'zod';
import { maskNumbers, maskPhone, maskWrittenNumbers } from '../domain/phone.ts';
import { marks, type Mask } from './fields.ts';

/** A masked copy of a value of the schema. */
export type Masking = (value: unknown) => unknown;

/** A field, read recursively; `at` is where it stands, for errors. */
type Schema = z.core.$ZodTypes;

const WORDS = { phone: maskPhone, text: maskNumbers, name: maskWrittenNumbers };

const LEAVES: readonly string[] = ['string', 'number', 'boolean', 'enum', 'literal', 'null'];

/**
 * Masks what a person may not see of a view, by the marks of its fields. It fails closed: of a kind of schema that it
 * does not know, it cannot say whether something is to be masked.
 *
 * @returns null: the schema marks nothing
 * @throws Error for a kind that it does not know, and for a mark where it would have no effect
 */
export function masking(schema: z.core.$ZodType, at = 'the answer'): Masking | null {
  const mark = marks.get(schema)?.masked;
  if (mark !== undefined) return ofMark(mark, schema, at);
  const { def } = (schema as Schema)._zod;
  if (def.type === 'object') return ofObject(def, at);
  if (def.type === 'array') {
    const mask = masking(def.element, `${at}[]`);
    return mask && ((value) => (value as unknown[]).map(mask));
  }
  if (def.type === 'record') return ofRecord(def, at);
  if (def.type === 'union') return ofUnion(def, at);
  if (def.type === 'nullable' || def.type === 'optional' || def.type === 'default') {
    const mask = masking(def.innerType, at);
    return mask && ((value) => (value === null || value === undefined ? value : mask(value)));
  }
  if (LEAVES.includes(def.type)) return null;
  throw new Error(`${at}: masking does not know "${def.type}"; give it a mark.`);
}

function ofMark(mark: Mask, schema: z.core.$ZodType, at: string): Masking | null {
  if (mark === 'file') {
    return () => {
      throw new Error(`${at}: a file is sent as a stream, not as a value.`);
    };
  }
  if (mark === 'said') {
    if (!z.safeParse(schema, null).success)
      throw new Error(`${at}: "said" becomes null, which its schema does not allow.`);
    return () => null;
  }
  if ((schema as Schema)._zod.def.type !== 'string')
    throw new Error(`${at}: "${mark}" masks text alone; mark the text within.`);
  return (value) => WORDS[mark](value as string);
}

/** Keys that are not of the schema are left out, as the answer leaves them out. */
function ofObject({ shape, catchall }: z.core.$ZodObjectDef, at: string): Masking | null {
  if (catchall !== undefined && (catchall as Schema)._zod.def.type !== 'never')
    throw new Error(`${at}: masking does not know further keys; name them.`);
  const fields = Object.entries(shape).map(
    ([key, field]) => [key, masking(field, `${at}.${key}`)] as const,
  );
  if (fields.every(([, mask]) => mask === null)) return null;
  return (value) => {
    const given = value as Record<string, unknown>;
    const kept = fields.filter(([key]) => key in given);
    return Object.fromEntries(
      kept.map(([key, mask]) => [key, mask ? mask(given[key]) : given[key]]),
    );
  };
}

function ofRecord({ keyType, valueType }: z.core.$ZodRecordDef, at: string): Masking | null {
  if (masking(keyType, `keys of ${at}`) !== null)
    throw new Error(`${at}: masked keys could become one; make it a list.`);
  const mask = masking(valueType, `${at}{}`);
  return (
    mask &&
    ((value) =>
      Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, mask(one)])))
  );
}

/** The discriminator says which option a value is of. */
function ofUnion(def: z.core.$ZodUnionDef, at: string): Masking | null {
  const masks = def.options.map((option) => [option, masking(option, at)] as const);
  if (masks.every(([, mask]) => mask === null)) return null;
  if (!('discriminator' in def))
    throw new Error(`${at}: a union with marks needs a discriminator.`);
  const key = String(def.discriminator);
  return (value) => {
    const of = (value as Record<string, unknown>)[key];
    const found = masks.find(([option]) => option._zod.propValues?.[key]?.has(of as string));
    if (found === undefined) throw new Error(`${at}: no option of "${key}" is ${String(of)}.`);
    const [, mask] = found;
    return mask ? mask(value) : value;
  };
}
