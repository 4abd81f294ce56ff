import { z } from 'zod';

import { listDoubts, lookUpDoubt, settleOne, type DoubtView } from '../../app/resolve/look-up.ts';
import { answers, shownTo, type Api, type Shown } from './api.ts';
import { campaignParams } from '../contract/common.ts';
import {
  doubtParams,
  doubts,
  lookedUp,
  settledDoubt,
  settleDoubt,
  type Doubt,
} from '../contract/doubts.ts';
import { worldOf, type Desk } from '../desk.ts';

const tags = ['Doubts'];

/** Calls of which it is not known whether they were made. Nothing is dialled. */
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
      const found = await listDoubts({ ...params, db }, worldOf(desk, identity).world);
      const show = shownTo(identity);
      const items = found.doubts.map((doubt) => doubtBody(doubt, show));
      return { items, next: null, about: found.about === null ? null : show.text(found.about) };
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
        response: answers({ 200: lookedUp }),
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
        response: answers({ 200: settledDoubt }),
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

/** A call in doubt, as somebody may see it. */
function doubtBody(doubt: DoubtView, { phone, text, name: file }: Shown): Doubt {
  const { attemptId, list, line, state, service, key, callId, accepted, refusals } = doubt;
  return {
    attempt: attemptId,
    person: `${list}-${line}`,
    phone: phone(doubt.phone),
    name: doubt.name === null ? null : text(doubt.name),
    list: doubt.listPath === null ? null : file(doubt.listPath),
    ...{ line, state, service, key, callId, refusals },
    sentAt: doubt.intentAt,
    heldUntil: doubt.holdsUntil,
    answered2xx: accepted,
    whatFailed: doubt.detail === null ? null : text(doubt.detail),
  };
}
