import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { draftRequest, nameOf } from '../../app/drafts/draft-request.ts';
import { openDraft } from '../../app/drafts/draft.ts';
import { beginOwn, planDraft } from '../../app/drafts/plan-draft.ts';
import { rejectsOfUpload, surveyDraft } from '../../app/drafts/survey-draft.ts';
import { rehearse } from '../../app/rehearsal/rehearse.ts';
import { usageError } from '../../runtime/errors.ts';
import { planAnswer, surveyAnswer } from './drafts.ts';
import { rehearsalAnswer } from './campaign-jobs.ts';
import { idParams, job } from '../contract/common.ts';
import { rejectsQuery, startDraft } from '../contract/drafts.ts';
import { worldOf, type Desk } from '../desk.ts';
import { callDraft } from '../jobs/call-campaign.ts';
import { answers, type Api } from './api.ts';

const tags = ['New campaigns'];

/** What takes long with a new campaign, as jobs: its lists are read, it is planned, rehearsed and started. */
export function draftJobRoutes(api: Api, desk: Desk): void {
  const { access, files, jobs } = desk;
  const params = idParams;
  const body = z.object({});
  const response = answers({ 202: job });
  const refuseTwice = (campaign: string) => {
    if (jobs.isBusy('call', campaign) || jobs.isBusy('import', campaign))
      throw isStarting(campaign);
  };

  api.post(
    '/api/v1/drafts/:id/survey',
    {
      schema: {
        ...{ tags, params, body, response },
        operationId: 'surveyDraft',
        summary: 'Read its lists: how many rows are taken, and which not and why',
      },
    },
    async ({ params: { id }, identity: { who } }, reply) => {
      const draft = await openDraft(access, id);
      reply.code(202);
      return jobs.start({ kind: 'survey', about: id, who }, async (world) =>
        surveyAnswer(await surveyDraft(draft, files, world)),
      );
    },
  );
  api.get(
    '/api/v1/drafts/:id/rejects',
    {
      schema: {
        ...{ tags, params },
        operationId: 'getRejects',
        summary: 'The rows of one list that are not taken, as CSV with line and reason',
        querystring: rejectsQuery,
        response: answers({ 200: z.unknown().describe('text/csv') }),
      },
      config: { role: 'operator' },
    },
    async ({ params: { id }, query: { upload }, identity }, reply) => {
      const draft = await openDraft(access, id);
      const { world } = worldOf(desk, identity);
      const path = await rejectsOfUpload(access, { draft, upload }, files, world);
      if (path === null) throw nothingRejected();
      const name = basename(path).replaceAll(/[^\w.-]/g, '_');
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('text/csv; charset=utf-8')
        .send(createReadStream(path));
    },
  );
  api.post(
    '/api/v1/drafts/:id/plan',
    {
      schema: {
        ...{ tags, params, body, response },
        operationId: 'planDraft',
        summary: 'Who would be called now, later and never, and how long it takes',
      },
    },
    async ({ params: { id }, identity: { who } }, reply) => {
      const draft = await openDraft(access, id);
      reply.code(202);
      return jobs.start({ kind: 'plan', about: id, who }, async (world) =>
        planAnswer(await planDraft(draft, files, world)),
      );
    },
  );
  api.post(
    '/api/v1/drafts/:id/rehearse',
    {
      schema: {
        ...{ tags, params, body, response },
        operationId: 'rehearseDraft',
        summary: 'Play all its nights against the embedded service; nobody is called',
      },
    },
    async ({ params: { id }, identity: { who } }, reply) => {
      const draft = await openDraft(access, id);
      reply.code(202);
      return jobs.start({ kind: 'rehearse', about: id, who }, async (world) =>
        rehearsalAnswer(await rehearse(await draftRequest(draft, files, world), world)),
      );
    },
  );
  api.post(
    '/api/v1/drafts/:id/start',
    {
      schema: {
        ...{ tags, params, response },
        operationId: 'startDraft',
        summary: 'Make the campaign and call it, or only import its lists',
        body: startDraft,
      },
      config: { does: 'campaign.begun' },
    },
    async (request, reply) => {
      const { params, body: wanted, identity } = request;
      const draft = await openDraft(access, params.id);
      const about = nameOf(draft);
      request.about = about;
      refuseTwice(about);
      const campaignId = await beginOwn(access, draft, files, worldOf(desk, identity).world);
      // Another start, or the end of the draft, may have come meanwhile.
      await openDraft(access, draft.id);
      refuseTwice(about);
      reply.code(202);
      const kind = wanted.start ? 'call' : 'import';
      const order = { kind, about, who: identity.who, draft: draft.id };
      return jobs.start(order, (world, stop, show) =>
        callDraft({ draft, campaignId, ...wanted }, desk, world, stop, show),
      );
    },
  );
}

function nothingRejected() {
  return usageError(
    'REJECTS_MISSING',
    'Every row of this list is taken: there is nothing to mend.',
    'go on with the settings',
  );
}

function isStarting(campaign: string) {
  return usageError(
    'CAMPAIGN_EXISTS',
    `Campaign "${campaign}" is being started already.`,
    'look at the job, or at the campaign',
  );
}
