import { z } from 'zod';
import { listDoubts } from '../../app/resolve/list-doubts.ts';
import { lookUpDoubt } from '../../app/resolve/look-up.ts';
import { settleOne } from '../../app/resolve/settle-one.ts';
import { doubtBody } from '../answers/doubts.ts';
import { shownTo } from '../answers/shown.ts';
import { campaignParams } from '../contract/common.ts';
import { doubtParams, doubts, lookedUp, settledDoubt, settleDoubt } from '../contract/doubts.ts';
import { worldOf, type Desk } from '../desk.ts';
import { answers, type Api } from './api.ts';

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
