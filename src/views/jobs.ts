import { z } from 'zod';
import { CAMPAIGN_STATES } from '../domain/campaign.ts';
import { settledDoubts } from './calls.ts';
import { moment, name, problem, text, told } from './fields.ts';
import { surveyed } from './lists.ts';
import { imported, plan } from './plan.ts';
import { rehearsalReport } from './rehearsal.ts';
import { examination } from './services.ts';
import { suppressionImported } from './suppression.ts';

const begun = z.object({
  id: z.string(),
  about: name.describe('The campaign, the service or the file that it is about'),
  who: z.string(),
  startedAt: moment.describe('In the zone of the machine, as all times of a job'),
  endedAt: moment.nullable(),
  state: z.enum(['running', 'asking', 'done', 'failed']),
  messages: z.array(told.extend({ at: moment })),
  progress: z
    .object({ what: text, done: z.int(), total: z.int() })
    .nullable()
    .describe('How far the reading or importing of a list is, in rows'),
  question: z
    .object({
      id: z.int(),
      text,
      word: name.nullable().describe('The word to type; null: any line of text'),
    })
    .nullable()
    .describe('Set while `state` is `asking`'),
  problem: problem.nullable(),
});

const jobOf = <K extends string, R extends z.ZodType>(kind: K, result: R) =>
  begun.extend({
    kind: z.literal(kind),
    result: result.nullable().describe('Null until it is done, or if it was stopped at once'),
  });

const state = z.enum(CAMPAIGN_STATES);
const callEnd = z.object({
  state,
  why: text.nullable().describe('Null: `serve` calls it, and goes on'),
  code: z.int().nullable().describe('The exit code that the command line would have'),
  results: name.nullable().describe('The path of the file of results'),
});
export type CallEnd = z.infer<typeof callEnd>;

/** Long work, which answers 202 at once. It may ask what the terminal would ask. */
export const job = z
  .discriminatedUnion('kind', [
    jobOf('call', callEnd),
    jobOf('collect', callEnd),
    jobOf('resume', z.object({ changed: z.boolean().describe('False: it was not paused') })),
    jobOf('import', imported),
    jobOf('survey', surveyed),
    jobOf('plan', plan),
    jobOf('rehearse', rehearsalReport),
    jobOf('check', examination),
    jobOf('suppress', suppressionImported),
    jobOf('doubts', settledDoubts),
    jobOf(
      'many',
      z.object({
        people: z.int().describe('With how many it was done'),
        draft: name.optional().describe('The new campaign that they are on the list of'),
      }),
    ),
  ])
  .meta({ id: 'Job' });
export type Job = z.infer<typeof job>;
export type JobKind = Job['kind'];
/** What comes of a job of a kind. */
export type JobResult<K extends JobKind> = Extract<Job, { kind: K }>['result'];
