import { z } from 'zod';

/**
 * Fields that views share. A view is the one shape of a fact outside callsheet: `app` returns it, the API and `--json`
 * send it, the terminal and the pages print it.
 */

/**
 * What becomes of a field for a person who may not read what was said, see `masking`. `phone`, `text` and `name` mask
 * numbers, `said` makes null of it, and `file` is sent as a stream, so a value of it is a mistake.
 */
export type Mask = 'phone' | 'text' | 'name' | 'said' | 'file';

/** By schema; also holds for what `describe`, `min` and the like make of it. */
export const marks = z.registry<{ masked: Mask }>();

/** A copy of the schema with a mark. */
export function marked<T extends z.core.$ZodType>(masked: Mask, schema: T): T {
  const copy = z.core.clone(schema);
  marks.add(copy, { masked });
  return copy;
}

/** A moment, ISO 8601 with the offset of the campaign's zone: `2026-01-05T18:02:00-05:00`. */
export const moment = z.iso.datetime({ offset: true });

/** A number to call, E.164. */
export const phone = marked('phone', z.string());
/** A text in which numbers may stand, e.g. a sentence about a person. */
export const text = marked('text', z.string());
/** The name of a file or a campaign: dates and counts in it stay, numbers do not. */
export const name = marked('name', z.string());
/** What was said in a call, or what it ended in; null also for a person who may not read it. */
export const said = marked('said', z.string().nullable());

/** Decimal text, as binary fractions are not exact: `0.12`. */
export const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
/** An amount in its currency, ISO 4217: `{ amount: '0.12', currency: 'EUR' }`. */
export const money = z.object({ amount: decimal, currency: z.string() });

/** A page of a list; `next` is the cursor of the following page, null on the last one. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable() });
