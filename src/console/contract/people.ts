import { z } from 'zod';
import { marked } from '../../views/fields.ts';
import { LEAD_RESULTS, LEAD_STATES } from '../../domain/lead.ts';
import { campaignParams, done, pageOf } from './common.ts';

/** A person of a campaign within its addresses: list and line, as viewers do not see whole numbers. */
const personId = z
  .string()
  .regex(/^\d{1,5}-\d{1,10}$/, 'must be LIST-LINE, such as 1-17')
  .describe('The number of the list and the line in it, e.g. 1-17');
export const personParams = campaignParams.extend({ person: personId });

/** An empty choice is none; `total` says how many match where that is known without reading everybody. */
export const peopleQuery = z.object({
  list: z.coerce.number().int().min(1).optional().describe("The list's number"),
  state: z.string().max(50).optional(),
  result: z.string().max(50).optional(),
  zone: z.string().max(200).optional().describe('An IANA zone, or the key of a place'),
  sentiment: z.string().max(200).optional(),
  text: z
    .string()
    .max(1_000)
    .optional()
    .describe('A number, as typed, or words that occur in cells'),
  after: z.string().max(200).optional().describe('The `next` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});

const state = z.enum(LEAD_STATES);
const result = z.enum(LEAD_RESULTS).nullable();

/** A row of the table. What is said of calls is that of the call that counts. */
export const personRow = z.object({
  id: personId,
  phone: z.string().describe('E.164; masked for viewers without transcripts'),
  name: z.string().nullable(),
  cells: z.array(z.string()).describe('In the order of `columns`'),
  list: z.int(),
  line: z.int(),
  state,
  result,
  /** Why it ended without a call, or waits again; null: no reason is recorded, or a viewer asks. */
  reason: z.string().nullable(),
  attempts: z.int(),
  zones: z.array(z.string()).describe('IANA names; a call must be allowed in each'),
  sentiment: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  nextAttemptAt: z.int().nullable().describe('Not called before then; null: not set'),
  lastAttemptAt: z.int().nullable(),
});

export const people = pageOf(personRow).extend({
  columns: z.array(z.string()).describe("The lists' own columns, of all lists together"),
  total: z.int().nullable().describe('How many match; null: not known without reading them all'),
});
export type People = z.infer<typeof people>;
export type PersonRow = People['items'][number];

/** What people can be chosen by, and how many each choice has. */
export const filters = z.object({
  total: z.int(),
  lists: z.array(z.object({ number: z.int(), path: z.string(), people: z.int() })),
  states: z.array(z.object({ state, people: z.int() })),
  results: z.array(z.object({ result: z.enum(LEAD_RESULTS), people: z.int() })),
  zones: z
    .array(
      z.object({
        key: z.string().describe('What `zone` takes for exactly these people'),
        zones: z.array(z.string()).describe('IANA names; none: not known'),
        people: z.int(),
      }),
    )
    .describe('The most frequent first'),
});
export type Filters = z.infer<typeof filters>;

export const turn = z.object({ speaker: z.enum(['agent', 'person', 'other']), text: z.string() });

/** One call of a person, or one that was not made. What was said is null for viewers without transcripts. */
export const attempt = z.object({
  id: z.string(),
  ordinal: z.int().describe('1 for the first that counts'),
  phone: z.string().describe('The number that was dialled, perhaps another one of theirs'),
  state: z.string(),
  result,
  intentAt: z.int(),
  endedAt: z.int().nullable(),
  callId: z.string().nullable(),
  service: z.string(),
  agent: z.string(),
  durationSeconds: z.number().nullable(),
  sentiment: z.object({ label: z.string().nullable(), score: z.number().nullable() }).nullable(),
  summary: z.string().nullable(),
  turns: z.array(turn),
  transcript: z.string().nullable().describe('Null where `turns` say it'),
  recordingUrl: z.string().nullable().describe('Only http and https addresses'),
  cost: z.string().nullable().describe('Decimal text'),
  costCurrency: z.string().nullable(),
  detail: z.string().nullable(),
});
export type Attempt = z.infer<typeof attempt>;

/** Everything about one person in one campaign. */
export const personStory = z.object({
  id: personId,
  phone: z.string(),
  name: z.string().nullable(),
  furtherNumbers: z.array(z.string()).describe('In the order in which they are tried'),
  list: z.int(),
  listPath: z.string().nullable(),
  line: z.int(),
  zones: z.array(z.string()),
  suppressed: z
    .array(z.object({ phone: z.string(), why: z.string() }))
    .describe('Those of their numbers that nobody may call'),
  state,
  result,
  reason: z.string().nullable(),
  why: z.array(z.string()).describe('Why they are not called now, as clauses; the first decides'),
  next: z.string().nullable().describe('When they may be called; null: never again here'),
  nextAt: z.int().nullable(),
  story: z.array(z.object({ at: z.int(), text: z.string() })).describe('The oldest first'),
  attempts: z.array(attempt),
  capturedLeads: z.array(z.record(z.string(), marked('open', z.unknown()))),
  cells: z.array(z.object({ column: z.string(), value: z.string() })),
  /** What an operator may do now. */
  can: z.object({ cancel: z.boolean(), undoCancel: z.boolean(), suppress: z.boolean() }),
});
export type PersonStory = z.infer<typeof personStory>;

export const cancelPerson = z.object({
  undo: z.boolean().default(false).describe('Takes an earlier withdrawal back'),
});
export const suppressPerson = z.object({
  note: z.string().max(1_000).optional().describe('Why, for those who look it up'),
  until: z
    .string()
    .max(50)
    .optional()
    .describe('The last day on which it holds, e.g. 2026-07-01; default for good'),
});
/** What came of it; `person` is how they are now. */
export const changedPerson = done.extend({ person: personStory });
export type ChangedPerson = z.infer<typeof changedPerson>;
