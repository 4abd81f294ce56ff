import { z } from 'zod';
import { requireRuleNames } from '../../app/rules/rules.ts';
import { listRules, shownRules } from '../../app/rules/show-rules.ts';
import { rules, shownRules as shownView } from '../../views/rules.ts';
import type { Desk } from '../desk.ts';
import { routesOf, type Api } from './api.ts';

const route = routesOf('Rules');

/** Calling hours and caps by law and by custom, and what they come to. */
export function ruleRoutes(api: Api, desk: Desk): void {
  route.get(api, '/api/v1/rules', {
    operationId: 'listRules',
    summary: 'Rules that come with callsheet, then the own ones in campaigns/rules',
    answers: { 200: rules },
    handler: () => listRules(desk.world),
  });

  route.get(api, '/api/v1/rules/:name', {
    operationId: 'getRule',
    summary: 'One rule as `callsheet rules show` prints it, with its figures and sources',
    params: z.object({ name: z.string().min(1).max(64) }),
    querystring: z.object({
      region: z.string().max(20).optional().describe('For people of this country or state'),
    }),
    answers: { 200: shownView },
    handler: ({ params, query }) => {
      requireRuleNames([params.name]);
      const request = { names: [params.name], region: query.region ?? null, withSources: true };
      return shownRules(request, desk.world);
    },
  });
}
