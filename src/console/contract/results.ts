import { z } from 'zod';
import { RESULT_FORMAT_NAMES } from '../../domain/campaign.ts';
import { LEAD_RESULTS } from '../../domain/lead.ts';

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

export const nightsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).default(30),
});
