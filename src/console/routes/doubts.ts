import { z } from 'zod';

import { lookUpDoubt, settleOne } from '../../app/resolve/look-up.ts';
import { listDoubts } from '../../app/resolve/resolve.ts';
import { doubts, likelyCall, settledDoubts } from '../../views/calls.ts';
import { done } from '../../views/fields.ts';
import { answers, campaignParams, type Api } from './api.ts';
import { worldOf, type Desk } from '../desk.ts';

const doubtParams = campaignParams.extend({ attempt: z.string().min(1).max(200) });
const note = z.string().trim().min(1).max(1_000).describe('The reason, for the history');

/** `not_placed` lets the person be called again, so for a live service it has to be `confirmed`. */
const settleDoubt = z.discriminatedUnion('as', [
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

const tags = ['Doubts'];

/** Calls that were perhaps made. Nothing is dialled. */
export function doubtRoutes(api: Api, desk: Desk): void {
  const { db, services } = desk.files;

  api.get(
    '/api/v1/campaigns/:campaign/doubts',
    {
      schema: {
        tags,
        operationId: 'listDoubts',
        summary: 'The calls in doubt, the oldest first',
        params: campaignParams,
        response: answers({ 200: doubts }),
      },
    },
    async ({ params, identity }) => {
      const { world } = worldOf(desk, identity);
      return (await listDoubts({ ...params, db }, world)).doubts;
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/doubts/:attempt/look',
    {
      schema: {
        tags,
        operationId: 'lookUpDoubt',
        summary: 'Ask the service what it knows of the call; nothing is changed',
        params: doubtParams,
        body: z.object({}),
        response: answers({ 200: done.extend({ calls: z.array(likelyCall) }) }),
      },
    },
    async ({ params, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const calls = await lookUpDoubt({ ...params, db, services }, world);
      return { messages, calls };
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/doubts/:attempt',
    {
      schema: {
        tags,
        operationId: 'settleDoubt',
        summary: 'Say what is known of the call: it was made, it was not, or nobody can tell',
        params: doubtParams,
        body: settleDoubt,
        response: answers({ 200: done.extend(settledDoubts.shape) }),
      },
      config: { does: 'doubt.settled' },
    },
    async ({ params, body, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const { note = null } = body;
      const settled = await settleOne(
        {
          ...{ ...params, db, services, note },
          settle: body.as === 'placed' ? body : { as: body.as },
          yes: body.as === 'not_placed' && body.confirmed,
        },
        world,
      );
      return { messages, ...settled };
    },
  );
}
