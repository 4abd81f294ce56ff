import { z } from 'zod';

import { requireRemoteSettings, type Identity } from '../../app/access/identity.ts';
import { cancelCampaign } from '../../app/campaigns/cancel.ts';
import { changeSettings } from '../../app/campaigns/change-settings.ts';
import { archiveCampaign, renameCampaign } from '../../app/campaigns/rename-archive.ts';
import { pauseCampaigns } from '../../app/campaigns/start-pause-resume.ts';
import { budgetLines } from '../../app/nights/budget-lines.ts';
import { historyLine } from '../../app/sentences/story-events.ts';
import type { CampaignView } from '../../app/run/situation.ts';
import { campaignStatus, listCampaigns, type CampaignStatus } from '../../app/watch/campaigns.ts';
import { printSettings } from '../../config/setting-changes.ts';
import type { DialCounts } from '../../domain/nights/night-end.ts';
import { localTime } from '../../text/times.ts';
import { answers, shownTo, type Api, type Shown } from './api.ts';
import {
  campaign,
  campaigns,
  campaignDetail as detailBody,
  type Campaign,
  type CampaignDetail,
} from '../contract/campaigns.ts';
import { campaignParams, done, ifVersion } from '../contract/common.ts';
import { worldOf, type Desk } from '../desk.ts';

const tags = ['Campaigns'];
/** So many of the calls that ended last are shown. */
const LATELY_ENDED = 20;
const changed = done.extend({ campaign });

/** Campaigns: their list, one with all its figures, and what is changed at once. */
export function campaignRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;
  const rate = (name: string, { made, inDoubt }: DialCounts) =>
    desk.rates.look(name, made + inDoubt);
  const nowOf = async (name: string, identity: Identity) => {
    const status = await campaignStatus({ campaign: name, db }, desk.world);
    return campaignBody(status, rate(name, status.progress.dials), shownTo(identity));
  };

  api.get(
    '/api/v1/campaigns',
    {
      schema: {
        tags,
        operationId: 'listCampaigns',
        summary: 'All campaigns, rehearsals too',
        querystring: z.object({ archived: z.stringbool().default(false) }),
        response: answers({ 200: campaigns }),
      },
    },
    async ({ query, identity }) => {
      const show = shownTo(identity);
      const found = await listCampaigns({ db, archived: query.archived }, desk.world);
      const items = found.campaigns
        .map((view) => campaignBody(view, rate(view.campaign.name, view.progress.dials), show))
        .toSorted((a, b) => b.createdAt - a.createdAt);
      return { items, next: null, hidden: found.hidden };
    },
  );

  api.get(
    '/api/v1/campaigns/:campaign',
    {
      schema: {
        tags,
        operationId: 'getCampaign',
        summary:
          'One campaign with its calls, lists, history and settings; asked every second by a page',
        params: campaignParams,
        response: answers({ 200: detailBody }),
      },
    },
    async ({ params, identity }) => {
      const status = await campaignStatus({ ...params, db, newest: LATELY_ENDED }, desk.world);
      const perMinute = rate(params.campaign, status.progress.dials);
      return campaignDetail(status, perMinute, shownTo(identity));
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/pause',
    {
      schema: {
        tags,
        operationId: 'pauseCampaign',
        summary: 'Start no new call; calls in progress end by themselves',
        params: campaignParams,
        body: z.object({ ifVersion }),
        response: answers({ 200: changed }),
      },
      config: { does: 'campaign.paused' },
    },
    async ({ params, body, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      await pauseCampaigns({ ...params, db, all: false, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign, identity) };
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/cancel',
    {
      schema: {
        tags,
        operationId: 'cancelCampaign',
        summary: 'Call nobody else of it, or take that back',
        params: campaignParams,
        body: z.object({
          ifVersion,
          confirmed: z.boolean().default(false).describe('The people who wait are not called'),
          undo: z.boolean().default(false),
        }),
        response: answers({ 200: changed }),
      },
      config: { does: 'campaign.cancelled' },
    },
    async ({ params, body: { confirmed, ...body }, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      await cancelCampaign({ ...params, db, yes: confirmed, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign, identity) };
    },
  );

  api.patch(
    '/api/v1/campaigns/:campaign/settings',
    {
      schema: {
        tags,
        operationId: 'changeSettings',
        summary: 'Change settings, with the keys and values of `callsheet set`',
        params: campaignParams,
        body: z.object({
          ifVersion,
          set: z.record(z.string().max(100), z.string().max(2_000)),
        }),
        response: answers({ 200: changed }),
      },
      config: { does: 'campaign.changed' },
    },
    async ({ params, body: { set, ...body }, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const setting = Object.entries(set).map(([key, value]) => `${key}=${value}`);
      requireRemoteSettings(setting, params.campaign);
      await changeSettings({ ...params, ...desk.files, setting, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign, identity) };
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/rename',
    {
      schema: {
        tags,
        operationId: 'renameCampaign',
        summary: 'Give it another name; the history keeps the old one',
        params: campaignParams,
        body: z.object({ ifVersion, name: z.string().min(1).max(200) }),
        response: answers({ 200: changed }),
      },
      config: { does: 'campaign.renamed' },
    },
    async ({ params, body, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const renamed = await renameCampaign({ ...params, db, ...body }, world);
      return { messages, campaign: await nowOf(renamed.campaign, identity) };
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/archive',
    {
      schema: {
        tags,
        operationId: 'archiveCampaign',
        summary: 'Take a campaign that is over out of the list, or take that back',
        params: campaignParams,
        body: z.object({ ifVersion, undo: z.boolean().default(false) }),
        response: answers({ 200: changed }),
      },
      config: { does: 'campaign.archived' },
    },
    async ({ params, body, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      await archiveCampaign({ ...params, db, ...body }, world);
      return { messages, campaign: await nowOf(params.campaign, identity) };
    },
  );
}

/** A campaign in short, as lists show it. @param perMinute calls begun in the last minute */
function campaignBody(view: CampaignView, perMinute: number | null, show: Shown): Campaign {
  const { campaign, progress, works, hours, situation } = view;
  const { settings } = campaign;
  const { results } = progress;
  const ended = Object.values(results).reduce((sum, count) => sum + count, 0);
  const { total, waiting, calling, done, held, doubts, dials } = progress;
  return {
    name: campaign.name,
    version: campaign.version,
    state: campaign.state,
    shown: situation.shown,
    situation: situation.is,
    isUncalled: situation.isUncalled,
    archived: campaign.archivedAt !== undefined,
    simulated: campaign.simulated,
    service: campaign.service,
    agent: settings.agent,
    timezone: settings.timezone,
    schedule: settings.schedule ?? null,
    createdAt: campaign.createdAt,
    pauseReason: campaign.pauseReason,
    // It may quote what a service has said, and that a number.
    pauseDetail: campaign.pauseDetail === null ? null : show.text(campaign.pauseDetail),
    progress: { total, waiting, calling, done, held, doubts, dials, results },
    answeredRate: ended === 0 ? null : (results.answered ?? 0) / ended,
    perMinute,
    concurrency: settings.concurrency,
    runner: works.runner,
    runnerCalls: works.calls !== null,
    nextOpeningAt: situation.until,
    openings: { now: hours.now, later: hours.later, never: hours.never },
    why: show.text(view.exit.why),
    attention: situation.attention,
  };
}

/** One campaign with its calls, lists, history and settings. */
function campaignDetail(
  status: CampaignStatus,
  perMinute: number | null,
  show: Shown,
): CampaignDetail {
  const { campaign, lists, history, budget } = status;
  const { settings } = campaign;
  const budgets = budgetLines(budget, campaign);
  return {
    ...campaignBody(status, perMinute, show),
    calls: status.held.map(({ attemptId, phone, state, intentAt, callId, line }) => ({
      attempt: attemptId,
      phone: show.phone(phone),
      state,
      since: intentAt,
      callId,
      line,
    })),
    ended: status.ended.map(({ durationMs, phone, ...call }) => ({
      ...call,
      phone: show.phone(phone),
      durationSeconds: durationMs === null ? null : durationMs / 1_000,
    })),
    lists: lists.map(({ finishedAt, ...list }) => {
      const { number, path, at, good, rejected, duplicates, suppressed } = list;
      const finished = finishedAt !== null;
      const counts = { good, rejected, duplicates, suppressed };
      return { number, path: show.name(path), at, ...counts, finished };
    }),
    history: history.map((entry) => ({
      at: entry.at,
      who: entry.who,
      what: entry.what,
      text: show.text(
        historyLine(entry, settings.timezone).slice(
          localTime(entry.at, settings.timezone).length + 1,
        ),
      ),
    })),
    settings: Object.fromEntries(
      Object.entries(printSettings(settings)).map(([key, value]) => [key, show.text(value)]),
    ),
    budget: budgets.length === 0 ? null : show.text(budgets.join(' ')),
  };
}
