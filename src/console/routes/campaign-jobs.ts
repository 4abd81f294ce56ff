import { z } from 'zod';

import { resumeCampaign } from '../../app/campaigns/start-pause-resume.ts';
import { findCampaign, isServed } from '../../app/places/databases.ts';
import { rehearse } from '../../app/rehearsal/rehearse.ts';
import type { Desk } from '../desk.ts';
import { callCampaign, collectCampaign } from '../jobs/call-campaign.ts';
import { job } from '../../views/jobs.ts';
import { campaignParams, idParams, ifVersion, routesOf, type Api } from './api.ts';

const route = routesOf('Campaigns');
const asked = {
  ifVersion,
  yes: z.boolean().default(false).describe('The plan was confirmed beforehand: nothing is asked'),
  again: z
    .boolean()
    .default(false)
    .describe('A list that another campaign has called is called again'),
};

const LIMIT = 'a whole number from 1 to 1000000000 is wanted';
/** As `--limit` of `run`. */
const callLimit = z
  .int(LIMIT)
  .min(1, LIMIT)
  .max(1e9, LIMIT)
  .nullable()
  .default(null)
  .describe('Calls at most, then it stops; null: no limit');
const now = z.boolean().default(false).describe('Call at once, whatever its schedule');

const answer = z.object({
  question: z.int().describe('The id of the question that is answered'),
  answer: z.string().max(1_000).nullable().describe('What was typed; null: no'),
});

/** An address names a campaign, never a list or a campaign file on this machine. */
const named = ({ campaign }: { campaign: string }) => ({ list: campaign, byName: true });

/** What takes long with a campaign: it answers 202 with a job, which may ask what the terminal would ask. */
export function campaignJobRoutes(api: Api, desk: Desk): void {
  const files = desk.files;
  route.post(api, '/api/v1/campaigns/:campaign/start', {
    operationId: 'startCampaign',
    summary: 'Call it, at the times of its schedule: asks first where real people would be called',
    params: campaignParams,
    body: z.object({ ...asked, now, limit: callLimit }),
    answers: { 202: job },
    does: 'campaign.started',
    handler: ({ params, body, identity }) => {
      const order = { kind: 'call', about: params.campaign, who: identity.who } as const;
      const request = { ...files, ...named(params), ...body };
      return desk.jobs.start(order, (world, stop) => callCampaign(request, desk, world, stop));
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/resume', {
    operationId: 'resumeCampaign',
    summary: 'Lift a pause and go on',
    params: campaignParams,
    body: z.object(asked),
    answers: { 202: job },
    does: 'campaign.resumed',
    handler: ({ params, body, identity }) => {
      const order = { kind: 'resume', about: params.campaign, who: identity.who } as const;
      const request = { ...files, ...named(params), ...body };
      const started = desk.jobs.start(order, async (world) => {
        const served = desk.dials === 'serve' && (await isServed(request, world));
        // What was called at once before the pause goes on at the times of its schedule, as the button says.
        const found = await findCampaign(params.campaign, files, world);
        if (found?.campaign.state === 'paused' && found.campaign.settings.schedule !== undefined)
          desk.jobs.endCalls(params.campaign);
        const { campaign, changed } = await resumeCampaign({ ...request, served }, world);
        const isCalled = served || desk.jobs.calls(params.campaign);
        if (changed && !isCalled) {
          // The yes was for this version of it.
          const yes = { yes: true, ifVersion: campaign.version };
          const confirmed = { ...request, ...yes, limit: null, now: false };
          desk.jobs.start({ ...order, kind: 'call' }, (runWorld, runStop) =>
            callCampaign(confirmed, desk, runWorld, runStop),
          );
        }
        return { changed };
      });
      return started;
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/rehearse', {
    operationId: 'rehearseCampaign',
    summary: 'Play all its nights against the embedded service; nobody is called',
    params: campaignParams,
    body: z.object({}),
    answers: { 202: job },
    does: 'campaign.rehearsed',
    handler: ({ params, identity }) => {
      const order = { kind: 'rehearse', about: params.campaign, who: identity.who } as const;
      return desk.jobs.start(order, (world) => rehearse({ ...files, ...named(params) }, world));
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/collect', {
    operationId: 'collectCampaign',
    summary: 'Fetch outstanding results; nobody is called',
    params: campaignParams,
    body: z.object({}),
    answers: { 202: job },
    does: 'campaign.collected',
    handler: ({ params, identity }) => {
      const order = { kind: 'collect', about: params.campaign, who: identity.who } as const;
      return desk.jobs.start(order, (world, stop) =>
        collectCampaign({ ...files, campaign: params.campaign, all: true }, desk, world, stop),
      );
    },
  });
}

/** Long work: what it tells, how far it is, what it asks, and how it ended. */
export function jobRoutes(api: Api, desk: Desk): void {
  const route = routesOf('Jobs');
  route.get(api, '/api/v1/jobs', {
    operationId: 'listJobs',
    summary: 'Work in progress and what ended lately',
    answers: { 200: z.object({ items: z.array(job) }) },
    role: 'operator',
    handler: () => ({ items: desk.jobs.list() }),
  });
  route.get(api, '/api/v1/jobs/:id', {
    operationId: 'getJob',
    summary: 'One job',
    params: idParams,
    answers: { 200: job },
    role: 'operator',
    handler: ({ params }) => desk.jobs.get(params.id),
  });
  route.post(api, '/api/v1/jobs/:id/answer', {
    operationId: 'answerJob',
    summary: 'Answer what a job asks: who began it; others may only say no',
    params: idParams,
    body: answer,
    answers: { 200: job },
    does: 'job.answered',
    handler: (request) => {
      const { params, body, identity } = request;
      request.about = desk.jobs.get(params.id).about;
      return desk.jobs.answer(params.id, body.question, body.answer, identity.who);
    },
  });
  route.post(api, '/api/v1/jobs/:id/stop', {
    operationId: 'stopJob',
    summary: 'End a job: mildly the first time, at once the second time',
    params: idParams,
    answers: { 200: job },
    does: 'job.stopped',
    handler: (request) => {
      const stopped = desk.jobs.stop(request.params.id);
      request.about = stopped.about;
      return stopped;
    },
  });
}
