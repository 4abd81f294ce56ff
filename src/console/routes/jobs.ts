import { z } from 'zod';
import { answer, idParams, job } from '../contract/common.ts';
import type { Desk } from '../desk.ts';
import { answers, type Api } from './api.ts';

/** Long work: what it tells, how far it is, what it asks, and how it ended. */
export function jobRoutes(api: Api, desk: Desk): void {
  const tags = ['Jobs'];
  api.get(
    '/api/v1/jobs',
    {
      schema: {
        tags,
        operationId: 'listJobs',
        summary: 'Work in progress and what ended lately',
        response: answers({ 200: z.object({ items: z.array(job) }) }),
      },
      config: { role: 'operator' },
    },
    () => ({ items: desk.jobs.list() }),
  );
  api.get(
    '/api/v1/jobs/:id',
    {
      schema: {
        tags,
        operationId: 'getJob',
        summary: 'One job',
        params: idParams,
        response: answers({ 200: job }),
      },
      config: { role: 'operator' },
    },
    ({ params }) => desk.jobs.get(params.id),
  );
  api.post(
    '/api/v1/jobs/:id/answer',
    {
      schema: {
        tags,
        operationId: 'answerJob',
        summary: 'Answer what a job asks',
        params: idParams,
        body: answer,
        response: answers({ 200: job }),
      },
      config: { does: 'job.answered' },
    },
    ({ params, body }) => desk.jobs.answer(params.id, body.question, body.answer),
  );
  api.post(
    '/api/v1/jobs/:id/stop',
    {
      schema: {
        tags,
        operationId: 'stopJob',
        summary: 'End a job: mildly the first time, at once the second time',
        params: idParams,
        response: answers({ 200: job }),
      },
      config: { does: 'job.stopped' },
    },
    ({ params }) => desk.jobs.stop(params.id),
  );
}
