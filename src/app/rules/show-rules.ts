import { isWeak, type RuleFile } from '../../config/rules/rule-file.ts';
import type { Decided, StrictestLimits } from '../../domain/calling/limits.ts';
import { WEEKDAYS, weekText, type DayWindows, type Weekday } from '../../domain/calling/policy.ts';
import { wrapped } from '../../text/wording.ts';
import type { Rule, Rules, ShownRules, Week } from '../../views/rules.ts';
import { ruleReport } from '../sentences/rule-lines.ts';
import type { World } from '../world.ts';
import {
  allRules,
  capTexts,
  composed,
  nextHoliday,
  oneRule,
  rulesFor,
  stricterRegions,
} from './rules.ts';

/** The week that limits leave. */
function weekBy(limits: StrictestLimits): Week {
  const always: Decided<DayWindows> = { value: [[0, 1_440]], by: [] };
  const days = WEEKDAYS.map((day) => ({ day, ...(limits.week?.[day] ?? always) }));
  const week = Object.fromEntries(days.map(({ day, value }) => [day, value])) as Record<
    Weekday,
    DayWindows
  >;
  const holidays = limits.holidays?.value ?? null;
  return {
    days: days.map(({ day, value, by }) => ({ day, windows: windowsOf(value), by: [...by] })),
    holidays: holidays && windowsOf(holidays),
    text: weekText({ week, holidays }),
    caps: capTexts(limits),
  };
}

function windowsOf(windows: DayWindows) {
  return windows.map(([from, to]) => ({ from, to }));
}

/**
 * Rules as `callsheet rules show` tells them.
 *
 * @param request.region `US-FL`; null: what holds for everybody
 */
export function shownRules(
  request: { names: readonly string[]; region: string | null; withSources: boolean },
  world: World,
): ShownRules {
  const { names, region, withSources } = request;
  const files = names.map((name) => oneRule(name, world));
  const limits = composed(files, region);
  const holiday = region === null ? null : nextHoliday(region, world.clock.now());
  const stricter = region === null ? stricterRegions(files) : [];
  const shown = { names, region, withSources, nextHoliday: holiday };
  const lines = ruleReport(rulesFor(files, region), limits, stricter, shown);
  const parts = files.filter((file) => file.parts !== undefined);
  const about = parts.flatMap((file) => wrapped(`${file.rule.name}: `, file.about));
  const rules = files.map((file) => {
    const figures = file.figures.map((figure) => ({ ...figure, weak: isWeak(figure) }));
    const { listAge, consentRequired } = file;
    return { ...ruleOf(file), listAge, consentRequired, figures };
  });
  return { rules, region, week: weekBy(limits), lines: [...about, ...lines] };
}

/** The rules that come with callsheet, then the operator's own in campaigns/rules. @throws AppError as `allRules` */
export function listRules(world: World): Rules {
  return { items: allRules(world).map(ruleOf), next: null };
}

function ruleOf({ rule, about, appliesTo, figures, shipped, path }: RuleFile): Rule {
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
