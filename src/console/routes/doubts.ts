import { z } from 'zod';

import { findSent, removeUpload } from '../../app/lists/uploads.ts';
import { lookUpDoubt } from '../../app/resolve/look-up.ts';
import { listDoubts, resolveDoubts } from '../../app/resolve/resolve.ts';
import { nextLines, settledLines } from '../../app/sentences/resolve-lines.ts';
import { doubts, likelyCall, settledDoubts } from '../../views/calls.ts';
import { done } from '../../views/fields.ts';
import { job } from '../../views/jobs.ts';
import { campaignParams, routesOf, type Api } from './api.ts';
import type { Desk } from '../desk.ts';

const doubtParams = campaignParams.extend({ attempt: z.string().min(1).max(200) });
const note = z.string().trim().min(1).max(1_000).describe('The reason, for the history');

const attempts = z.array(z.string().min(1).max(200)).min(1).max(50_000);

/** `not_placed` lets people be called again, so for a live service their count has to be `confirmed`. */
const settling = z.discriminatedUnion('as', [
  z.object({
    as: z.literal('placed'),
    attempts: attempts.length(1, 'a call id belongs to one call'),
    callId: z.string().trim().min(1).max(500).describe("The service's id of the call"),
    note: note.optional(),
  }),
  z.object({
    as: z.literal('not_placed'),
    attempts,
    note: note.optional(),
    confirmed: z.int().min(0).default(0).describe('Most people who may be called a second time'),
  }),
  z.object({ as: z.literal('unconfirmed'), attempts, note }),
]);

const route = routesOf('Doubts');

/** Calls that were perhaps made. Nothing is dialled. */
export function doubtRoutes(api: Api, desk: Desk): void {
  const { db, services } = desk.files;

  route.get(api, '/api/v1/campaigns/:campaign/doubts', {
    operationId: 'listDoubts',
    summary: 'The calls in doubt, the oldest first',
    params: campaignParams,
    answers: { 200: doubts },
    handler: async ({ params, world }) => {
      return (await listDoubts({ ...params, db, services }, world)).doubts;
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/doubts/:attempt/look', {
    operationId: 'lookUpDoubt',
    summary: 'Ask the service what it knows of the call; nothing is changed',
    params: doubtParams,
    body: z.object({}),
    answers: { 200: done.extend({ calls: z.array(likelyCall) }) },
    handler: async ({ params, world, messages }) => {
      const calls = await lookUpDoubt({ ...params, db, services }, world);
      return { messages, calls };
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/doubts', {
    operationId: 'settleDoubts',
    summary: 'Say what is known of calls: they were made, they were not, or nobody can tell',
    params: campaignParams,
    body: settling,
    answers: { 200: done.extend(settledDoubts.shape) },
    does: 'doubt.settled',
    handler: async ({ params, body: { attempts, note = null, ...body }, world, messages }) => {
      const { campaign, report } = await resolveDoubts(
        {
          ...{ ...params, db, services, note },
          settle: { which: { attempts }, as: body.as === 'placed' ? body : { as: body.as } },
          yes: body.as === 'not_placed' ? body.confirmed : false,
        },
        // The count stands for what somebody has typed.
        { ...world, attended: true },
      );
      for (const line of nextLines(report, campaign)) world.tell(line);
      return { messages, ...report };
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/call-log', {
    operationId: 'settleByLog',
    summary: "Find calls in doubt in the service's own call log: a job, which asks first",
    params: campaignParams,
    body: z.object({
      upload: z.string().min(1).max(200).describe('The id of an upload: CSV'),
      yes: z.boolean().default(false).describe('What it finds is settled, and nothing asked'),
    }),
    answers: { 202: job },
    does: 'doubts.looked',
    handler: async ({ params, body: { upload, yes }, identity }) => {
      const { path: from, name: sentAs } = await findSent(desk.access, upload, desk.world);
      const order = { kind: 'doubts', about: params.campaign, who: identity.who } as const;
      const request = { ...params, db, services, note: null, yes, settle: { from, sentAs } };
      return desk.jobs.start(order, async (world) => {
        try {
          const { campaign, report } = await resolveDoubts(request, world);
          // What the log has was told before the question.
          const lines = settledLines(report, campaign).slice(report.settled.length);
          for (const line of lines) world.tell(line);
          return report;
        } finally {
          // Somebody may have deleted it meanwhile.
          await removeUpload(desk.access, upload).catch(world.keepStack);
        }
      });
    },
  });
}
