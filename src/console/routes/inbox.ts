import { browseInbox, findDelivery, replayDeliveries } from '../../app/webhooks/inbox.ts';
import { deliveryBody, deliveryDetail } from '../answers/inbox.ts';
import { idParams } from '../contract/common.ts';
import {
  deliveryDetail as detailBody,
  inboxPage,
  inboxQuery,
  replayAll,
  replayed,
  replayedOne,
} from '../contract/inbox.ts';
import { worldOf, type Desk } from '../desk.ts';
import { answers, type Api } from './api.ts';

const tags = ['Inbox'];

/** What services have sent by webhook, and what became of it. */
export function inboxRoutes(api: Api, desk: Desk): void {
  const { files } = desk;

  api.get(
    '/api/v1/inbox',
    {
      schema: {
        tags,
        operationId: 'listDeliveries',
        summary: 'Deliveries, the newest first',
        querystring: inboxQuery,
        response: answers({ 200: inboxPage }),
      },
    },
    async ({ query, identity }) => {
      const { state = null, service = null, after = null, limit } = query;
      const request = { db: files.db, state, service, after, limit };
      const { deliveries, next, counts } = await browseInbox(request, desk.world);
      return { items: deliveries.map((each) => deliveryBody(each, identity)), next, counts };
    },
  );

  api.get(
    '/api/v1/inbox/:id',
    {
      schema: {
        tags,
        operationId: 'getDelivery',
        summary: 'One delivery with its headers and its body',
        params: idParams,
        response: answers({ 200: detailBody }),
      },
    },
    async ({ params, identity }) =>
      deliveryDetail(await findDelivery({ ...params, db: files.db }, desk.world), identity),
  );

  api.post(
    '/api/v1/inbox/:id/replay',
    {
      schema: {
        tags,
        operationId: 'replayDelivery',
        summary: 'Look at one delivery again, e.g. after the profile was mended',
        params: idParams,
        response: answers({ 200: replayedOne }),
      },
      config: { does: 'delivery.replayed' },
    },
    async ({ params, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      await replayDeliveries({ ...files, ...params, state: undefined }, world);
      const now = await findDelivery({ ...params, db: files.db }, world);
      return { messages, delivery: deliveryBody(now, identity) };
    },
  );

  api.post(
    '/api/v1/inbox/replay',
    {
      schema: {
        tags,
        operationId: 'replayDeliveries',
        summary: 'Look at all deliveries in one state again',
        body: replayAll,
        response: answers({ 200: replayed }),
      },
      config: { does: 'deliveries.replayed' },
    },
    async ({ body, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const { count } = await replayDeliveries({ ...files, ...body, id: undefined }, world);
      return { messages, count };
    },
  );
}
