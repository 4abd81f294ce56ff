import { periodText } from '../../config/rules/read-limits.ts';
import { isWeak } from '../../config/rules/rule-warnings.ts';
import type { Figure, RuleFile } from '../../config/rules/rule-file.ts';
import { HOLIDAYS } from '../../domain/calling/holidays.ts';
import { title, windowsText } from '../../domain/calling/week-text.ts';
import { WEEKDAYS, type DayWindows } from '../../domain/calling/policy.ts';
import type { Decided, StrictestLimits } from '../../domain/calling/strictest.ts';
import { counted } from '../../text/plural.ts';
import { wrapped } from './wrapped.ts';

const HOURS = 24;
/** In front of what belongs to a word: `caps      `. */
const INDENT = 10;

/** What `rules show` prints: the week, caps and silences that rules come to, and where each figure is from. */
export function ruleReport(
  files: readonly RuleFile[],
  limits: StrictestLimits,
  region: string | null,
): string[] {
  const several = files.length > 1 || region !== null;
  const people = region === null ? 'everybody' : `people of ${region}`;
  return [
    ...files.flatMap(({ rule, about, appliesTo }) =>
      wrapped(`${rule.name}: `, `${about} (made for ${countries(appliesTo)})`),
    ),
    ...wrapped('', forWhom(files, region)),
    '',
    ...weekLines(limits, people, several),
    ...capLines(limits, several),
    ...otherLines(files),
    ...(region === null ? regionsLines(files) : []),
    ...sourceLines(files, region),
  ];
}

/** Who falls under the rules: everybody, and people of a region under its stricter limits, too. */
function forWhom(files: readonly RuleFile[], region: string | null): string {
  const who =
    files.length === 1
      ? 'It holds for everybody in the campaign, whatever it was made for.'
      : 'Each of these rules holds for everybody in the campaign, whatever it was made for; the strictest decides, figure by figure.';
  if (region === null) return who;
  const names = (has: boolean) =>
    files
      .filter(({ rule }) => Object.hasOwn(rule.regions, region) === has)
      .map(({ rule }) => rule.name)
      .join(' and ');
  const parts = [
    ...(names(true) === '' ? [] : [`stricter limits in ${names(true)}`]),
    ...(names(false) === '' ? [] : [`none of their own in ${names(false)}`]),
  ];
  return `${who} People of ${region} have ${parts.join(', ')}.`;
}

/** The countries that a rule is made for. */
export function countries(appliesTo: readonly string[]): string {
  return appliesTo.length === 0 ? 'everywhere' : appliesTo.join(', ');
}

function weekLines({ week, holidays }: StrictestLimits, people: string, several: boolean) {
  if (week === null) return [`hours     ${people}: at any time`];
  const row = (name: string, { value, by }: Decided<DayWindows>) =>
    `${name.padEnd(INDENT)}${windowsText(value).padEnd(25)}${bar(value)}${several ? `  ${by.join(' & ')}` : ''}`;
  const last =
    holidays === null
      ? ['holidays  like other days']
      : [row('holidays', holidays), ...wrapped(''.padEnd(INDENT), WHICH_HOLIDAYS)];
  return [
    `Hours of ${people}, own time`.padEnd(INDENT + 25) + '0     6     12    18',
    ...WEEKDAYS.map((day) => row(title(day), week[day])),
    ...last,
  ];
}

const WHICH_HOLIDAYS = `public holidays are those of the person's country or state, known from ${HOLIDAYS.from} to ${HOLIDAYS.through}`;

/** An hour that is open, closed, or open in part: `#`, `.`, `-`. */
function bar(windows: DayWindows): string {
  return Array.from({ length: HOURS }, (_, hour) => {
    const open = windows.reduce(
      (sum, [from, to]) =>
        sum + Math.max(0, Math.min(to, (hour + 1) * 60) - Math.max(from, hour * 60)),
      0,
    );
    if (open === 0) return '.';
    return open === 60 ? '#' : '-';
  }).join('');
}

function capLines(limits: StrictestLimits, several: boolean): string[] {
  const by = (names: readonly string[]) => (several ? `  (${names.join(' & ')})` : '');
  const caps = limits.caps.map(
    ({ value, by: names }) =>
      `${counted(value.calls, 'call')} to a number in any ${periodText(value.perMs)}${by(names)}`,
  );
  const silence = (after: string, decided: Decided<number> | null) =>
    decided === null
      ? []
      : [`no call for ${periodText(decided.value)} after ${after}${by(decided.by)}`];
  const all = [
    ...caps,
    ...silence('a conversation', limits.afterConversationMs),
    ...silence('a call was declined', limits.afterRefusalMs),
  ];
  return listed('caps', all.length === 0 ? ['none'] : all);
}

function otherLines(files: readonly RuleFile[]): string[] {
  const ages = files.flatMap(({ listMaxAgeMs, rule }) =>
    listMaxAgeMs === null
      ? []
      : [`suppression lists are at most ${periodText(listMaxAgeMs)} old (${rule.name})`],
  );
  const consent = files.filter(({ consentRequired }) => consentRequired);
  const asked = consent.map(
    ({ rule }) => `a column of the list says that the person agreed (${rule.name})`,
  );
  return [...listed('lists', ages), ...listed('consent', asked)];
}

/** What the rules have for regions, which holds besides the week of everybody. */
function regionsLines(files: readonly RuleFile[]): string[] {
  const withRegions = files.filter(({ rule }) => Object.keys(rule.regions).length > 0);
  const example = withRegions.flatMap(({ rule }) => Object.keys(rule.regions))[0];
  if (example === undefined) return [];
  const names = files.map(({ rule }) => rule.name).join(' ');
  return [
    '',
    ...wrapped(
      '',
      `Stricter by region: people of these regions are called only when the week above and the line of their region both allow it (* weak). In full: \`callsheet rules show ${names} --region ${example}\``,
    ),
    ...withRegions.flatMap(regionLines),
  ];
}

/** The regions of a rule, those with equal limits together. */
function regionLines({ rule, figures }: RuleFile): string[] {
  const groups = new Map<string, string[]>();
  for (const region of Object.keys(rule.regions)) {
    const own = figures.filter(({ where }) => where.startsWith(`${region} `));
    const key = own.map(({ value }) => value).join('; ');
    const weak = own.some(isWeak) ? '*' : '';
    const state = region.includes('-') ? '' : ` (a ${region} number, state not known)`;
    groups.set(key, [...(groups.get(key) ?? []), `${region}${weak}${state}`]);
  }
  return [...groups].flatMap(([limits, regions]) =>
    wrapped('  ', `${limits}: ${withoutRepeats(regions).join(' ')}`),
  );
}

/** `US-FL US-OK CA-ON` as `US-FL OK CA-ON`. */
function withoutRepeats(regions: readonly string[]): string[] {
  const country = (region = '') => /^[A-Z]{2}-/.exec(region)?.[0];
  return regions.map((region, index) => {
    const same = country(region) !== undefined && country(region) === country(regions[index - 1]);
    return same ? region.slice('US-'.length) : region;
  });
}

function sourceLines(files: readonly RuleFile[], region: string | null): string[] {
  const lines = files.flatMap(({ rule, figures }) =>
    figures
      .filter((figure) => isOf(figure, region))
      .flatMap((figure) => sourceLine(rule.name, figure)),
  );
  return lines.length === 0
    ? []
    : ['', 'Sources (S law, L law firms and press, T trade, M measured, J judgement)', ...lines];
}

/** Whether a figure holds for everybody, or for the region. */
function isOf({ where }: Figure, region: string | null): boolean {
  const [first = '', rest] = where.split(' ');
  return rest === undefined || first === region;
}

function sourceLine(name: string, figure: Figure): string[] {
  const { where, value, source, grade, checked } = figure;
  const weak = isWeak(figure) ? ' WEAK, verify it' : '';
  const day = checked === '' ? '' : `, checked ${checked}`;
  return wrapped(`  ${grade} `, `${name} ${where} (${value}): ${source}${day}${weak}`);
}

function listed(word: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => wrapped((index === 0 ? word : '').padEnd(INDENT), line));
}
