import { z } from 'zod';
import { CAMPAIGN_STATES } from '../domain/campaign.ts';
import { begins, campaignDetail, openings, progress } from './campaigns.ts';
import { decimal, exitCode, moment, name, phone, text } from './fields.ts';
import { rowCounts } from './lists.ts';

/** What a campaign would do, before anybody is called; and what an import has brought. */

const count = z.int();

const readRows = rowCounts.extend({
  zonesDisagree: count.describe('Good rows whose list and number mean different zones'),
  zonesUnknown: count,
  byReason: z.record(z.string(), count).describe('Rows that are not good'),
  examples: z.array(z.object({ line: count, code: z.string(), text })),
  notes: z.record(z.string(), z.object({ count, example: text })).describe('Of rows that are good'),
  phoneColumn: text,
});

const list = readRows.extend({
  path: name,
  fresh: count.describe('Good rows whose number the campaign does not have yet'),
  places: z.record(z.string(), count).describe('How many of `fresh` are where'),
  headerLine: count.describe('0: no line has column names'),
  fields: z.record(z.string(), text).describe('Of a person: firstName -> its column'),
  text: text.describe('Its rows as a sentence'),
  columns: z.array(text).describe('Warnings, and what the columns hold, with samples'),
  problems: z.array(text).describe('Examples of rows that are not good'),
  zones: z.array(text).describe('What is not certain of where the people are'),
});

/** What an import has done; its leads wait. */
export const imported = z.object({
  campaign: name,
  state: z.enum(CAMPAIGN_STATES),
  waiting: count,
  left: count.describe('Leads that are not on a complete list, now cancelled'),
  back: count.describe('Leads that had left, and wait again'),
  known: z.array(name).describe('Given lists that the campaign had already'),
  lists: z.array(
    readRows.extend({
      list: campaignDetail.shape.lists.element,
      resumed: z.boolean().describe('The list was imported before, wholly or in part'),
      added: count,
      alreadyThere: count,
      corrected: count.describe('Leads of earlier lists whose cells or place changed'),
      stopped: count.describe('Leads of earlier lists that are no longer called'),
      rejectsPath: name.nullable(),
    }),
  ),
});
export type ImportView = z.infer<typeof imported>;

const rangeOf = <T extends z.ZodType>(of: T) => z.object({ low: of, middle: of, high: of });
const range = rangeOf(z.number());

/** When it would be through: nine in ten are above `low`, nine in ten below `high`; may be fractions. */
const forecast = z.object({
  startAt: moment,
  plays: count,
  end: z.enum(['done', 'nobody_may', 'budget', 'time']).describe('How most plays end'),
  endShare: z.number().describe('The share of plays that end like that, 0 to 1'),
  endsAt: rangeOf(moment.nullable()).describe('null: not as things stand'),
  nights: range,
  calls: range,
  talkMs: range,
  costs: z
    .array(rangeOf(decimal).extend({ currency: z.string() }))
    .describe('Currency "": the service named none; empty: no call was seen that had a cost'),
  byNight: z.array(z.object({ night: z.string(), beginsAt: moment, calls: range })),
  people: count,
  weight: count.describe('How many people each simulated person stands for'),
  slots: count.describe('Calls at once'),
  seen: z.object({
    of: z.enum(['campaign', 'agent', 'service', 'defaults']),
    calls: count,
    priced: count.describe('How many of them had a cost'),
    pricedBy: z.enum(['campaign', 'usual']).nullable(),
  }),
  sharesWith: z.array(name).describe('Campaigns that may take slots of the same service'),
  openCalls: count.describe('Calls in progress, which are not in it'),
  sentences: z.array(text),
});
export type ForecastView = z.infer<typeof forecast>;

const variables = z.object({
  prompt: z
    .array(text)
    .nullable()
    .describe('Names that the prompt uses without a default; null: it was not read'),
  blank: z
    .array(
      z.object({
        name: text,
        people: count,
        lacking: z.boolean().describe('No list has such a column'),
      }),
    )
    .describe('Needed names that are blank for people who wait'),
  unsent: z.array(text).describe('Needed names that no call sends'),
  columns: z.array(text).describe('Of the lists'),
  sent: z
    .array(z.object({ field: z.string(), from: text }))
    .describe('Fields of the dial; `variables` is every column, `City` one'),
  hasField: z.boolean().describe('False: the service has no field for variables'),
});
/** What the agent's prompt needs of the lists, and what of them reaches the agent. */
export type VariablesReport = z.infer<typeof variables>;

/** The request of one dial, without headers. */
export const dialRequest = z.object({
  person: z.object({ phone, name: text.nullable() }),
  method: z.string(),
  url: text,
  body: text.nullable().describe('As it is sent; null: see problem'),
  problem: text.nullable().describe('The value that the body needs and the row lacks'),
});
export type RequestView = z.infer<typeof dialRequest>;

const before = z.object({ people: count, lastAt: moment });

export const plan = z.object({
  campaign: name,
  stored: z.boolean().describe('A campaign of that name is in the database'),
  schedule: z.string().nullable().describe('Start waits for it; null: Start calls at once'),
  begins: begins.nullable().describe('null: nobody is to be called, or something is missing'),
  serve: text
    .nullable()
    .describe(
      'What `serve` does with it, for the terminal; null: something is missing, or nothing asks for it',
    ),
  callNow: count,
  callLater: count,
  callNever: count,
  nextAt: moment.nullable().describe('When the first of those who are called later may be'),
  hours: openings.nullable().describe('null: something is missing'),
  never: z.array(text).describe('Who is never called, and why'),
  lists: z.array(list),
  known: z.array(name).describe('Given lists that the campaign has already'),
  calledBefore: before
    .extend({
      leftOut: count.describe('Those of them whom `skipCalled` leaves out'),
      campaigns: z.array(before.extend({ name: name.nullable().describe('null: single calls') })),
      ends: z.record(z.string(), count).describe('How the last call of each ended'),
    })
    .nullable()
    .describe('People whom other campaigns have called; null: nobody'),
  sameLists: z
    .array(z.object({ path: name, campaign: name, list: name, at: moment, waits: z.boolean() }))
    .describe('Lists that another campaign has, too; waits: it may still call people of it'),
  duties: z.array(
    z.object({ by: z.string(), duty: z.string(), source: z.string(), people: count }),
  ),
  progress: progress.nullable().describe('null: it is not stored'),
  settings: z.record(z.string(), text).nullable().describe('key -> value as `set` takes them'),
  service: z
    .object({
      name: z.string(),
      url: z.string(),
      live: z.boolean().describe('Real people are called, after a typed confirmation'),
      simulated: z.boolean(),
    })
    .nullable(),
  agentName: text.nullable(),
  prompt: text.nullable().describe('How it begins; null: it was not read'),
  when: z.array(text).describe('Hours, rules and duties'),
  problem: text.nullable().describe('What is wrong with the service or the lists, as a sentence'),
  next: text.nullable().describe('What to do about the problem'),
  missing: z
    .array(z.object({ give: z.string(), why: text }))
    .describe('What has to be chosen before it can be called; empty: nothing'),
  variables: variables.nullable().describe('null: not looked up'),
  request: dialRequest
    .nullable()
    .describe('What is sent for the first person, without headers; null: not known'),
  forecast: forecast.nullable().describe('null: nobody is to be called, or not worked out'),
  database: z.object({ path: z.string(), exists: z.boolean() }),
  resultsFile: name.nullable().describe('`-`: the standard output; null: not looked up'),
  sentences: z.array(text).describe('The plan as the terminal says it'),
  notes: z.array(text).describe('What else should be known before it is started'),
  exitCode: exitCode.describe('How `check` ends'),
});
export type PlanView = z.infer<typeof plan>;
