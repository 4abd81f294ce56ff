import { z } from 'zod';

import { chosenMeaning, draftBody, listInput } from '../../app/drafts/draft.ts';
import { callLimit, ifVersion, pageOf, problem } from './common.ts';

/**
 * A list that was sent and is not in a campaign yet: `curl -T leads.csv ADDRESS/api/v1/uploads?name=leads.csv`, or the
 * raw bytes as the body of a POST. It is deleted when a campaign has taken it; else a day after it was sent or, in a
 * draft, after that was last changed.
 */
export const upload = z.object({
  id: z.string(),
  name: z.string().describe('As the file is called where it came from'),
  bytes: z.int(),
  at: z.int(),
  draft: z.string().nullable().describe('The draft that uses it'),
});
export type Upload = z.infer<typeof upload>;

export const uploads = pageOf(upload).extend({
  mostBytes: z.int().describe('The largest file that is taken'),
});

export const uploadQuery = z.object({
  name: z.string().max(1_000).default('list').describe('The name of the file; folders are cut off'),
});

/** A new campaign that is being filled in; it can be left and taken up again. */
export const draft = draftBody.extend({
  id: z.string(),
  version: z.int(),
  at: z.int(),
  changedAt: z.int(),
  who: z.string().describe('Who changed it last'),
  files: z.array(upload).describe('What `uploads` names, in its order'),
  gone: z
    .array(z.string())
    .describe('Names of its lists that were deleted after a day: they have to be sent again'),
});
export type Draft = z.infer<typeof draft>;
export const drafts = pageOf(draft);

export const newDraft = z.object({ uploads: draftBody.shape.uploads });

/**
 * What is given replaces what was there; `lists` and `settings` are replaced as a whole, and of lists whose upload is
 * not in `uploads` any more nothing is kept. 409 DRAFT_CHANGED has the present draft in `now`.
 */
export const draftChange = z.object({
  ifVersion,
  name: z.string().max(200).optional(),
  uploads: z.array(z.string().max(200)).max(100).optional(),
  gone: z
    .array(z.string().max(500))
    .max(100)
    .optional()
    .describe('Those of `gone` that are still missed: empty goes on without them'),
  lists: z.record(z.string(), listInput).optional(),
  service: z.string().max(200).nullable().optional(),
  agent: z.string().max(500).nullable().optional(),
  settings: z.record(z.string().max(100), z.string().max(2_000)).optional(),
  step: draftBody.shape.step.unwrap().optional(),
});
export type DraftChange = z.input<typeof draftChange>;

/** What a column was taken for; the last five are found by callsheet alone and cannot be chosen. */
const meaning = z.enum([
  ...chosenMeaning.options,
  ...(['outOfUse', 'lastDay', 'notTheirs', 'label', 'keep'] as const),
]);

const listColumn = z.object({
  column: z.string().describe('Its place, e.g. #3: the key in `lists[upload].columns`'),
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

/** What was found of one uploaded list. */
const listLook = z.object({
  upload: z.string(),
  name: z.string(),
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
  problem: problem.nullable().describe('Why it cannot be read so; `field` is the upload'),
});
export type ListLook = z.infer<typeof listLook>;

/** For the menus of columns: what may be chosen, in the order to show it. */
const meaningChoice = z.object({ meaning, text: z.string(), choosable: z.boolean() });

export const draftColumns = z.object({
  lists: z.array(listLook),
  meanings: z.array(meaningChoice),
});
export type DraftColumns = z.infer<typeof draftColumns>;

/** The result of a job of kind `survey`. Good + rejected + duplicates + suppressed = rows. */
export const surveyed = z.object({
  lists: z.array(
    z.object({
      upload: z.string(),
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
          /** What became of these rows. */
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

export const rejectsQuery = z.object({ upload: z.string().min(1).max(200) });

/** The result of a job of kind `plan`. Nobody was called and nothing was written. */
export const planned = z.object({
  campaign: z.string(),
  schedule: z.string().nullable().describe('Start waits for it; null: Start calls at once'),
  callNow: z.int(),
  callLater: z.int(),
  callNever: z.int(),
  never: z.array(z.object({ sentence: z.string(), people: z.int() })),
  nextAt: z.int().nullable().describe('When the hours open for those who are called later'),
  lists: z.array(
    z.object({
      name: z.string(),
      rows: z.int(),
      good: z.int(),
      rejected: z.int(),
      duplicates: z.int(),
      suppressed: z.int(),
      sentence: z.string(),
    }),
  ),
  /** When it would be through; null: nobody is to be called, or it cannot be told yet. */
  forecast: z
    .object({
      low: z.int().nullable(),
      middle: z.int().nullable(),
      high: z.int().nullable(),
      nights: z.number(),
      calls: z.number(),
      sentences: z.array(z.string()),
    })
    .nullable(),
  sentences: z.array(z.string()).describe('The plan as the terminal says it'),
  notes: z.array(z.string()).describe('What else should be known before it is started'),
  live: z.boolean().describe('True: real people are called, after a typed confirmation'),
  simulated: z.boolean(),
  service: z.object({ name: z.string(), url: z.string(), live: z.boolean() }).nullable(),
  agentName: z.string().nullable(),
  problem: z.string().nullable().describe('What is wrong with the service, as a sentence'),
  next: z.string().nullable().describe('What to do about the problem'),
  missing: z
    .array(z.object({ give: z.string(), why: z.string() }))
    .describe('What has to be chosen before it can be called; empty: nothing'),
});
export type Planned = z.infer<typeof planned>;

export const startDraft = z.object({
  start: z.boolean().default(true).describe('false: only import; nobody is called'),
  again: z.boolean().default(false).describe('A list that another campaign has called is called'),
  yes: z.boolean().default(false).describe('The plan was confirmed beforehand: nothing is asked'),
  now: z.boolean().default(false).describe('Called at once, whatever its schedule'),
  limit: callLimit,
});

/**
 * The result of the job that `start` begins (kind `call`, about the campaign's name). While it runs it is null until the
 * campaign is made, and then has `campaign`: from then on the draft is gone and the campaign has its page. The rest comes
 * at the end, as from the start of a campaign.
 */
export const startedDraft = z.object({
  campaign: z.string(),
  state: z.string().optional(),
  why: z.string().optional(),
  code: z.int().optional(),
  results: z.string().nullable().optional(),
});
export type StartedDraft = z.infer<typeof startedDraft>;
