import { hoursOf } from '../../config/calling-settings.ts';
import { readFlags } from '../../config/campaign-file.ts';
import { minutesOf } from '../../domain/nights/night.ts';
import { isWeak, type RuleFile } from '../../config/rules/rule-file.ts';
import { defaultRules } from '../../config/settings.ts';
import {
  strictestOf,
  type Decided,
  type NamedLimits,
  type StrictestLimits,
} from '../../domain/calling/limits.ts';
import { WEEKDAYS, weekText, type DayWindows, type Weekday } from '../../domain/calling/policy.ts';
import { wrapped } from '../../text/wording.ts';
import type { Rule, Rules, ShownRules, Week, WeekSettings } from '../../views/rules.ts';
import { ruleReport } from '../sentences/rule-lines.ts';
import type { World } from '../world.ts';
import {
  allRules,
  capTexts,
  composed,
  namedLimits,
  nextHoliday,
  oneRule,
  requireRuleNames,
  rulesFor,
  stricterRegions,
} from './rules.ts';

/** What rules and the operator's own hours leave of a week, on the wall of one place. */
export function weekOf(
  { region, live, rules = defaultRules(live).join(), ...request }: WeekSettings,
  world: World,
): Week {
  requireRuleNames(rules.split(',').map((name) => name.trim()));
  const { values } = readFlags({ flags: flagsOf({ ...request, rules }), cwd: world.cwd });
  const hours = hoursOf(values, undefined);
  const files = (values.rules ?? []).map((name) => oneRule(name, world));
  const byRules = namedLimits(files, region ?? null);
  const own = hours === undefined ? [] : [ownLimits(hours)];
  const mixesZones = own.length > 0 && byRules.some((one) => one.limits.hours !== null);
  const week = weekBy(strictestOf([...byRules, ...own]));
  return { ...week, closedOn: [...(values.holidays ?? [])], mixesZones };
}

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
    closedOn: [],
    text: weekText({ week, holidays }),
    caps: capTexts(limits),
    mixesZones: false,
  };
}

function windowsOf(windows: DayWindows) {
  return windows.map(([from, to]) => ({ from, to }));
}

function flagsOf({
  rules,
  hours,
  holidays,
  timezone,
}: Omit<WeekSettings, 'region' | 'live' | 'rules'> & { rules: string }) {
  return {
    rules,
    holidays,
    timezone,
    ...(hours !== null && {
      'hours.from': hours.from,
      'hours.to': hours.to,
      'hours.days': hours.days,
    }),
  };
}

type OwnHours = NonNullable<ReturnType<typeof hoursOf>>;

/** The operator's window belongs to the day on which it begins, also where it ends on the next one. */
function ownLimits({ from, to, days }: OwnHours): NamedLimits {
  const [opens, closes] = [minutesOf(from), minutesOf(to) || 1_440];
  const isOn = (index: number) => (days ?? WEEKDAYS).includes(WEEKDAYS[(index + 7) % 7] as Weekday);
  const windows = (index: number): DayWindows => {
    if (opens < closes) return isOn(index) ? [[opens, closes]] : [];
    const early: DayWindows = isOn(index - 1) ? [[0, closes]] : [];
    const late: DayWindows = isOn(index) ? [[opens, 1_440]] : [];
    return [...early, ...late];
  };
  const week = Object.fromEntries(WEEKDAYS.map((day, index) => [day, windows(index)]));
  return {
    by: 'hours',
    limits: {
      hours: { week: week as Record<Weekday, DayWindows>, holidays: null },
      caps: [],
      afterConversationMs: null,
      afterRefusalMs: null,
    },
  };
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
