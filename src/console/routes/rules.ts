import { allRules, oneRule, requireRuleNames } from '../../app/rules/rules.ts';
import { shownRules } from '../../app/rules/show-rules.ts';
import { weekOf } from '../../app/rules/week.ts';
import { ruleBody, ruleDetail, weekBody } from '../answers/rules.ts';
import {
  ruleDetail as detailBody,
  ruleParams,
  ruleQuery,
  rules,
  week,
  weekSettings,
} from '../contract/rules.ts';
import type { Desk } from '../desk.ts';
import { answers, type Api } from './api.ts';

const tags = ['Rules'];

/** Calling hours and caps by law and by custom, and what they come to. */
export function ruleRoutes(api: Api, desk: Desk): void {
  api.get(
    '/api/v1/rules',
    {
      schema: {
        tags,
        operationId: 'listRules',
        summary: 'Rules that come with callsheet, then the own ones in campaigns/rules',
        response: answers({ 200: rules }),
      },
    },
    () => ({ items: allRules(desk.world).map(ruleBody), next: null }),
  );

  api.get(
    '/api/v1/rules/:name',
    {
      schema: {
        tags,
        operationId: 'getRule',
        summary: 'One rule as `callsheet rules show` prints it, with its figures and sources',
        params: ruleParams,
        querystring: ruleQuery,
        response: answers({ 200: detailBody }),
      },
    },
    ({ params, query }) => {
      requireRuleNames([params.name]);
      const request = { names: [params.name], region: query.region ?? null, withSources: true };
      const { lines } = shownRules(request, desk.world);
      return ruleDetail(oneRule(params.name, desk.world), lines);
    },
  );

  api.post(
    '/api/v1/rules/week',
    {
      schema: {
        tags,
        operationId: 'getWeek',
        summary: 'The strictest hours of a week, of rules and own hours; changes nothing',
        body: weekSettings,
        response: answers({ 200: week }),
      },
      config: { role: 'viewer' },
    },
    ({ body: { region = null, ...body } }) => weekBody(weekOf({ ...body, region }, desk.world)),
  );
}
