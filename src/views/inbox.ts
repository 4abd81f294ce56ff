import { z } from 'zod';
import { DELIVERY_STATES } from '../domain/same-call.ts';
import { marked, moment, name, pageOf, phone, said, text } from './fields.ts';

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
