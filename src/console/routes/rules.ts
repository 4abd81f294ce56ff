import { z } from 'zod';
import { requireRuleNames } from '../../app/rules/rules.ts';
import { listRules, shownRules, weekOf } from '../../app/rules/show-rules.ts';
import { rules, shownRules as shownView, week } from '../../views/rules.ts';
import type { Desk } from '../desk.ts';
import { routesOf, type Api } from './api.ts';

/** Settings as `set` takes them; what is left out has its default. */
const weekSettings = z.object({
  rules: z
    .string()
    .max(1_000)
    .optional()
    .describe('Names, separated by commas; always: none; left out: those that hold by default'),
  live: z.boolean().default(true).describe('Real people are called, which the default depends on'),
  hours: z
    .object({
      from: z.string().max(5),
      to: z.string().max(5),
      days: z.string().max(100).optional().describe('E.g. mon-fri; left out: all'),
    })
    .nullable()
    .default(null)
    .describe("The operator's own hours"),
  holidays: z.string().max(5_000).default('none').describe('2026-12-24,2026-12-31 or none'),
  timezone: z.string().min(1).max(100),
  region: z
    .string()
    .max(20)
    .optional()
    .describe('Of the people, ISO 3166: a country or state; left out: what holds for everybody'),
});

const route = routesOf('Rules');

/** Calling hours and caps by law and by custom, and what they come to. */
export function ruleRoutes(api: Api, desk: Desk): void {
  api.get(
    '/api/v1/rules',
    route({
      operationId: 'listRules',
      summary: 'Rules that come with callsheet, then the own ones in campaigns/rules',
      answers: { 200: rules },
    }),
    () => listRules(desk.world),
  );

  api.get(
    '/api/v1/rules/:name',
    route({
      operationId: 'getRule',
      summary: 'One rule as `callsheet rules show` prints it, with its figures and sources',
      params: z.object({ name: z.string().min(1).max(64) }),
      querystring: z.object({
        region: z.string().max(20).optional().describe('For people of this country or state'),
      }),
      answers: { 200: shownView },
    }),
    ({ params, query }) => {
      requireRuleNames([params.name]);
      const request = { names: [params.name], region: query.region ?? null, withSources: true };
      return shownRules(request, desk.world);
    },
  );

  api.post(
    '/api/v1/rules/week',
    route({
      operationId: 'getWeek',
      summary: 'The strictest hours of a week, of rules and own hours; changes nothing',
      body: weekSettings,
      answers: { 200: week },
      role: 'viewer',
    }),
    ({ body: { region = null, ...body } }) => weekOf({ ...body, region }, desk.world),
  );
}
