import { z } from 'zod';
import { ATTEMPT_STATES } from '../domain/attempt.ts';
import { RESOLUTIONS } from '../domain/resolution.ts';
import { moment, name, pageOf, phone, text } from './fields.ts';
import { personId } from './people.ts';

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
});
export type Doubts = z.infer<typeof doubts>;

const settled = doubt
  .pick({ attempt: true, line: true, phone: true })
  .extend({ as: z.enum(RESOLUTIONS) });

/** How calls in doubt were settled. */
export const settledDoubts = z.object({
  settled: z.array(settled),
  refused: z.array(settled.extend({ why: text })),
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
