import { z } from 'zod';
import { CAMPAIGN_STATES, PAUSE_REASONS } from '../domain/campaign.ts';
import { LEAD_STATES } from '../domain/lead.ts';
import { progress } from './campaigns.ts';
import { exitCode, moment, name, phone, text } from './fields.ts';

/** What a person has changed of a campaign, or a run has done with it. */

const campaign = name;
const state = z.enum(CAMPAIGN_STATES);
const changed = z.boolean().describe('False: it was so already');

export const started = z.object({
  campaign,
  state,
  pauseReason: z.enum(PAUSE_REASONS).nullable().describe('operator: it stays paused'),
});

export const paused = z.object({
  campaign,
  state,
  held: z.int().nullable().describe('Calls in progress; null: not counted, nothing was changed'),
  changed,
});
export type Paused = z.infer<typeof paused>;

export const resumed = z.object({ campaign, state, changed });

export const cancelled = z.object({ campaign, state, waiting: z.int(), held: z.int() });

/** Of one person. */
export const withdrawn = z.object({
  campaign,
  phone,
  outcome: z
    .enum([...LEAD_STATES, 'cancelled', 'done_in_doubt'])
    .describe('calling: a call is in progress, or may be; it is the last one'),
});

export const settingsChanged = z.object({
  campaign,
  changes: z.array(z.object({ key: z.string(), from: text, to: text, source: name })),
});

export const renamed = z.object({
  campaign: name.describe('Its new name'),
  before: name,
  resultsFile: name.nullable(),
});

export const archived = z.object({ campaign, archived: z.boolean(), changed });

/** How a run has ended. */
export const runEnd = progress.extend({
  campaign,
  state,
  resultsFile: name,
  exitCode,
  why: text,
  nextAt: moment.nullable().describe('When it is worth another run; null: not known'),
});
