import { z } from 'zod';
import { moment, name, pageOf, phone, text } from './fields.ts';

const leads = z.int().describe('How many waiting people were ended by it');
const expiresAt = moment.nullable().describe('Null: for good');

/** A number that nobody calls. */
export const suppressionEntry = z.object({
  phone,
  at: moment,
  source: z.enum(['operator', 'file', 'list', 'service']),
  note: text.nullable(),
  who: z.string(),
  list: name.nullable().describe('The list whose row asked for it'),
  expiresAt,
  lastDay: z.string().nullable().describe('The last day on which it holds; null: for good'),
});
export type SuppressionEntry = z.infer<typeof suppressionEntry>;

/** Numbers that nobody calls, and the files that some came from. */
export const suppression = pageOf(
  suppressionEntry.extend({ name: text.nullish().describe('null: no list names who has it') }),
).extend({
  files: z
    .array(
      z.object({
        path: name,
        asOf: moment.describe('The day for which it was true'),
        at: moment,
        who: z.string(),
        registry: z.string().nullable(),
        areas: z.array(z.string()).nullable().describe('Area codes; null: all of the registry'),
        text: name.describe('E.g. `of 2026-01-05 (12 days old, /lists/212.txt)`'),
      }),
    )
    .describe('Files whose numbers were added as a whole, the newest first; at most 100'),
});
export type Suppression = z.infer<typeof suppression>;

export const suppressedNow = z.object({
  phones: z.array(phone).describe('All numbers that the text may mean'),
  added: z.boolean().describe('False: they were on the list already, and last as long'),
  leads,
  expiresAt,
});
export type SuppressedNow = z.infer<typeof suppressedNow>;

export const lifted = z.object({ phone, lifted: z.boolean() });
export type Lifted = z.infer<typeof lifted>;

/** What a file of numbers has brought. */
export const suppressionImported = z.object({
  file: name,
  asOf: moment.nullable(),
  added: z.int(),
  known: z.int().describe('Numbers that were on the list already'),
  leads,
  unread: z.int().describe('Cells that hold something, but no number that can be read'),
  problems: z.array(z.object({ line: z.int(), text })).describe('The first of these'),
});
export type SuppressionImported = z.infer<typeof suppressionImported>;

/** What taking back the numbers of one list has done. */
export const listUndone = z.object({
  list: name,
  numbers: z.int(),
  lifted: z.int(),
  staying: z.int().describe('Numbers that something else suppresses, too'),
});
export type ListUndone = z.infer<typeof listUndone>;
