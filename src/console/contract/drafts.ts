import { z } from 'zod';

import { COLUMN_TARGETS } from '../../domain/lists/list-mapping.ts';
import { name } from '../../views/fields.ts';
import { done, ifVersion, pageOf, problem } from './common.ts';

/**
 * A file that was sent and that nothing has taken yet: `curl -T leads.csv ADDRESS/api/v1/uploads?name=leads.csv`, or the
 * raw bytes as the body of a POST. It is deleted a day after it was sent, unless it is a list of a campaign by then.
 */
export const upload = z.object({
  id: z.string(),
  name: name.describe('As the file is called where it came from'),
  bytes: z.int(),
  at: z.int(),
});
export type Upload = z.infer<typeof upload>;

export const uploads = pageOf(upload).extend({
  mostBytes: z.int().describe('The largest file that is taken'),
});

export const uploadQuery = z.object({
  name: z.string().max(1_000).default('list').describe('The name of the file; folders are cut off'),
});

const ids = z.array(z.string().max(200)).min(1).max(100).describe('Ids of uploads, in their order');
export const newCampaign = z.object({ uploads: ids });
export const newLists = z.object({ ifVersion, uploads: ids });

export const changedLists = done.extend({
  campaign: z.object({ name: z.string(), version: z.int() }),
});

export const listParams = z.object({
  campaign: z.string().min(1).max(200),
  list: z.string().min(1).max(200),
});

/** Columns that a person chooses; each is looked for among all headers of the list. */
const MOST_CHOSEN = 200;

/** How a list is to be read that is not imported yet; what is null is found from the list itself. */
const reading = z.object({
  columns: z
    .record(z.string().min(1).max(500), z.enum(COLUMN_TARGETS))
    .refine((chosen) => Object.keys(chosen).length <= MOST_CHOSEN, `has at most ${MOST_CHOSEN}`)
    .describe('Column -> meaning, only where it was changed; a header, or #3 for the third column'),
  encoding: z.string().min(1).max(40).nullable().describe('e.g. windows-1251'),
  delimiter: z.string().length(1).nullable().describe('e.g. ;'),
  sheet: z.string().min(1).max(200).nullable().describe('Of a workbook'),
  asOf: z.iso.date().nullable().describe('The day the list dates from, 2026-01-05'),
});
export type Reading = z.infer<typeof reading>;

/** What is left out stays; `columns` is replaced as a whole. */
export const newReading = reading.partial().extend({ ifVersion });

/** What a column was taken for; the last five are found by callsheet alone and cannot be chosen. */
const meaning = z.enum([
  ...COLUMN_TARGETS,
  ...(['outOfUse', 'lastDay', 'notTheirs', 'label', 'keep'] as const),
]);

const listColumn = z.object({
  column: z.string().describe('Its place, e.g. #3: the key in `reading.columns`'),
  header: z.string(),
  samples: z.array(z.string()).describe('Up to three of its values'),
  frequent: z
    .string()
    .nullable()
    .describe('Its most frequent values and their rows, "VIP 212, DNC 9"; null: too many values'),
  meaning,
  /** 1 for the column that is called first, 2 for the one where that has no number; null: not a column to call. */
  order: z.int().nullable(),
  chosen: z.boolean().describe('True: a person chose it; false: found by callsheet'),
});

/** What was found of one list that was sent. */
const listLook = z.object({
  list: z.string(),
  name: z.string(),
  bytes: z.int().nullable(),
  reading: reading.describe('What a person has chosen'),
  kind: z.enum(['text', 'workbook']).nullable().describe('null: it is no list'),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  sheet: z.string().nullable().describe('The sheet that is read'),
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  headerLine: z.int().nullable().describe('0: no line has column names'),
  rows: z.int().nullable(),
  columns: z.array(listColumn),
  warnings: z.array(z.string()),
  sentences: z.array(z.string()).describe('What holds what, as the terminal says it'),
  problem: problem.nullable().describe('Why it cannot be read so; `field` is the list'),
});
export type ListLook = z.infer<typeof listLook>;

/** For the menus of columns: what may be chosen, in the order to show it. */
const meaningChoice = z.object({ meaning, text: z.string(), choosable: z.boolean() });

/** The lists of a campaign that are not imported yet, as they would be read. */
export const sentLists = z.object({
  lists: z.array(listLook),
  meanings: z.array(meaningChoice),
});
export type SentLists = z.infer<typeof sentLists>;

/** The result of a job of kind `survey`. Good + rejected + duplicates + suppressed = rows. */
export const surveyed = z.object({
  lists: z.array(
    z.object({
      name: z.string(),
      rows: z.int(),
      good: z.int(),
      /** Good rows whose number could be read only after something was removed or changed. */
      mended: z.int(),
      /** Good rows whose number is kept for fiction. */
      fictional: z.int(),
      rejected: z.int(),
      duplicates: z.int(),
      suppressed: z.int(),
      headers: z.array(z.string()),
      reasons: z.array(
        z.object({
          code: z.string(),
          /** What is done with these rows. */
          kind: z.enum(['rejected', 'duplicate', 'suppressed']),
          count: z.int(),
          /** The first five of them. */
          rows: z.array(z.object({ line: z.int(), cells: z.array(z.string()), why: z.string() })),
        }),
      ),
      /** How many rows the rejects file has, see `rejects`. */
      rejects: z.int(),
      warnings: z.array(z.string()),
      notes: z.array(z.string()).describe('What should be known of rows that are taken'),
    }),
  ),
  /** Of all lists: rows that would be leads. */
  good: z.int(),
});
export type Surveyed = z.infer<typeof surveyed>;
export type SurveyedList = Surveyed['lists'][number];

export const rejectsQuery = z.object({ list: z.string().min(1).max(1_000).describe('Its name') });

export const importOrder = z.object({
  again: z.boolean().default(false).describe('A list that another campaign has called is taken'),
});
