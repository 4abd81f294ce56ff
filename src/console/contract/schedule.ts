import { z } from 'zod';

import { CAMPAIGN_STATES } from '../../domain/campaign.ts';
import { SHOWN_STATES } from '../../domain/situation.ts';
import { pageOf } from './common.ts';

export const scheduleQuery = z.object({
  days: z.coerce.number().int().min(1).max(31).default(14),
});

/** A time in which somebody who waits could be called; `people`: how many at most, at any moment of it. */
export const openSpan = z.object({
  from: z.int(),
  to: z.int(),
  people: z.int(),
});

export const scheduleDay = z.object({
  /** The day in the campaign's zone, `2026-01-05`. */
  date: z.string(),
  /** Midnight at its beginning and end in that zone; a day may have 23 or 25 hours. */
  from: z.int(),
  to: z.int(),
  /** Ascending; spans of other numbers of people follow each other without a gap. */
  spans: z.array(openSpan),
  /** When `schedule` begins calls. */
  firings: z.array(z.int()),
});
export type ScheduleDay = z.infer<typeof scheduleDay>;

/** The days ahead of a campaign that is not over. */
export const campaignSchedule = z.object({
  campaign: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  shown: z.enum(SHOWN_STATES),
  simulated: z.boolean(),
  timezone: z.string(),
  /** In cron notation; null: it is called whenever somebody may be. */
  schedule: z.string().nullable(),
  waiting: z.int(),
  /** How many of those who wait are looked at here: the 50 places with most people. */
  counted: z.int(),
  nextOpeningAt: z.int().nullable().describe('null: now, never, or nobody waits'),
  days: z.array(scheduleDay),
});
export type CampaignSchedule = z.infer<typeof campaignSchedule>;

export const schedules = pageOf(campaignSchedule).extend({
  /** The moment it was worked out for. */
  now: z.int(),
});
export type Schedules = z.infer<typeof schedules>;
