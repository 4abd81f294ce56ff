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

/** Something that was done, who did it, and the values before and after. */
export const historyEntry = z.object({
  at: moment,
  who: z.string(),
  what: z.string(),
  text: text.describe('The entry as a sentence'),
  detail: marked('said', z.record(z.string(), z.unknown()).nullable()),
});

/** How a command ends: 0, or 1 failed, 2 wrong usage, 3 later, 4 the key, 5 a person is needed, 130 interrupted. */
export const exitCode = z.literal([0, 1, 2, 3, 4, 5, 130]);

/** A page of a list; `next` is the cursor of the following page, null on the last one. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable() });

/** What callsheet answers to a change, or to what it refuses. */

/** A sentence that callsheet told while it did something, as the terminal would show it. */
export const told = z.object({ text, kind: z.enum(['told', 'problem', 'end']) });
export type Told = z.infer<typeof told>;

/** The outcome of a change that is done at once. */
export const done = z.object({ messages: z.array(told) });
export type Done = z.infer<typeof done>;

/** Why something cannot be done, or cannot be used as it is. */
export const trouble = z.object({
  code: z.string().describe('As in the reference of errors, e.g. CAMPAIGN_UNKNOWN'),
  detail: text.describe('One sentence: place, value, what is allowed'),
  hint: text.nullable().describe('The next step; null: there is none'),
});
export type Trouble = z.infer<typeof trouble>;

/** RFC 9457 problem details, with the code and the hint of the command line. */
export const problem = trouble
  .extend({
    type: z
      .string()
      .describe('A name for the kind of problem, e.g. urn:callsheet:CAMPAIGN_UNKNOWN'),
    title: z.string().describe('The kind of problem in a word or two'),
    status: z.int(),
    field: z.string().optional().describe('The field of the request that is meant'),
    errors: z
      .array(z.object({ field: text, detail: text }))
      .optional()
      .describe('Each value that is wrong, where several may be; field: its key'),
  })
  .describe('What went wrong, as RFC 9457 problem details')
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;

/** A person within the addresses of a campaign: list and line, as viewers do not see whole numbers. */
export const personId = z
  .string()
  .regex(/^\d{1,5}-\d{1,10}$/, 'must be LIST-LINE, such as 1-17')
  .describe('The number of the list and the line in it, e.g. 1-17');
