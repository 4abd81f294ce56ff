import { z } from 'zod';
import { parseDuration } from '../text/durations.ts';

/* What the fields of `fields.ts` and `calling-fields.ts` are made of. */

export const words = z.string('must be one value').trim();

export function oneOrMore<T extends z.ZodType>(field: T, whenEmpty: string) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(field).min(1, whenEmpty),
  );
}

/** @param otherwise the end of the message when `parse` gives undefined */
export function read<T>(otherwise: string, parse: (value: string) => T | undefined) {
  return words.transform((value, context) => parse(value) ?? fail(context, otherwise));
}

/** `none` is null; anything else is read by `field`. */
export function orNone<T extends z.ZodType<unknown, string>>(field: T) {
  return words.transform((value, context): z.output<T> | null => {
    if (value === 'none') return null;
    const result = field.safeParse(value);
    return result.success
      ? result.data
      : fail(context, result.error.issues[0]?.message ?? 'is not allowed');
  });
}

export function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** @returns ms; undefined for text that is not a duration, or is out of bounds */
export function durationIn(value: string, min: number, max: number): number | undefined {
  const ms = parseDuration(value);
  return ms !== undefined && ms >= min && ms <= max ? ms : undefined;
}
