import { z } from 'zod';
import { marked } from '../../views/fields.ts';

/** Shapes that several parts of the API share. Times of jobs are epoch ms; ids are text. */

/** What callsheet told while it did something: the sentences that the terminal would show. */
const told = z.object({
  text: z.string(),
  kind: z.enum(['told', 'problem', 'end']),
});
export type Told = z.infer<typeof told>;

/** RFC 9457 problem details, with the code and the hint of the command line. */
export const problem = z
  .object({
    type: z
      .string()
      .describe('A name for the kind of problem, e.g. urn:callsheet:CAMPAIGN_UNKNOWN'),
    title: z.string().describe('The kind of problem in a word or two'),
    status: z.int(),
    detail: z.string().describe('One sentence: place, value, what is allowed'),
    code: z.string().describe('As in the reference of errors, e.g. CAMPAIGN_UNKNOWN'),
    hint: z.string().nullable().describe('The next step; null: there is none'),
    field: z.string().optional().describe('The field of the request that is meant'),
  })
  .describe('What went wrong, as RFC 9457 problem details');
export type ProblemBody = z.infer<typeof problem>;

/** Calls made, dials refused for good, calls in doubt, and dials that made no call. */
export const dialCounts = z.object({
  made: z.int(),
  refused: z.int(),
  inDoubt: z.int(),
  notMade: z.int(),
});

/** A page of a list; `next` is the cursor of the following page, null on the last one. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable() });

export const pageQuery = z.object({
  after: z.string().max(200).optional().describe('The `next` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** Asked of every change: the version that the person looked at; a later one is refused with 409. */
export const ifVersion = z
  .int()
  .min(1)
  .optional()
  .describe('The version that was looked at; 409 if it is older');

const LIMIT = 'a whole number from 1 to 1000000000 is wanted';
/** As `--limit` of `run`. */
export const callLimit = z
  .int(LIMIT)
  .min(1, LIMIT)
  .max(1e9, LIMIT)
  .nullable()
  .default(null)
  .describe('Calls at most, then it stops; null: no limit');

export const campaignParams = z.object({ campaign: z.string().min(1).max(200) });
export const idParams = z.object({ id: z.string().min(1).max(200) });

/** The outcome of a change that is done at once. */
export const done = z.object({ messages: z.array(told) });
export type Done = z.infer<typeof done>;

/** Long work, which answers 202 at once: an import, a run, a rehearsal. It may ask what the terminal would ask. */
export const job = z.object({
  id: z.string(),
  /** What it does, e.g. `call`, `import`, `rehearse`, `plan`. */
  kind: z.string(),
  /** The campaign that it is about. */
  about: z.string(),
  who: z.string(),
  startedAt: z.int(),
  endedAt: z.int().nullable(),
  state: z.enum(['running', 'asking', 'done', 'failed']),
  messages: z.array(told.extend({ at: z.int() })),
  progress: z
    .object({ what: z.string(), done: z.int(), total: z.int() })
    .nullable()
    .describe('How far the reading or importing of a list is, in rows'),
  question: z
    .object({
      id: z.int(),
      text: z.string(),
      word: z.string().nullable().describe('The word to type; null: any line of text'),
    })
    .nullable()
    .describe('Set while `state` is `asking`'),
  result: marked('open', z.unknown()).describe('What came of it, once it is done; else null'),
  problem: problem.nullable(),
});
export type Job = z.infer<typeof job>;

export const answer = z.object({
  question: z.int().describe('The id of the question that is answered'),
  answer: z.string().max(1_000).nullable().describe('What was typed; null: no'),
});
