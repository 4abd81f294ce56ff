import { z } from 'zod';
import { ATTEMPT_STATES } from '../domain/attempt.ts';
import { LEAD_RESULTS, LEAD_STATES, RESULT_SOURCES } from '../domain/lead.ts';
import { RESOLUTIONS } from '../domain/resolution.ts';
import { DELIVERY_STATES } from '../domain/same-call.ts';
import { marked, moment, money, name, pageOf, personId, phone, said, text } from './fields.ts';

const result = z.enum(LEAD_RESULTS).nullable();
const resultSource = z.enum(RESULT_SOURCES).nullable();

/** What the service extracted or captured, under its own names. */
const fields = z.record(z.string(), z.unknown());

const allowance = z.object({
  clocks: z.record(z.string(), z.string()).describe('The local time by zone'),
  regions: z.array(z.string()),
  rules: z.record(z.string(), z.string()),
  caps: z.array(z.object({ by: z.string(), made: z.int(), calls: z.int(), perMs: z.int() })),
  list: name,
  line: z.int(),
  consent: z
    .array(z.object({ column: text, value: text }))
    .describe('The cells by which the person may be called'),
  registries: z
    .array(z.object({ file: name, day: z.string() }))
    .describe('Files of suppressed numbers that were asked, and the day that each is of'),
  approved: z.object({ who: z.string(), at: z.string() }).nullable(),
});

const turn = z.object({ speaker: z.enum(['agent', 'person', 'other']), text: z.string() });

/** One call of a person, or an attempt that made none. */
export const call = z.object({
  id: z.string().describe('Of the attempt'),
  ordinal: z.int().describe('1 for the first that counts'),
  phone: phone.describe('The number that was dialled, perhaps another one of theirs'),
  state: z.enum(ATTEMPT_STATES),
  result: result.describe('Null while the attempt is open, or if it made no call'),
  resultSource,
  resolution: z.enum(RESOLUTIONS).nullable().describe('How a person settled it while in doubt'),
  intentAt: moment,
  endedAt: moment.nullable(),
  settledAt: moment.nullable(),
  night: z.string().nullable().describe('The date of its night, e.g. 2026-01-05'),
  callId: z.string().nullable(),
  service: z.string(),
  agent: z.string(),
  durationSeconds: z.number().nullable(),
  sentiment: z.object({ label: z.string().nullable(), score: z.number().nullable() }).nullable(),
  cost: money.nullable(),
  outcome: text.nullable().describe("The service's own word for how the call ended"),
  detail: text.nullable(),
  summary: said,
  transcript: said,
  turns: marked('said', z.array(turn).nullable()).describe('The transcript by speaker'),
  refusal: said.describe('The words in which the person refused further calls'),
  recordingUrl: said.describe('Only http and https addresses'),
  capturedLeads: marked('said', z.array(fields).nullable()),
  extracted: marked('said', fields.nullable()),
  raw: marked('said', z.unknown()).describe("The service's own answer, unchanged"),
  unreadable: said.describe('The last answer that could not be read'),
  evidence: allowance
    .extend({ again: z.array(allowance.extend({ at: z.string() })).optional() })
    .nullable()
    .describe('Why the call was allowed, as known when it was dialled'),
});
export type Call = z.infer<typeof call>;

/** A person with one of their calls, the last one or one that has just ended. */
export const calledPerson = z.object({
  phone,
  name: text.nullable(),
  list: z.int().describe('The number of the list'),
  line: z.int(),
  zones: z.array(z.string()),
  state: z.enum(LEAD_STATES),
  result,
  resultSource,
  reason: text.nullable(),
  call: call.nullable(),
});
export type CalledPerson = z.infer<typeof calledPerson>;

const refusal = text.nullable();

/** A call that may or may not have been made. */
export const doubt = z.object({
  attempt: z.string().describe('Names it in the addresses'),
  person: personId,
  phone,
  name: text.nullable(),
  list: z.int().describe('The number of the list'),
  listPath: name.nullable(),
  line: z.int(),
  state: z.enum(ATTEMPT_STATES),
  service: z.string(),
  externalId: z.string().describe('Was sent with the call'),
  callId: z.string().nullable(),
  sentAt: moment,
  heldUntil: moment.describe('Its slot is held until then: the call may still be on the line'),
  answered2xx: z.boolean().describe('The service took the call'),
  whatFailed: text.nullable(),
  refusals: z
    .object({ placed: refusal, not_placed: refusal, unconfirmed: refusal })
    .describe('Why it cannot be settled in a way now, as a clause; null: it can'),
});
export type Doubt = z.infer<typeof doubt>;

export const doubts = pageOf(doubt).extend({
  about: text.nullable().describe('What to look for, and where; null: no call is in doubt'),
  needsYes: z.boolean().describe('Real people: to settle calls as not made has to be confirmed'),
});
export type Doubts = z.infer<typeof doubts>;

const settled = doubt
  .pick({ attempt: true, line: true, phone: true })
  .extend({ as: z.enum(RESOLUTIONS) });

/** How calls in doubt were settled. */
export const settledDoubts = z.object({
  settled: z.array(settled),
  refused: z
    .array(settled.extend({ line: z.int().nullable(), phone: phone.nullable(), why: text }))
    .describe('Line and number are null of a call that was over before'),
  undecided: z.int().describe("Those that the service's log does not decide"),
  stillInDoubt: z.int(),
});
export type SettledDoubts = z.infer<typeof settledDoubts>;

/** A call that the service knows and that may be the one in doubt. */
export const likelyCall = z.object({
  callId: z.string(),
  startedAt: moment.nullable(),
  byKey: z.boolean().describe('It bears the external id of the call in doubt, so it is it'),
});
export type LikelyCall = z.infer<typeof likelyCall>;

export const deliveryState = z.enum(DELIVERY_STATES);

/** What a service has sent by webhook. Type and reason may quote it. */
export const delivery = z.object({
  id: z.string(),
  service: z.string(),
  key: text.describe('Its name at the service, or a hash of its body'),
  receivedAt: moment,
  times: z.int().describe('How often the service has sent it'),
  signed: z.boolean(),
  type: text.nullable(),
  state: deliveryState,
  reason: text.nullable().describe('Why it has this state'),
  callId: z.string().nullable(),
  attempt: z.string().nullable().describe('The id of the attempt that it is about'),
  phone: phone.nullable().describe('The number that was dialled'),
  name: text.nullable().describe('Of the person'),
  campaign: name.nullable(),
  bodyDropped: z.boolean().describe('Headers and body were deleted, long after processing'),
});
export type Delivery = z.infer<typeof delivery>;

export const deliveries = pageOf(delivery).extend({
  counts: z
    .array(z.object({ service: z.string(), state: deliveryState, count: z.int() }))
    .describe('All deliveries by service and state, whatever the filter is'),
});
export type Deliveries = z.infer<typeof deliveries>;

export const deliveryDetail = delivery.extend({
  headers: marked('said', z.record(z.string(), z.string()).nullable()).describe(
    'Secrets are left out: `(hidden)`',
  ),
  body: said.describe('As it came; null also after it was deleted'),
  whyDropped: z.string().nullable().describe('Why the body was deleted, as a sentence'),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const replayed = z.object({
  count: z.int().describe('How many were processed again'),
  delivery: delivery.nullable().describe('The one that was asked for, as it is now'),
});
export type Replayed = z.infer<typeof replayed>;
