import { z } from 'zod';
import { LEAD_RESULTS, LEAD_STATES } from '../domain/lead.ts';
import { call, delivery } from './calls.ts';
import { historyEntry, moment, name, pageOf, personId, phone, text } from './fields.ts';
import { suppressionEntry } from './suppression.ts';

const state = z.enum(LEAD_STATES);
const result = z.enum(LEAD_RESULTS);
const zones = z.array(z.string()).describe('IANA names; a call must be allowed in each');

/** Somebody of a list, as far as tables and stories say the same of them. */
const known = z.object({
  id: personId,
  phone,
  name: text.nullable(),
  list: z.int().describe('The number of the list'),
  line: z.int(),
  state,
  result: result.nullable(),
  reason: text.nullable().describe('Why it ended without a call, or waits again'),
  attempts: z.int(),
  zones,
});

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

/** Who matches, without a page. */
export const peopleFilter = peopleQuery.omit({ after: true, limit: true }).extend({
  people: z
    .string()
    .regex(/^\d{1,5}-\d{1,10}(,\d{1,5}-\d{1,10})*$/, 'must be ids such as 1-17,1-18')
    .max(12_000, 'names too many people: choose them by a filter')
    .optional()
    .describe('Ids with commas between them: only these of them'),
});

/** A row of the table of people; calls are summed up by the one that counts. */
export const personRow = known.extend({
  cells: z.array(text).describe('In the order of `columns`'),
  sentiment: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  nextAttemptAt: moment.nullable().describe('Not called before then; null: not set'),
  lastAttemptAt: moment.nullable(),
  lastResult: result.nullable().describe('Of the last call, also while they wait for another'),
});
export type PersonRow = z.infer<typeof personRow>;

export const people = pageOf(personRow).extend({
  columns: z.array(name).describe("The lists' own columns, of all lists together"),
  total: z.int().nullable().describe('How many match; null: not known without reading them all'),
});
export type People = z.infer<typeof people>;

/** What people can be chosen by, and how many each choice has. */
export const filters = z.object({
  total: z.int(),
  lists: z.array(z.object({ number: z.int(), path: name, people: z.int() })),
  states: z.array(z.object({ state, people: z.int() })),
  results: z.array(z.object({ result, people: z.int() })),
  zones: z
    .array(
      z.object({
        key: z.string().describe('What `zone` takes for exactly these people'),
        zones: zones.describe('IANA names; none: not known'),
        people: z.int(),
      }),
    )
    .describe('The most frequent first'),
});
export type Filters = z.infer<typeof filters>;

/** What keeps somebody from being called. */
const hold = z.object({
  by: z.string().describe('A rule, or a key of the campaign file'),
  why: text,
  until: moment.nullable().describe('Null: until somebody changes something'),
});
const span = hold.pick({ until: true }).extend({ from: moment });

export const person = known.extend({
  campaign: name,
  simulated: z.boolean(),
  timezone: z.string().describe('Of the campaign'),
  furtherNumbers: z.array(phone).describe('In the order in which they are tried'),
  listPath: name.nullable(),
  cells: z.array(z.object({ column: name, value: text })),
  number: z
    .object({ column: name, cell: text, mended: text.nullable() })
    .nullable()
    .describe('The cell that was read as `phone`, and what was changed in it to read it'),
  regions: z.array(z.string()).describe('ISO 3166 codes of the places whose rules hold'),
  zoneEvidence: z
    .array(z.object({ source: z.string(), text, zones, regions: z.array(z.string()) }))
    .describe('What says where they are, the best first'),
  zonesDisagree: z.boolean().describe('List and number mean different zones'),
  suppressed: z
    .array(z.object({ phone, why: text }))
    .describe('Those of their numbers that nobody may call'),
  why: z.array(text).describe('Why they are not called now, as clauses; the first decides'),
  next: z
    .object({
      at: moment.nullable().describe('Not called before; null: never as things are'),
      by: z.string().nullable().describe('The rule or setting that decides about `at`'),
      after: text.nullable().describe('What has to happen first'),
      holds: z.array(hold),
      text: text.describe('All of it, as a clause'),
    })
    .nullable()
    .describe('When they may be called; null: never again in this campaign'),
  over: z.boolean().describe('Nobody calls them in this campaign any more'),
  story: z.array(z.object({ at: moment, text })).describe('All that happened, the oldest first'),
  calls: z.array(call).describe('The first one first'),
  deliveries: z.array(delivery),
  holds: z.array(hold.extend({ at: moment })).describe('When a cap or a gap kept them waiting'),
  closed: z
    .array(
      hold.pick({ by: true, why: true }).extend({
        times: z.int(),
        first: span,
        last: span,
        changedAt: moment.nullable().describe('These are the hours since then, not those before'),
      }),
    )
    .describe('When their calling hours were closed while they waited'),
  history: z.array(historyEntry).describe('What was done to them and to the campaign'),
  notRetried: text
    .nullable()
    .describe('Why a retry would not take them, as a clause; null: it would, or they are not done'),
  can: z
    .object({
      ...{ cancel: z.boolean(), undoCancel: z.boolean() },
      ...{ suppress: z.boolean(), retry: z.boolean() },
    })
    .describe('What an operator may do now'),
});
export type Person = z.infer<typeof person>;

export const foundPerson = person.extend({
  by: z.enum(['number', 'call', 'cell', 'line', 'part']).describe('What of them was found'),
});
export type FoundPerson = z.infer<typeof foundPerson>;

/** One person in all campaigns of one database. */
export const explained = z.object({
  phone,
  askedFor: z
    .object({ phone, ordinal: z.int() })
    .nullable()
    .describe('The number that was asked for, if it is their second, third ...'),
  alsoOf: z.array(phone).describe('Others who have that number as a further one'),
  suppressed: person.shape.suppressed,
  suppression: z
    .array(suppressionEntry.extend({ action: z.enum(['add', 'remove']) }))
    .describe('What was done about any of their numbers, the oldest first'),
  campaigns: z.array(person).describe('The next to call them first'),
});
export type Explained = z.infer<typeof explained>;
