import { z } from 'zod';
import { COLUMN_TARGETS } from '../domain/lists/list-mapping.ts';
import { daysAhead } from './campaigns.ts';
import { moment, name, pageOf, text, trouble } from './fields.ts';

/** Lists before they are imported: as they were sent, as they are read, and what they would bring. */

const count = z.int();

/**
 * A file that was sent and that nothing has taken yet: `curl -T leads.csv ADDRESS/api/v1/uploads?name=leads.csv`, or the
 * raw bytes as the body of a POST. It is deleted a day after it was sent, unless a campaign has taken it.
 */
export const upload = z.object({
  id: z.string(),
  name: name.describe('As the file is called where it came from'),
  bytes: count,
  at: moment,
});
export type Upload = z.infer<typeof upload>;

export const uploads = pageOf(upload).extend({
  mostBytes: count.describe('The largest file that is taken'),
});
export type Uploads = z.infer<typeof uploads>;

/** Columns that a person chooses; each is looked for among all headers of the list. */
const MOST_CHOSEN = 200;

/** Pages send it back, so it is not masked: `Export 20261101-093000` would fit no sheet any more. */
const sheet = z.string().min(1).max(200);

/** How a list is to be read that is not imported yet; what is null is found from the list itself. */
export const reading = z.object({
  columns: z
    .record(z.string().min(1).max(500), z.enum(COLUMN_TARGETS))
    .refine((chosen) => Object.keys(chosen).length <= MOST_CHOSEN, `has at most ${MOST_CHOSEN}`)
    .describe('Column -> meaning, only where it was changed; a header, or #3 for the third column'),
  encoding: z.string().min(1).max(40).nullable().describe('e.g. windows-1251'),
  delimiter: z.string().length(1).nullable().describe('e.g. ;'),
  sheet: sheet.nullable().describe('Of a workbook'),
  asOf: z.iso.date().nullable().describe('The day the list dates from, 2026-01-05'),
});
export type Reading = z.infer<typeof reading>;

/** What a column is taken for; the last five are found by callsheet alone and cannot be chosen. */
const meaning = z.enum([
  ...COLUMN_TARGETS,
  ...(['outOfUse', 'lastDay', 'notTheirs', 'label', 'keep'] as const),
]);
export type Meaning = z.infer<typeof meaning>;

const listColumn = z.object({
  column: z.string().describe('Its place, e.g. #3: the key in `reading.columns`'),
  header: text,
  samples: z.array(text).describe('Up to three of its values'),
  frequent: text
    .nullable()
    .describe(
      'Its most frequent values and their rows, "VIP (212), DNC (9)"; null: too many values',
    ),
  meaning,
  order: count
    .nullable()
    .describe(
      '1 for the column that is called first, 2 for the one where that has no number; null: not a column to call',
    ),
  chosen: z.boolean().describe('True: a person chose it; false: found by callsheet'),
});

/** What was found of one list that was sent. */
const sentList = z.object({
  list: z.string().describe('Its id'),
  name,
  bytes: count.nullable(),
  reading: reading.describe('What a person has chosen'),
  kind: z.enum(['text', 'workbook']).nullable().describe('null: it is no list'),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  sheet: z.string().nullable().describe('The sheet that is read'),
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  headerLine: count.nullable().describe('0: no line has column names'),
  rows: count.nullable(),
  columns: z.array(listColumn),
  warnings: z.array(text),
  problem: trouble.nullable().describe('Why it cannot be read so'),
});
export type SentList = z.infer<typeof sentList>;

/** The lists of a campaign that are not imported yet, as they would be read. */
export const sentLists = z.object({
  lists: z.array(sentList),
  meanings: z
    .array(z.object({ meaning, text: z.string(), choosable: z.boolean() }))
    .describe('For the menus of columns, in the order to show it'),
});
export type SentLists = z.infer<typeof sentLists>;

/** Rows of a list: good + rejected + duplicates + suppressed = rows. */
export const rowCounts = z.object({
  ...{ rows: count, good: count, rejected: count, duplicates: count, suppressed: count },
  mended: count.describe('Good rows whose number was read only after a change of its cell'),
  fictional: count.describe('Good rows whose number is kept for fiction'),
  headers: z.array(text),
});

/** What lists that were sent would bring. */
export const surveyed = z.object({
  lists: z.array(
    rowCounts.extend({
      name,
      reasons: z
        .array(
          z.object({
            code: z.string(),
            kind: z.enum(['rejected', 'duplicate', 'suppressed']),
            count,
            rows: z
              .array(z.object({ line: count, cells: z.array(text), why: text }))
              .describe('The first five of them'),
          }),
        )
        .describe('Why rows are not taken'),
      rejects: count.describe('How many rows the file of rejects has'),
      warnings: z.array(text),
      notes: z.array(text).describe('What should be known of rows that are taken'),
    }),
  ),
  good: count.describe('Of all lists: rows that would be leads'),
  country: z.string().nullable().describe('Where most of them are, as far as they say it'),
  ahead: daysAhead.nullable().describe('Of these people; null: nothing was sent'),
});
export type Surveyed = z.infer<typeof surveyed>;
export type SurveyedList = Surveyed['lists'][number];
