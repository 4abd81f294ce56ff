import { z } from 'zod';
import { text } from './fields.ts';

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
  })
  .describe('What went wrong, as RFC 9457 problem details')
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;
