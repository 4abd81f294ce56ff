import { z } from 'zod';
import { RESULT_FORMAT_NAMES } from '../../domain/campaign.ts';
import { LEAD_RESULTS } from '../../domain/lead.ts';
import { NIGHT_ENDS } from '../../domain/nights/night-end.ts';
import { dialCounts } from './common.ts';

const night = z
  .string()
  .max(50)
  .describe(
    'A date such as 2026-01-05, `last`, or `before` for calls from before nights were kept',
  );
export const nightQuery = z.object({ night: night.optional() });

/** Names with commas between them; or the parameter several times, as a header of a list may have a comma in it. */
const names = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    (typeof given === 'string' ? given.split(',') : given)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );

const format = z
  .enum(RESULT_FORMAT_NAMES)
  .describe('excel is csv for a double click; default: the one that the campaign writes');
const per = z.enum(['lead', 'attempt']).describe('A row per lead, or per attempt; default lead');

export const resultsQuery = nightQuery.extend({
  format: format.optional(),
  per: per.default('lead'),
  only: names.optional().describe('Only leads with these results, e.g. answered,voicemail'),
  columns: names.optional().describe('Only these columns, in this order'),
  since: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Only what began, ended or was settled since then'),
});

/** Of the leads that are done those that no earlier one of these has taken. */
export const newResults = z.object({
  format: format.optional(),
  only: z.array(z.enum(LEAD_RESULTS)).max(50).optional(),
  columns: z.array(z.string().max(1_000)).max(1_000).optional(),
  since: z.int().min(0).optional(),
});

export const capturedLeadsQuery = z.object({
  format: z.enum(['csv', 'excel', 'jsonl']).default('csv'),
});
export const reportQuery = nightQuery.extend({
  calls: z.coerce
    .number()
    .int()
    .min(0)
    .max(20_000)
    .default(500)
    .describe('How many of the newest calls are on the page; 0: none'),
});
export const columnsQuery = z.object({
  per: per.default('lead'),
  format: format.optional(),
});

/** The columns that results have, in their order. */
export const columns = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      kind: z
        .enum(['own', 'call', 'extra'])
        .describe('own: of the list; call: added; extra: in jsonl alone'),
    }),
  ),
  format: z.enum(RESULT_FORMAT_NAMES),
});
export type Columns = z.infer<typeof columns>;

const count = z.int();
const cost = z.object({ currency: z.string(), total: z.string().describe('Decimal text') });

/** A campaign in numbers, or one of its nights. Durations are ms. */
export const figures = z.object({
  leads: z.object({ total: count, waiting: count, calling: count, done: count }),
  results: z.array(z.object({ result: z.enum(LEAD_RESULTS), leads: count })),
  calls: dialCounts.extend({ ended: count, answered: count }),
  talk: z.object({
    calls: count,
    totalMs: z.number(),
    medianMs: z.number().nullable(),
    longestMs: z.number().nullable(),
  }),
  lengths: z.array(z.object({ upToMs: z.number().nullable(), calls: count })),
  sentiment: z.array(z.object({ label: z.string(), calls: count })),
  sentimentScore: z.object({ calls: count, mean: z.number().nullable() }),
  hours: z.array(z.object({ hour: z.int(), calls: count, answered: count })),
  hourZones: z.object({ ofTheList: count, ofTheCampaign: count }),
  days: z.array(z.object({ date: z.string(), calls: count, answered: count })),
  costs: z.array(cost.extend({ calls: count })),
  soundLikeOptOut: count,
  from: z.int().nullable(),
  to: z.int().nullable(),
});
export const summary = z.object({
  name: z.string(),
  state: z.string(),
  timezone: z.string(),
  night: z.string().nullable().describe('Its date, or `before`; null: all of them'),
  figures,
  lines: z.array(z.string()).describe('The same as text with bars, for a fixed-width font'),
});
export type Summary = z.infer<typeof summary>;

const nightFigures = dialCounts.extend({
  ended: count,
  answered: count,
  talkMs: z
    .number()
    .describe(
      'Of all calls, as `stop.talkMinutes` counts it; without a duration the longest it can be',
    ),
  costs: z.array(cost),
});
export const nights = z.object({
  timezone: z.string(),
  items: z
    .array(
      nightFigures.extend({
        night: z.string().describe('Its date, or `before`'),
        beganAt: z.int(),
        lastAt: z.int(),
        open: count.describe('Calls in progress'),
        end: z.enum(NIGHT_ENDS).nullable(),
        endedBy: z.string().nullable().describe('The key of the budget that ended it'),
        resultsFile: z.string().nullable(),
        resultsAt: z.int().nullable(),
      }),
    )
    .describe('The newest ones, the first one first'),
  totals: nightFigures.extend({ nights: count }),
  older: count.describe('How many older ones are left out'),
});
export type Nights = z.infer<typeof nights>;
export const nightsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).default(30),
});
