import { z } from 'zod';
import { RESOLUTIONS } from '../../domain/resolution.ts';
import { campaignParams, done, pageOf } from './common.ts';

export const doubtParams = campaignParams.extend({ attempt: z.string().min(1).max(200) });

/** A call of which it is not known whether it was made. */
export const doubt = z.object({
  attempt: z.string().describe('Names it in the addresses'),
  person: z.string().describe('LIST-LINE, as in the addresses of people'),
  phone: z.string(),
  name: z.string().nullable(),
  list: z.string().nullable().describe('Path of the list'),
  line: z.int(),
  state: z.string(),
  service: z.string(),
  key: z.string().describe('The external id that was sent with the call'),
  callId: z.string().nullable(),
  sentAt: z.int(),
  heldUntil: z.int().describe('Its slot is held until then: the call may still be on the line'),
  answered2xx: z.boolean().describe('The service took the call'),
  whatFailed: z.string().nullable(),
  refusals: z
    .object({
      placed: z.string().nullable(),
      not_placed: z.string().nullable(),
      unconfirmed: z.string().nullable(),
    })
    .describe('Why it cannot be settled in a way now, as a clause; null: it can'),
});
export type Doubt = z.infer<typeof doubt>;

export const doubts = pageOf(doubt).extend({
  about: z.string().nullable().describe('What to look for, and where; null: no call is in doubt'),
});

const note = z.string().trim().min(1).max(1_000).describe('The reason, for the history');

/** `not_placed` lets the person be called again, so for a live service it has to be `confirmed`. */
export const settleDoubt = z.discriminatedUnion('as', [
  z.object({
    as: z.literal('placed'),
    callId: z.string().trim().min(1).max(500).describe("The service's id of the call"),
    note: note.optional(),
  }),
  z.object({
    as: z.literal('not_placed'),
    note: note.optional(),
    confirmed: z.boolean().default(false).describe('They may be called a second time'),
  }),
  z.object({ as: z.literal('unconfirmed'), note }),
]);

export const settledDoubt = done.extend({
  as: z.enum(RESOLUTIONS),
  stillInDoubt: z.int(),
});

/** What the service knows of a call in doubt. Nothing is changed by asking. */
export const lookedUp = done.extend({
  calls: z
    .array(
      z.object({
        callId: z.string(),
        startedAt: z.int().nullable(),
        byKey: z.boolean().describe('It bears the key of the call in doubt, so it is that call'),
      }),
    )
    .describe('Calls that may be it'),
});
