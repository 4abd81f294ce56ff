import { z } from 'zod';

import { requireRemoteSettings } from '../../app/access/identity.ts';
import { cancelCampaign } from '../../app/campaigns/cancel.ts';
import {
  archiveCampaign,
  changeSettings,
  renameCampaign,
} from '../../app/campaigns/change-settings.ts';
import { pauseCampaigns } from '../../app/campaigns/start-pause-resume.ts';
import {
  callsByMinute,
  campaignDetail,
  campaignStatus,
  campaignView,
  listCampaigns,
} from '../../app/watch/campaigns.ts';
import type { DialCounts } from '../../domain/nights/night-end.ts';
import {
  callMinutes,
  campaign,
  campaigns,
  campaignDetail as detail,
} from '../../views/campaigns.ts';
import { done, moment } from '../../views/fields.ts';
import { campaignParams, ifVersion, routesOf, type Api } from './api.ts';
import type { Desk } from '../desk.ts';

const route = routesOf('Campaigns');
/** So many of the calls that ended last are shown. */
const LATELY_ENDED = 20;
const changed = done.extend({ campaign });

/** Whether this process calls a campaign when its time has come. */
export const awaitedBy =
  ({ jobs, dials, files }: Desk) =>
  ({ name, simulated }: { name: string; simulated: boolean }) =>
    jobs.calls(name) ||
    // Without a database of its own, `serve` does not look at rehearsals.
    (dials === 'serve' && (files.db !== undefined || !simulated));

/** Campaigns: their list, one with all its figures, and what is changed at once. */
export function campaignRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;
  const rate = (name: string, { made, inDoubt }: DialCounts) =>
    desk.rates.look(name, made + inDoubt);
  const isAwaited = awaitedBy(desk);
  const nowOf = async (name: string) => {
    const status = await campaignStatus({ campaign: name, db, isAwaited }, desk.world);
    return campaignView(status, rate(name, status.progress.dials));
  };

  route.get(api, '/api/v1/campaigns', {
    operationId: 'listCampaigns',
    summary: 'All campaigns, rehearsals too',
    querystring: z.object({ archived: z.stringbool().default(false) }),
    answers: { 200: campaigns },
    handler: async ({ query }) => {
      const found = await listCampaigns({ db, ...query, isAwaited }, desk.world);
      const items = found.campaigns
        .toSorted((a, b) => b.campaign.createdAt - a.campaign.createdAt)
        .map((view) => campaignView(view, rate(view.campaign.name, view.progress.dials)));
      return { items, next: null, hidden: found.hidden };
    },
  });

  route.get(api, '/api/v1/campaigns/:campaign', {
    operationId: 'getCampaign',
    summary:
      'One campaign with its calls, lists, history and settings; asked every second by a page',
    params: campaignParams,
    answers: { 200: detail },
    handler: async ({ params }) => {
      const asked = { ...params, db, newest: LATELY_ENDED, isAwaited };
      const status = await campaignStatus(asked, desk.world);
      const perMinute = rate(params.campaign, status.progress.dials);
      return campaignDetail(status, perMinute);
    },
  });

  route.get(api, '/api/v1/campaigns/:campaign/minutes', {
    operationId: 'getCallMinutes',
    summary: 'The calls of the last six hours by the minute, for charts',
    params: campaignParams,
    querystring: z.object({ from: moment.optional().describe('Only from then on') }),
    answers: { 200: callMinutes },
    handler: ({ params, query }) => callsByMinute({ ...params, ...query, db }, desk.world),
  });

  route.post(api, '/api/v1/campaigns/:campaign/pause', {
    operationId: 'pauseCampaign',
    summary: 'Start no new call; calls in progress end by themselves',
    params: campaignParams,
    body: z.object({ ifVersion }),
    answers: { 200: changed },
    does: 'campaign.paused',
    handler: async ({ params, body, world, messages }) => {
      await pauseCampaigns({ ...params, db, all: false, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign) };
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/cancel', {
    operationId: 'cancelCampaign',
    summary: 'Call nobody else of it, or take that back',
    params: campaignParams,
    body: z.object({
      ifVersion,
      confirmed: z.boolean().default(false).describe('The people who wait are not called'),
      undo: z.boolean().default(false),
    }),
    answers: { 200: changed },
    does: 'campaign.cancelled',
    handler: async ({ params, body: { confirmed, ...body }, world, messages }) => {
      await cancelCampaign({ ...params, db, yes: confirmed, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign) };
    },
  });

  route.patch(api, '/api/v1/campaigns/:campaign/settings', {
    operationId: 'changeSettings',
    summary: 'Change settings, with the keys and values of `callsheet set`',
    params: campaignParams,
    body: z.object({
      ifVersion,
      set: z.record(z.string().max(100), z.string().max(2_000)),
    }),
    answers: { 200: changed },
    does: 'campaign.changed',
    handler: async ({ params, body: { set, ...body }, world, messages }) => {
      const setting = Object.entries(set).map(([key, value]) => `${key}=${value}`);
      requireRemoteSettings(setting, params.campaign);
      await changeSettings({ ...params, ...desk.files, setting, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign) };
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/rename', {
    operationId: 'renameCampaign',
    summary: 'Give it another name; the history keeps the old one',
    params: campaignParams,
    body: z.object({ ifVersion, name: z.string().min(1).max(200) }),
    answers: { 200: changed },
    does: 'campaign.renamed',
    handler: async ({ params, body, world, messages }) => {
      const renamed = await renameCampaign({ ...params, db, ...body }, world);
      return { messages, campaign: await nowOf(renamed.campaign) };
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/archive', {
    operationId: 'archiveCampaign',
    summary: 'Take a campaign that is over out of the list, or take that back',
    params: campaignParams,
    body: z.object({ ifVersion, undo: z.boolean().default(false) }),
    answers: { 200: changed },
    does: 'campaign.archived',
    handler: async ({ params, body, world, messages }) => {
      await archiveCampaign({ ...params, db, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign) };
    },
  });
}
