import {
  browseInbox,
  findDelivery,
  replayDeliveries,
  whyDropped,
} from '../../app/webhooks/inbox.ts';
import type { KeptDelivery } from '../../store/deliveries.ts';
import { answers, shownTo, type Api } from './api.ts';
import { idParams } from '../contract/common.ts';
import {
  deliveryDetail as detailBody,
  inboxPage,
  inboxQuery,
  replayAll,
  replayed,
  replayedOne,
  type Delivery,
  type DeliveryDetail,
} from '../contract/inbox.ts';
import { worldOf, type Desk } from '../desk.ts';

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

interface Reader {
  transcripts: boolean;
}

/** A delivery in short. Its type and its reason may quote what the service has sent. */
function deliveryBody(kept: KeptDelivery, reader: Reader): Delivery {
  const { id, service, receivedAt, times, signed, state, callId, campaign, bodyDropped } = kept;
  const { type, reason, phone } = kept;
  const show = shownTo(reader);
  const shown = (text: string | null) => (text === null ? null : show.text(text));
  return {
    id,
    service,
    receivedAt,
    times,
    signed,
    type: shown(type),
    state,
    reason: shown(reason),
    callId,
    phone: phone === null ? null : show.phone(phone),
    campaign,
    bodyDropped,
  };
}

/** One delivery in full, for who may read what was said. */
function deliveryDetail(kept: KeptDelivery & { body: Uint8Array }, reader: Reader): DeliveryDetail {
  const whole = reader.transcripts;
  const isThere = whole && !kept.bodyDropped;
  return {
    ...deliveryBody(kept, reader),
    key: shownTo(reader).text(kept.key),
    headers: whole ? withoutSecrets(kept.headers) : {},
    body: isThere ? Buffer.from(kept.body).toString('utf8') : null,
    bodyWhy: isThere ? null : whole ? `Dropped: ${whyDropped(kept.state)}.` : NOT_SHOWN,
  };
}

const NOT_SHOWN = 'Shown to those who may read what was said in calls.';

/** The inbox keeps few headers, with known secrets masked; what only looks like one is hidden as well. */
function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? '(hidden)' : value]),
  );
}

const SECRET = /auth|cookie|secret|token|api-?key|password|signature/i;
