import { isWeak } from '../../config/rules/rule-warnings.ts';
import type { RuleFile } from '../../config/rules/rule-file.ts';
import type { StrictestWeek } from '../../app/rules/week.ts';
import type { DayWindows } from '../../domain/calling/policy.ts';
import type { Rule, RuleDetail, Week } from '../contract/rules.ts';

/** A rule file in short. */
export function ruleBody({ rule, about, appliesTo, figures, shipped, path }: RuleFile): Rule {
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
export function ruleDetail(file: RuleFile, lines: string[]): RuleDetail {
  const figures = file.figures.map((figure) => ({ ...figure, weak: isWeak(figure) }));
  return { ...ruleBody(file), lines, figures };
}

/** A week for the calendar. */
export function weekBody({ days, holidays, closedOn, ...week }: StrictestWeek): Week {
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
