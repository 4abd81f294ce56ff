import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  addLists,
  changeReading,
  createDraft,
  removeDraft,
  removeList,
} from '../../app/campaigns/drafts.ts';
import { lookAtSent } from '../../app/lists/look.ts';
import { rejectsOfSent, surveySent } from '../../app/lists/survey-sent.ts';
import { withCampaign } from '../../app/places/databases.ts';
import { importInto, planCampaign } from '../../app/plan/import-into.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Desk } from '../desk.ts';
import { done, name } from '../../views/fields.ts';
import { job, type JobResult } from '../../views/jobs.ts';
import { reading, sentLists } from '../../views/lists.ts';
import { campaignParams, file, ifVersion, routesOf, type Api } from './api.ts';

const ids = z.array(z.string().max(200)).min(1).max(100).describe('Ids of uploads, in their order');
const listParams = campaignParams.extend({ list: z.string().min(1).max(200) });
/** What is left out stays; `columns` is replaced as a whole. */
const newReading = reading.partial().extend({ ifVersion });
const changedLists = done.extend({
  campaign: z.object({ name, version: z.int() }),
});
/** Of requests without a body. */
const lookedAt = z.object({ ifVersion: z.coerce.number().int().min(1).optional() });

const route = routesOf('New campaigns');

/** A campaign before its first call: its lists are sent, read, looked through, planned and imported. */
export function draftRoutes(api: Api, desk: Desk): void {
  const { access, files, jobs } = desk;
  const { db } = files;
  const refuseStarting = (campaign: string) => {
    if (jobs.isBusy('call', campaign) || jobs.isBusy('import', campaign))
      throw usageError(
        'DRAFT_STARTING',
        `The lists of campaign "${campaign}" are being imported.`,
        'wait until they are in, or stop it',
      );
  };
  const changed = { 200: changedLists };
  /** A change of the lists of one campaign. */
  const changing = async <R extends { campaign: string }>(
    { world, messages }: Pick<FastifyRequest, 'world' | 'messages'>,
    params: R,
    change: (request: R & { db: string | undefined }, world: Desk['world']) => Promise<number>,
  ) => {
    // The import takes the lists that were there when it began.
    refuseStarting(params.campaign);
    const version = await change({ ...params, db }, world);
    return { messages, campaign: { name: params.campaign, version } };
  };

  route.post(api, '/api/v1/campaigns', {
    operationId: 'createCampaign',
    summary: 'Begin a campaign with lists that were sent; it is a draft, named after the first',
    body: z.object({ uploads: ids }),
    answers: { 201: z.object({ name: z.string() }) },
    does: 'campaign.begun',
    handler: async (request) => {
      const name = await createDraft(access, { ...request.body, db }, request.world);
      request.about = name;
      return { name };
    },
  });
  route.delete(api, '/api/v1/campaigns/:campaign', {
    operationId: 'removeDraft',
    summary: 'Give up a draft that has no people yet: its lists are deleted',
    params: campaignParams,
    querystring: lookedAt,
    answers: { 200: done },
    does: 'draft.removed',
    handler: async ({ params, query, world, messages }) => {
      refuseStarting(params.campaign);
      await removeDraft({ ...params, ...query, db }, world);
      return { messages };
    },
  });
  route.post(api, '/api/v1/campaigns/:campaign/lists', {
    operationId: 'addLists',
    summary: 'Give a draft further lists that were sent',
    params: campaignParams,
    body: z.object({ ifVersion, uploads: ids }),
    answers: changed,
    handler: (request) =>
      changing(request, { ...request.params, ...request.body }, (given, world) =>
        addLists(access, given, world),
      ),
  });
  route.patch(api, '/api/v1/campaigns/:campaign/lists/:list', {
    operationId: 'changeReading',
    summary: 'Choose how a list is read that is not imported yet',
    params: listParams,
    body: newReading,
    answers: changed,
    handler: (request) => {
      const { ifVersion: version, ...given } = request.body;
      const entries = Object.entries(given).filter(([, value]) => value !== undefined);
      const reading = Object.fromEntries(entries);
      return changing(request, { ...request.params, ifVersion: version, reading }, changeReading);
    },
  });
  route.delete(api, '/api/v1/campaigns/:campaign/lists/:list', {
    operationId: 'removeList',
    summary: 'Take a list out that is not imported yet; its file is deleted',
    params: listParams,
    querystring: lookedAt,
    answers: changed,
    handler: (request) => changing(request, { ...request.params, ...request.query }, removeList),
  });
  route.get(api, '/api/v1/campaigns/:campaign/lists/sent', {
    operationId: 'getSentLists',
    summary: 'The lists that are not imported yet: what each column is taken for, with samples',
    params: campaignParams,
    answers: { 200: sentLists },
    role: 'operator',
    handler: async ({ params }) => {
      const lists = await withCampaign({ ...params, db }, desk.world, 'read', (open) =>
        open.store.lists(open.campaign.id),
      );
      return lookAtSent(lists, desk.world);
    },
  });
  route.get(api, '/api/v1/campaigns/:campaign/rejects', {
    operationId: 'getRejects',
    summary: 'The rows of one list that would not be taken, as CSV with line and reason',
    params: campaignParams,
    querystring: z.object({ list: z.string().min(1).max(1_000).describe('Its name') }),
    answers: { 200: file('text/csv') },
    role: 'operator',
    handler: async ({ params, query, world }, reply) => {
      const path = await rejectsOfSent(named(params.campaign), query.list, world);
      if (path === null)
        throw usageError(
          'REJECTS_MISSING',
          'Every row of this list is taken: there is nothing to mend.',
          'go on with the settings',
        );
      const name = basename(path).replaceAll(/[^\w.-]/g, '_');
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('text/csv; charset=utf-8')
        .send(createReadStream(path));
    },
  });

  /** An address names a campaign, never a list or a campaign file on this machine. */
  const named = (list: string) => ({ ...files, list, byName: true });
  /** What takes long, and begins nothing. */
  const looking = <K extends 'survey' | 'plan'>(
    what: K,
    summary: string,
    work: (request: ReturnType<typeof named>, world: Desk['world']) => Promise<JobResult<K>>,
  ) =>
    route.post(api, `/api/v1/campaigns/:campaign/${what}`, {
      ...{ params: campaignParams, body: z.object({}), summary },
      operationId: `${what}Campaign`,
      answers: { 202: job },
      handler: ({ params: { campaign }, identity: { who } }) => {
        return jobs.start({ kind: what, about: campaign, who }, (world) =>
          work(named(campaign), world),
        );
      },
    });
  looking(
    'survey',
    'Read the lists that are not imported yet: how many rows are taken, which not and why',
    surveySent,
  );
  looking('plan', 'Who would be called now, later and never, and how long it takes', planCampaign);
  route.post(api, '/api/v1/campaigns/:campaign/import', {
    operationId: 'importLists',
    summary: 'Import its lists that are not imported yet; nobody is called',
    params: campaignParams,
    body: z.object({
      again: z
        .boolean()
        .default(false)
        .describe('A list that another campaign has called is taken'),
    }),
    answers: { 202: job },
    does: 'list.imported',
    handler: ({ params: { campaign }, body: { again }, identity: { who } }) => {
      refuseStarting(campaign);
      const order = { ...named(campaign), lists: [], again, yes: false, sync: false };
      return jobs.start({ kind: 'import', about: campaign, who }, (world) =>
        importInto(order, world),
      );
    },
  });
}
