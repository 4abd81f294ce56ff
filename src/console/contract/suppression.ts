import { z } from 'zod';
import { done, pageOf, pageQuery } from './common.ts';

/** `2026-07-01`; whether the day exists is said by what reads it. */
const day = z.string().min(1).max(20);
const country = z
  .string()
  .max(50)
  .optional()
  .describe('Of numbers without `+`, ISO 3166, e.g. US; left out: such numbers are refused');
const note = z.string().max(1_000).optional().describe('Why, for those who look it up');
const until = day
  .optional()
  .describe('The last day on which it holds, in the zone of the machine; left out: for good');

/** A number that nobody calls. */
export const suppressed = z.object({
  phone: z.string().describe('Masked for who may not see whole numbers'),
  at: z.int(),
  source: z.enum(['operator', 'file', 'list', 'service']),
  note: z.string().nullable(),
  who: z.string(),
  expiresAt: z.int().nullable().describe('null: for good'),
  lastDay: z.string().nullable().describe('The last day on which it holds; null: for good'),
});
export type Suppressed = z.infer<typeof suppressed>;

/** A file whose numbers were added as a whole, such as a registry's. */
export const suppressionFile = z.object({
  path: z.string(),
  /** The day for which it was true. */
  asOf: z.int(),
  at: z.int(),
  who: z.string(),
  /** E.g. `of 2026-01-05 (12 days old, /lists/212.txt)`. */
  text: z.string(),
});

export const suppressionQuery = pageQuery.extend({
  after: z.coerce.number().int().min(0).optional().describe('The `next` of the page before'),
  text: z.string().max(200).default('').describe('Occurs in the number or in the note'),
});
export const suppressionPage = pageOf(suppressed).extend({
  files: z.array(suppressionFile).describe('The newest first; at most 100'),
});
export type SuppressionPage = z.infer<typeof suppressionPage>;

export const newSuppression = z.object({
  number: z.string().min(1).max(500).describe('As typed; all that it may mean is suppressed'),
  country,
  until,
  note,
});
export const suppressedNow = done.extend({
  phones: z.array(z.string()).describe('All numbers that the text may mean'),
  added: z.boolean().describe('False: they were on the list already, and last as long'),
  leads: z.int().describe('How many waiting people were ended by it'),
});
export type SuppressedNow = z.infer<typeof suppressedNow>;

export const suppressionParams = z.object({ phone: z.string().min(1).max(100) });
export const liftQuery = z.object({ note });
export const lifted = done.extend({ phone: z.string(), lifted: z.boolean() });
export type Lifted = z.infer<typeof lifted>;

/** What `suppress import` takes; the job's result is `suppressionImported`. */
export const suppressionImport = z.object({
  upload: z.string().min(1).max(200).describe('The id of an upload'),
  asOf: day.optional().describe('The day that the file dates from; counts for suppression.maxAge'),
  country,
  until,
  note,
  map: z
    .array(z.string().max(500))
    .max(50)
    .default([])
    .describe('Which column holds what, e.g. phone=Mobile'),
  encoding: z.string().max(50).optional(),
  sheet: z.string().max(200).optional(),
});

export const suppressionImported = z.object({
  file: z.string(),
  added: z.int(),
  known: z.int().describe('Numbers that were on the list already'),
  leads: z.int().describe('How many waiting people were ended by it'),
  unread: z.int().describe('Cells that hold something, but no number that can be read'),
  problems: z.array(z.object({ line: z.int(), text: z.string() })).describe('The first of these'),
});
export type SuppressionImported = z.infer<typeof suppressionImported>;
