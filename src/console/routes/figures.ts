import { z } from 'zod';
import { requireTranscripts } from '../../app/access/identity.ts';
import { listNights } from '../../app/nights/nights.ts';
import { openingsAhead } from '../../app/nights/openings-ahead.ts';
import { reportCampaign, summarizeCampaign } from '../../app/results/report.ts';
import { download, nightQuery } from './results.ts';
import { campaignParams, file, routesOf, type Api } from './api.ts';
import { nights, summary } from '../../views/results.ts';
import { schedules } from '../../views/campaigns.ts';
import { awaitedBy } from './campaigns.ts';
import type { Desk } from '../desk.ts';

const reportQuery = nightQuery.extend({
  calls: z.coerce
    .number()
    .int()
    .min(0)
    .max(20_000)
    .default(500)
    .describe('How many of the newest calls are on the page; 0: none'),
});
const nightsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).default(30),
});

const route = routesOf('Results');
const scheduleRoute = routesOf('Schedule');

/** A campaign in numbers: its figures, its nights, and the report, which is a page of its own. */
export function figureRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;

  route.get(api, '/api/v1/campaigns/:campaign/summary', {
    operationId: 'getSummary',
    summary: 'The campaign in numbers, or one of its nights',
    params: campaignParams,
    querystring: nightQuery,
    answers: { 200: summary },
    handler: ({ params, query, world }) =>
      summarizeCampaign({ ...params, db, night: query.night }, world),
  });

  route.get(api, '/api/v1/campaigns/:campaign/nights', {
    operationId: 'listNights',
    summary: 'What each night has brought, and why it ended',
    params: campaignParams,
    querystring: nightsQuery,
    answers: { 200: nights },
    handler: ({ params, query, world }) => listNights({ ...params, db, ...query }, world),
  });

  route.get(api, '/api/v1/campaigns/:campaign/report', {
    operationId: 'getReport',
    summary: 'The campaign as a page of its own, to be shown in a frame of ours',
    params: campaignParams,
    querystring: reportQuery,
    answers: { 200: file('text/html') },
    options: { helmet: REPORT_HEADERS },
    handler: async ({ params, query, identity, world }, reply) => {
      // Without calls it has figures alone.
      if (query.calls > 0) requireTranscripts(identity, 'The calls of a report');
      const request = { ...params, db, output: '-', force: false, ...query, night: query.night };
      return download(
        reply,
        { type: 'text/html; charset=utf-8', name: null },
        (data) => reportCampaign(request, { ...world, data }),
        (error) => desk.world.keepStack(error),
      );
    },
  });
}

/**
 * The report has its style within it, and neither scripts nor anything from elsewhere. It shows what people have said,
 * so it runs nothing, whatever that is, and only our own pages may frame it.
 */
const REPORT_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'unsafe-inline'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'self'"],
      sandbox: [],
    },
  },
  frameguard: { action: 'sameorigin' },
} as const;

/** When people of the campaigns may be called in the next days. */
export function scheduleRoutes(api: Api, desk: Desk): void {
  scheduleRoute.get(api, '/api/v1/schedule', {
    operationId: 'getSchedule',
    summary: 'The openings of the days ahead, of each campaign that is not over',
    querystring: z.object({
      days: z.coerce.number().int().min(1).max(31).default(14),
      campaign: z.string().max(200).optional().describe('Of this one alone; left out: of all'),
    }),
    answers: { 200: schedules },
    handler: ({ query, world }) =>
      openingsAhead({ ...query, db: desk.files.db, isAwaited: awaitedBy(desk) }, world),
  });
}
