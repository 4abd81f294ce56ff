import { z } from 'zod';

import { CAMPAIGN_STATES } from '../../domain/campaign.ts';
import { SHOWN_STATES, SITUATIONS } from '../../domain/situation.ts';
import { dialCounts, pageOf } from './common.ts';

export const progress = z.object({
  total: z.int(),
  waiting: z.int(),
  calling: z.int(),
  done: z.int(),
  /** Calls in progress: those that hold a slot. */
  held: z.int(),
  doubts: z.int(),
  dials: dialCounts.describe('All dials that have an answer, or have lost it'),
  results: z.record(z.string(), z.int()),
});

export const campaign = z.object({
  name: z.string(),
  version: z.int(),
  state: z.enum(CAMPAIGN_STATES),
  shown: z
    .enum(SHOWN_STATES)
    .describe('The state for people: `open` is `running` that no process calls'),
  situation: z.enum(SITUATIONS).describe('What is going on, as a word'),
  isUncalled: z.boolean().describe('It is not over, and nobody calls'),
  archived: z.boolean(),
  /** True: the embedded service; nobody is called. */
  simulated: z.boolean(),
  service: z.string(),
  agent: z.string(),
  timezone: z.string(),
  schedule: z.string().nullable().describe('Started, it is called at these times; null: at once'),
  createdAt: z.int(),
  pauseReason: z.string().nullable(),
  pauseDetail: z.string().nullable(),
  progress,
  /** Answered calls among those that have a result, 0 to 1; null: no call has one yet. */
  answeredRate: z.number().nullable(),
  /** Calls begun a minute, over the last minute; null: nobody has asked for 5 s yet. */
  perMinute: z.number().nullable(),
  concurrency: z.int(),
  /** The process that runs it, e.g. `pid 4711`; null: none. */
  runner: z.string().nullable(),
  runnerCalls: z.boolean().describe('False: none does, or those that run it only collect'),
  /** When the next of those who wait may be called; null: now, never, or nobody waits. */
  nextOpeningAt: z.int().nullable(),
  /** How many of those who wait may be called now, later and never, by the hours. */
  openings: z.object({ now: z.int(), later: z.int(), never: z.int() }),
  /** What its state means, in the words of the end of a run. */
  why: z.string(),
  /** What a person is needed for, as a word, e.g. `doubts`, `breaker`, `key`; null: nobody is. */
  attention: z.string().nullable(),
});
export type Campaign = z.infer<typeof campaign>;
export const campaigns = pageOf(campaign).extend({
  hidden: z.int().describe('How many archived ones are left out'),
});

/** A call that holds a slot now. */
export const heldCall = z.object({
  attempt: z.string(),
  phone: z.string(),
  state: z.string(),
  since: z.int(),
  callId: z.string().nullable(),
  line: z.int(),
});

/** A call that has ended. */
export const endedCall = z.object({
  phone: z.string(),
  line: z.int(),
  result: z.string().nullable(),
  sentiment: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  endedAt: z.int().nullable(),
});

export const historyEntry = z.object({
  at: z.int(),
  who: z.string(),
  what: z.string(),
  /** The entry as a sentence. */
  text: z.string(),
});

export const list = z.object({
  number: z.int(),
  path: z.string(),
  at: z.int(),
  good: z.int(),
  rejected: z.int(),
  duplicates: z.int(),
  suppressed: z.int(),
  finished: z.boolean(),
});

export const settings = z
  .record(z.string(), z.string())
  .describe('key -> value as `set` takes them');

/** One campaign with all that its page shows beside the people. */
export const campaignDetail = campaign.extend({
  calls: z.array(heldCall),
  ended: z.array(endedCall).describe('The 20 calls that ended last, the newest first'),
  lists: z.array(list),
  history: z.array(historyEntry),
  settings,
  budget: z.string().nullable(),
});
export type CampaignDetail = z.infer<typeof campaignDetail>;
