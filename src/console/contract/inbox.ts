import { z } from 'zod';
import { DELIVERY_STATES } from '../../store/deliveries.ts';
import { done, pageOf, pageQuery } from './common.ts';

export const deliveryState = z.enum(DELIVERY_STATES);

/** What a service has sent, and what became of it. */
export const delivery = z.object({
  id: z.string(),
  service: z.string(),
  receivedAt: z.int(),
  /** How often the service has sent it. */
  times: z.int(),
  signed: z.boolean(),
  type: z.string().nullable(),
  state: deliveryState,
  reason: z.string().nullable().describe('Why it has this state'),
  callId: z.string().nullable(),
  phone: z.string().nullable().describe('Masked for who may not see whole numbers'),
  campaign: z.string().nullable(),
  bodyDropped: z.boolean().describe('Headers and body were deleted, long after processing'),
});
export type Delivery = z.infer<typeof delivery>;

export const inboxQuery = pageQuery.extend({
  service: z.string().max(200).optional(),
  state: deliveryState.optional(),
});
export const inboxPage = pageOf(delivery).extend({
  counts: z
    .array(z.object({ service: z.string(), state: deliveryState, count: z.int() }))
    .describe('All deliveries by service and state, whatever the filter is'),
});
export type InboxPage = z.infer<typeof inboxPage>;

export const deliveryDetail = delivery.extend({
  key: z.string().describe('Its name at the service, or a hash of its body'),
  headers: z.record(z.string(), z.string()).describe('Secrets are left out: `(hidden)`'),
  body: z
    .string()
    .nullable()
    .describe('As it came; null: deleted, or not for who may not read what was said'),
  /** Why there is no body, as a sentence; null: there is one. */
  bodyWhy: z.string().nullable(),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const replayAll = z.object({ state: deliveryState });
export const replayed = done.extend({ count: z.int().describe('How many were looked at again') });
export type Replayed = z.infer<typeof replayed>;
export const replayedOne = done.extend({ delivery });
export type ReplayedOne = z.infer<typeof replayedOne>;
