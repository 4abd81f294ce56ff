import { allRules, oneRule, requireRuleNames } from '../../app/rules/rules.ts';
import { shownRules, weekOf, type StrictestWeek } from '../../app/rules/show-rules.ts';
import { isWeak, type RuleFile } from '../../config/rules/rule-file.ts';
import type { DayWindows } from '../../domain/calling/policy.ts';
import {
  ruleDetail as detailBody,
  ruleParams,
  ruleQuery,
  rules,
  week,
  weekSettings,
  type Rule,
  type RuleDetail,
  type Week,
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

/** A rule file in short. */
function ruleBody({ rule, about, appliesTo, figures, shipped, path }: RuleFile): Rule {
  const checked = figures.map((figure) => figure.checked).filter((day) => day !== '');
  return {
    name: rule.name,
    about,
    appliesTo: [...appliesTo],
    regions: Object.keys(rule.regions).toSorted(),
    checked: checked.toSorted().at(-1) ?? null,
    shipped,
    path,
  };
}

/** A rule file with what `callsheet rules show` prints of it. */
function ruleDetail(file: RuleFile, lines: string[]): RuleDetail {
  const figures = file.figures.map((figure) => ({ ...figure, weak: isWeak(figure) }));
  return { ...ruleBody(file), lines, figures };
}

/** A week for the calendar. */
function weekBody({ days, holidays, closedOn, ...week }: StrictestWeek): Week {
  return {
    ...week,
    days: days.map(({ day, decided: { value, by } }) => {
      return { day, windows: windowsOf(value), by: [...by] };
    }),
    holidays: holidays && windowsOf(holidays),
    closedOn: [...closedOn],
  };
}

function windowsOf(windows: DayWindows): { from: number; to: number }[] {
  return windows.map(([from, to]) => ({ from, to }));
}
