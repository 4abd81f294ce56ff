import { z } from 'zod';
import { browseInbox, findDelivery, replayDeliveries } from '../../app/webhooks/inbox.ts';
import { deliveries, deliveryDetail, deliveryState, replayed } from '../../views/calls.ts';
import { done } from '../../views/fields.ts';
import { idParams, pageQuery, routesOf, type Api } from './api.ts';
import type { Desk } from '../desk.ts';

const inboxQuery = pageQuery.extend({
  service: z.string().max(200).optional(),
  state: deliveryState.optional(),
});
const replayedNow = done.extend(replayed.shape);

const route = routesOf('Inbox');

/** What services have sent by webhook, and its state. */
export function inboxRoutes(api: Api, desk: Desk): void {
  const { files } = desk;

  route.get(api, '/api/v1/inbox', {
    operationId: 'listDeliveries',
    summary: 'Deliveries, the newest first',
    querystring: inboxQuery,
    answers: { 200: deliveries },
    handler: ({ query: { state = null, service = null, after = null, limit } }) =>
      browseInbox({ db: files.db, state, service, after, limit }, desk.world),
  });

  route.get(api, '/api/v1/inbox/:id', {
    operationId: 'getDelivery',
    summary: 'One delivery with its headers and its body',
    params: idParams,
    answers: { 200: deliveryDetail },
    handler: ({ params }) => findDelivery({ ...params, db: files.db }, desk.world),
  });

  route.post(api, '/api/v1/inbox/:id/replay', {
    operationId: 'replayDelivery',
    summary: 'Look at one delivery again, e.g. after the profile was mended',
    params: idParams,
    answers: { 200: replayedNow },
    does: 'delivery.replayed',
    handler: async ({ params, world, messages }) => {
      const request = { ...files, ...params, state: undefined };
      return { messages, ...(await replayDeliveries(request, world)) };
    },
  });

  route.post(api, '/api/v1/inbox/replay', {
    operationId: 'replayDeliveries',
    summary: 'Look at all deliveries in one state again',
    body: z.object({ state: deliveryState }),
    answers: { 200: replayedNow },
    does: 'deliveries.replayed',
    handler: async ({ body, world, messages }) => {
      const request = { ...files, ...body, id: undefined };
      return { messages, ...(await replayDeliveries(request, world)) };
    },
  });
}
