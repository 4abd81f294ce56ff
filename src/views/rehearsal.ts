import { z } from 'zod';
import { LEAD_RESULTS, LEAD_STATES } from '../domain/lead.ts';
import { moment, text } from './fields.ts';

const people = z.int();

const trial = z.object({
  concurrency: z.int(),
  nights: z.int().describe('Nights in which somebody was called'),
  calls: z.int(),
  finishedAt: moment.nullable().describe('When everything was done; null: it never was'),
});

/** What would have happened, and what another concurrency would change. Nobody was called. */
export const rehearsal = z.object({
  campaign: z.string(),
  stored: z.boolean().describe('A campaign of that name is in the database'),
  service: z.string(),
  timezone: z.string(),
  seed: z.string(),
  startedAt: moment,
  finishedAt: moment.nullable().describe('When the last result was in; null: people wait still'),
  end: z
    .enum(['done', 'nobody_may', 'suppression_too_old', 'schedule_over', 'too_long', 'stopped'])
    .describe(
      'Why it went no further; nobody_may: those who wait are never called, as things stand',
    ),
  concurrency: z.int(),
  maxCalls: z
    .int()
    .nullable()
    .describe('Calls at once at the service, over all campaigns; null: no limit'),
  people: people.describe('Who waited at the beginning'),
  rejectedRows: z.int().describe('Rows of new lists that would be rejected'),
  openCalls: z.int().describe('Calls in progress now, which come to nothing in a rehearsal'),
  nights: z
    .array(
      z.object({
        night: z.string().describe("The date in the campaign's zone on which calling began"),
        calls: z.int(),
        reached: people.describe('Who was talked to'),
        results: z.record(z.string(), z.int()).describe('Calls by their result'),
        firstCallAt: moment,
        lastCallAt: moment,
      }),
    )
    .describe('A night without a call is not among them'),
  neverCalled: z.array(
    z.object({
      state: z.enum(LEAD_STATES),
      result: z.enum(LEAD_RESULTS).nullable().describe('null: they wait still'),
      why: text.nullable().describe('What the first of them is told'),
      people,
    }),
  ),
  shut: z
    .array(
      z.object({
        by: z.string(),
        why: text,
        people,
        zones: z.array(z.string()).describe('Where they may be; none: not known'),
      }),
    )
    .describe('Of those who wait in the end: whom the hours never let be called'),
  holds: z
    .array(z.object({ by: z.string(), why: text, people }))
    .describe('What held people back for a while: the name of a rule, or a key'),
  pricedBy: z.enum(['campaign', 'usual']).nullable().describe('null: no budget of money is set'),
  trials: z.array(trial).describe('By concurrency'),
  better: trial.nullable().describe('The one with fewer nights; null: none was found'),
  triedAll: z.boolean().describe('False: there was no time for every concurrency'),
});

/** The same with sentences for people: how it ends, who is never called, what to change. */
export const rehearsalReport = rehearsal.extend({
  ending: text,
  never: z.array(text),
  advice: z.array(text),
});
export type Rehearsal = z.infer<typeof rehearsal>;
export type RehearsalReport = z.infer<typeof rehearsalReport>;
