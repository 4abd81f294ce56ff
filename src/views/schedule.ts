import { z } from 'zod';
import { CAMPAIGN_STATES } from '../domain/campaign.ts';
import { SHOWN_STATES } from '../domain/situation.ts';
import { moment, pageOf } from './fields.ts';

const day = z.object({
  date: z.string().describe("In the campaign's zone, 2026-01-05"),
  from: moment.describe('Midnight in that zone; a day may have 23 or 25 hours'),
  to: moment,
  spans: z
    .array(z.object({ from: moment, to: moment, people: z.int() }))
    .describe(
      'When somebody who waits may be called, by the hours alone; people: at most, at any moment of it; ascending',
    ),
  firings: z.array(moment).describe('When `schedule` begins calls'),
});
export type ScheduleDay = z.infer<typeof day>;

/** The days ahead of a campaign that is not over. */
const campaignSchedule = z.object({
  campaign: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  shown: z.enum(SHOWN_STATES),
  simulated: z.boolean(),
  timezone: z.string(),
  schedule: z
    .string()
    .nullable()
    .describe('In cron notation; null: it is called whenever somebody may be'),
  waiting: z.int(),
  counted: z.int().describe('Those of them that are looked at: of the places with most people'),
  nextOpeningAt: moment.nullable().describe('null: now, never, or nobody waits'),
  days: z.array(day),
});
export type CampaignSchedule = z.infer<typeof campaignSchedule>;

export const schedules = pageOf(campaignSchedule).extend({
  now: moment.describe('The moment it was worked out for'),
});
export type Schedules = z.infer<typeof schedules>;
