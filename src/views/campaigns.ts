import { z } from 'zod';

import { ATTEMPT_STATES } from '../domain/attempt.ts';
import { CALLABLE_AGAIN, NOT_RETRIED } from '../domain/calling/retry.ts';
import { CAMPAIGN_STATES, PAUSE_REASONS } from '../domain/campaign.ts';
import { LEAD_RESULTS, LEAD_STATES } from '../domain/lead.ts';
import { SHOWN_STATES, SITUATIONS, STATUSES } from '../domain/situation.ts';
import { exitCode, historyEntry, moment, money, name, pageOf, phone, text } from './fields.ts';
import { dials } from './results.ts';

const count = z.int();
const personName = text.nullable().describe('null: no list names them');

export const progress = z.object({
  total: count,
  waiting: count,
  calling: count.describe('People whose call is not over'),
  unknown: count.describe('Those of them whose dial has lost its answer'),
  done: count,
  results: z.record(z.string(), count),
  held: count.describe('Calls that hold a slot now'),
  open: count.describe('Calls placed whose results are awaited'),
  doubts: count.describe('Calls in doubt that nobody has settled'),
  dials: dials.describe('All dials that have an answer, or have lost it'),
  answered: count.describe('Calls that somebody answered'),
  lastCallAt: moment.nullable().describe('null: nobody was called'),
  nextDueAt: moment.nullable().describe('null: nobody waits, or never as things stand'),
});

/** How many of those who wait may be called by the hours. */
export const openings = z.object({
  now: count,
  later: count,
  never: count,
  next: z
    .object({
      at: moment,
      zoneKey: z.string(),
      by: z.string().nullable().describe('What decides until then; null: they are not due earlier'),
      why: text,
    })
    .nullable(),
  shut: z
    .array(z.object({ by: z.string(), why: text, people: count, zones: z.array(z.string()) }))
    .describe('What keeps people from ever being called; most people first'),
});

const spent = z.object({
  calls: count,
  open: count.describe('Those whose end is not known yet'),
  answered: count,
  talkMs: z.number(),
  costs: z.array(money),
});
const night = z.object({ date: z.string(), beginsAt: moment, endsAt: moment });

const budget = z.object({
  night,
  next: night,
  tonight: spent,
  campaign: spent.describe('In all nights'),
  more: count.nullable().describe('Calls that may begin now; null: no budget limits them'),
  limit: z
    .object({ by: z.string(), until: z.enum(['night', 'change', 'calls_end']), why: text })
    .nullable()
    .describe('The budget that limits them; by: its key'),
  goesOnAt: moment.nullable().describe('null: nothing is held back, or until somebody changes it'),
  lines: z.array(text).describe('What is used of each, as sentences'),
});

const status = z
  .object({
    is: z.enum(STATUSES),
    text: text.describe('A short sentence for a page'),
    reason: text.nullable(),
  })
  .describe('What it does now');

export const campaign = progress.extend({
  name: z.string(),
  version: count,
  state: z.enum(CAMPAIGN_STATES),
  shown: z
    .enum(SHOWN_STATES)
    .describe('The state for people: `running` only while somebody is called, else `open`'),
  status,
  situation: z.enum(SITUATIONS).describe('What is going on, as a word'),
  isUncalled: z.boolean().describe('It is not over, and nobody calls'),
  archived: z.boolean(),
  simulated: z.boolean().describe('The embedded service: nobody is called'),
  service: z.string(),
  agent: z.string(),
  timezone: z.string(),
  schedule: z.string().nullable().describe('Started, it is called at these times; null: at once'),
  concurrency: count,
  createdAt: moment,
  pauseReason: z.enum(PAUSE_REASONS).nullable(),
  pauseDetail: text.nullable(),
  answerRate: z
    .number()
    .nullable()
    .describe('Calls answered of those that have ended, 0 to 1; null: none has'),
  perMinute: z
    .number()
    .nullable()
    .describe('Calls begun a minute, over the last minute; null: nobody has asked for 5 s yet'),
  runner: z.string().nullable().describe('The process that runs it, e.g. `pid 4711`'),
  runnerCalls: z.boolean().describe('False: none does, or those that run it only collect'),
  runnerSince: moment.nullable(),
  until: moment.nullable().describe('When that changes by itself; null: now, never, or not known'),
  why: text.describe('What its state means, in the words of the end of a run'),
  heldUpBy: text.nullable().describe('The unfinished import that keeps it from being called'),
  todo: text
    .nullable()
    .describe('The command that a person gives next; words in capitals are to be filled in'),
  attention: z
    .string()
    .nullable()
    .describe('What a person is needed for, e.g. `doubts`, `breaker`, `key`; null: nobody is'),
  hours: openings,
  budget: budget.nullable().describe('null: it has none'),
});
export type Campaign = z.infer<typeof campaign>;

export const campaigns = pageOf(campaign).extend({
  hidden: count.describe('How many archived ones are left out'),
});
export type Campaigns = z.infer<typeof campaigns>;

const process = z.object({ host: z.string(), pid: count });

/** A call that holds a slot now. */
const heldCall = z.object({
  attempt: z.string(),
  externalId: z.string().describe('Was sent with the call'),
  state: z.enum(ATTEMPT_STATES),
  phone,
  name: personName,
  list: count,
  line: count,
  callId: z.string().nullable(),
  sentAt: moment,
  heldUntil: moment,
  whatFailed: text.nullable(),
  owner: process.describe('The process that has sent it'),
});

/** When a campaign is called next, in its time zone. */
export const begins = z.object({
  at: moment.nullable().describe('null: now'),
  until: moment.nullable().describe('null: it does not stop by itself'),
  then: moment.nullable().describe('When it goes on after that; null: not known'),
  isOn: z.boolean().describe('False: only once somebody starts it'),
  when: text.describe('As words of a button: `now`, `tonight at 18:00`'),
  text: text.describe('As a sentence'),
});
export type Begins = z.infer<typeof begins>;

/** One campaign with all that its page shows beside the people. */
export const campaignDetail = campaign.extend({
  begins: begins.nullable().describe('null: nobody waits, or nobody may be called as things are'),
  heldSlots: z.array(heldCall),
  ended: z
    .array(
      z.object({
        phone,
        name: personName,
        list: count,
        line: count,
        result: z.enum(LEAD_RESULTS).nullable(),
        sentiment: z.string().nullable(),
        durationMs: z.number().nullable(),
        endedAt: moment.nullable(),
      }),
    )
    .describe('The 20 calls that ended last, the newest first'),
  openDoubts: z.array(heldCall),
  blank: count.describe('People whom `variables` holds: something is blank in their rows'),
  serviceSlots: z
    .array(
      z.object({
        service: z.string(),
        campaigns: z.array(
          z.object({
            campaign: name,
            held: count,
            wants: count,
            weight: z.number(),
            share: z.number(),
          }),
        ),
      }),
    )
    .describe('Of its service, where several campaigns hold or want slots'),
  unknownWords: z
    .array(z.object({ of: z.string(), word: text, at: moment }))
    .describe('Words of the service that its profile does not know'),
  lists: z.array(
    z.object({
      number: count,
      path: name,
      at: moment,
      finishedAt: moment.nullable(),
      asOf: moment.nullable().describe('The day that it dates from'),
      good: count,
      rejected: count,
      duplicates: count,
      suppressed: count,
      importer: process.nullable().describe('The process that imports it; null: none does'),
    }),
  ),
  history: z.array(historyEntry),
  settings: z.record(z.string(), text).describe('key -> value as `set` takes them'),
});
export type CampaignDetail = z.infer<typeof campaignDetail>;

/** The calls of the last hours, for charts. */
export const callMinutes = z.object({
  from: moment.describe('When the first of the minutes began'),
  begun: z.array(count).describe('Calls begun in each minute that is over'),
  held: z.array(count).describe('Slots in use at its end'),
});
export type CallMinutes = z.infer<typeof callMinutes>;

// What a person has changed of a campaign, or a run has done with it.

const state = z.enum(CAMPAIGN_STATES);
const changed = z.boolean().describe('False: it was so already');

export const started = z.object({
  campaign: name,
  state,
  pauseReason: z.enum(PAUSE_REASONS).nullable().describe('operator: it stays paused'),
});

export const paused = z.object({
  campaign: name,
  state,
  held: count.nullable().describe('Calls in progress; null: not counted, nothing was changed'),
  changed,
});
export type Paused = z.infer<typeof paused>;

export const resumed = started.extend({ changed });

export const cancelled = z.object({ campaign: name, state, waiting: count, held: count });

/** People who were done, and may be called again. */
export const retried = z.object({
  campaign: name,
  state,
  people: count.describe('Who waits again, or would'),
  results: z.array(z.object({ result: z.enum(CALLABLE_AGAIN), people: count })),
  left: z
    .array(z.object({ why: z.enum(NOT_RETRIED), people: count }))
    .describe('Who has one of these results, and is not called again'),
  calls: z.int().min(1).describe('Each of them is called so often at most'),
});
export type Retried = z.infer<typeof retried>;

export const withdrawn = z.object({
  campaign: name,
  phone,
  outcome: z
    .enum([...LEAD_STATES, 'cancelled', 'done_in_doubt'])
    .describe('calling: a call is in progress, or may be; it is the last one'),
});

export const settingsShown = z.object({
  campaign: name,
  settings: z.array(
    z.object({
      key: z.string(),
      value: text.describe('As `set` takes it'),
      from: name.describe('Who changed it last, `default`, or that it was made so'),
    }),
  ),
});

export const settingsChanged = z.object({
  campaign: name,
  changes: z.array(z.object({ key: z.string(), from: text, to: text, source: name })),
});

export const renamed = z.object({
  campaign: name.describe('Its new name'),
  before: name,
  resultsFile: name.nullable(),
});

export const archived = z.object({ campaign: name, archived: z.boolean(), changed });

export const runEnd = progress.extend({
  campaign: name,
  state,
  resultsFile: name,
  exitCode,
  why: text,
  nextAt: moment.nullable().describe('When it is worth another run; null: not known'),
});

const day = z.object({
  date: z.string().describe("In the campaign's zone, 2026-01-05"),
  from: moment.describe('Midnight in that zone; a day may have 23 or 25 hours'),
  to: moment,
  spans: z
    .array(z.object({ from: moment, to: moment, people: z.int() }))
    .describe(
      'When somebody who waits may be called, by the hours and the schedule; people: at most, at any moment of it; ascending',
    ),
  firings: z.array(moment).describe('When `schedule` begins calls'),
});
export type ScheduleDay = z.infer<typeof day>;

/** When the people who wait may be called in the days ahead. */
export const daysAhead = z.object({
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
export type DaysAhead = z.infer<typeof daysAhead>;

/** The same of a campaign that is not over. */
const campaignSchedule = daysAhead.extend({
  campaign: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  shown: z.enum(SHOWN_STATES),
  status,
  simulated: z.boolean(),
});
export type CampaignSchedule = z.infer<typeof campaignSchedule>;

export const schedules = pageOf(campaignSchedule).extend({
  now: moment.describe('The moment it was worked out for'),
});
export type Schedules = z.infer<typeof schedules>;
