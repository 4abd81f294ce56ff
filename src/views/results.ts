import { z } from 'zod';
import { CAMPAIGN_STATES, RESULT_FORMAT_NAMES } from '../domain/campaign.ts';
import { LEAD_RESULTS } from '../domain/lead.ts';
import { NIGHT_ENDS } from '../domain/nights/night-end.ts';
import { moment, money, name } from './fields.ts';

/** What a campaign has brought: in numbers, and night by night. Durations are ms. */

const count = z.int();

/** See `DialCounts`; those made that have a result, and those in which a person spoke. */
export const dials = z.object({ made: count, refused: count, inDoubt: count, notMade: count });
const calls = dials.extend({ ended: count, answered: count });

/** A campaign in numbers, or one of its nights. */
export const figures = z.object({
  leads: z.object({ total: count, waiting: count, calling: count, done: count }),
  results: z
    .array(z.object({ result: z.enum(LEAD_RESULTS), leads: count }))
    .describe('In a fixed order, and only results that occur'),
  calls,
  talk: z
    .object({
      calls: count,
      totalMs: z.number(),
      medianMs: z.number().nullable(),
      longestMs: z.number().nullable(),
    })
    .describe('Durations of answered calls, as far as known'),
  lengths: z
    .array(z.object({ upToMs: z.number().nullable(), calls: count }))
    .describe('Answered calls by duration; upToMs null: no bound'),
  sentiment: z
    .array(z.object({ label: z.string(), calls: count }))
    .describe("By the service's label, the most frequent first"),
  sentimentScore: z
    .object({ calls: count, mean: z.number().nullable() })
    .describe("The mean is on the service's own scale"),
  hours: z
    .array(z.object({ hour: z.int(), calls: count, answered: count }))
    .describe("Ended calls by the hour of the person's day, 0 to 23, where their zone is known"),
  hourZones: z
    .object({ ofTheList: count, ofTheCampaign: count })
    .describe("How many calls `hours` counts in a zone from the list, and in the campaign's"),
  days: z
    .array(z.object({ date: z.string(), calls: count, answered: count }))
    .describe("Ended calls by day, in the campaign's zone, in order"),
  costs: z
    .array(money.extend({ calls: count }))
    .describe('As the service states them, by currency, without rounding; "": it named none'),
  soundLikeOptOut: count.describe(
    'Answered calls in which somebody may have asked not to be called again: somebody should read them',
  ),
  from: moment.nullable().describe('When the first call began; null: there are none'),
  to: moment.nullable().describe('When the last call began'),
});
export type Figures = z.infer<typeof figures>;

const night = z.string().describe('Its date, or `before` for calls from before nights were kept');

export const summary = z.object({
  campaign: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  timezone: z.string(),
  night: night.nullable().describe('Its date, or `before`; null: all of them'),
  figures,
});
export type Summary = z.infer<typeof summary>;

const nightFigures = calls.extend({
  answerRate: z.number().nullable().describe('0 to 1; null: no call has ended'),
  talkMs: z
    .number()
    .describe(
      'Of all calls, as `stop.talkMinutes` counts it; without a duration the longest it can be',
    ),
  costs: z.array(money),
});

export const nights = z.object({
  campaign: z.string(),
  timezone: z.string(),
  items: z
    .array(
      nightFigures.extend({
        night,
        firstCallAt: moment,
        lastCallAt: moment,
        inProgress: count.describe('Calls that go on'),
        end: z.enum(NIGHT_ENDS).nullable(),
        endedBy: z.string().nullable().describe('The key of the budget that ended it'),
        why: z.string().nullable().describe('Why it ended, in words'),
        resultsFile: name.nullable(),
        resultsMachine: z.string().nullable().describe('The host that wrote that file'),
        resultsAt: moment.nullable().describe('Null: calls were made after it was written'),
      }),
    )
    .describe('The newest ones, the first one first'),
  totals: nightFigures.extend({ nights: count }),
  older: count.describe('How many older ones are left out'),
});
export type Nights = z.infer<typeof nights>;
export type NightView = Nights['items'][number];

/** The columns that results have, in their order. */
export const columns = z.object({
  items: z.array(
    z.object({
      name,
      kind: z
        .enum(['own', 'call', 'extra'])
        .describe('own: of the list; call: added; extra: in jsonl alone'),
    }),
  ),
  format: z.enum(RESULT_FORMAT_NAMES),
});
export type Columns = z.infer<typeof columns>;

const written = z.object({ campaign: name, file: name });
export const exported = written.extend({ format: z.enum(RESULT_FORMAT_NAMES), rows: count });
export const reported = written.extend({ calls: count.describe('How many are on the page') });
