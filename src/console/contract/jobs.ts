import { z } from 'zod';
import { problem, told } from './common.ts';

/** Long work, which answers 202 at once: an import, a run, a rehearsal. It may ask what the terminal would ask. */
export const job = z.object({
  id: z.string(),
  /** What it does, e.g. `call`, `import`, `rehearse`, `plan`. */
  kind: z.string(),
  /** The campaign or draft that it is about. */
  about: z.string(),
  draft: z.string().nullable().describe('The draft that a start makes a campaign of; else null'),
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
  result: z.unknown().describe('What came of it, once it is done; else null'),
  problem: problem.nullable(),
});
export type Job = z.infer<typeof job>;

export const answer = z.object({
  question: z.int().describe('The id of the question that is answered'),
  answer: z.string().max(1_000).nullable().describe('What was typed; null: no'),
});
