import { periodText } from '../../config/rules/read-limits.ts';
import { isWeak, type Figure, type RuleFile } from '../../config/rules/rule-file.ts';
import { HOLIDAYS } from '../../domain/calling/holidays.ts';
import type { Decided, StrictestLimits } from '../../domain/calling/limits.ts';
import { title, WEEKDAYS, windowsText, type DayWindows } from '../../domain/calling/policy.ts';
import { shellWord, wrapped } from '../../text/wording.ts';
import { capTexts, type StricterRegion } from '../rules/rules.ts';

/** The source of each figure that holds for everybody, or for the region. */
function sourceLines(files: readonly RuleFile[], region: string | null): string[] {
  const lines = files.flatMap(({ rule, figures }) =>
    figures
      .filter((figure) => isOf(figure, region))
      .flatMap((figure) => sourceLine(rule.name, figure)),
  );
  return lines.length === 0
    ? []
    : [
        '',
        'Sources (S law, L quotes, law firms, press, T trade, M measured, J judgement)',
        ...lines,
      ];
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

/** The figures that are not well known have to be seen in any case. */
function whereSourcesAre(
  files: readonly RuleFile[],
  { names, region }: { names: readonly string[]; region: string | null },
): string[] {
  const weak = files.flatMap(({ rule, figures }) =>
    figures
      .filter((figure) => isOf(figure, region) && isWeak(figure))
      .map(({ where }) => `${rule.name} ${where}`),
  );
  const of = region === null ? '' : ` --region ${region}`;
  return [
    '',
    ...(weak.length === 0
      ? []
      : wrapped('', `Weak, to be verified: ${[...new Set(weak)].join(', ')}.`)),
    ...wrapped(
      '',
      `Sources of each figure: \`callsheet rules show ${names.map(shellWord).join(' ')}${of} --sources\``,
    ),
  ];
}

const HOURS = 24;
/** In front of what belongs to a word: `caps      `. */
const INDENT = 10;

/** A screen: where the sources would push the week off it, they are printed only if they are asked for. */
const SCREEN_LINES = 42;

/** What is shown of rules: for people of a region, or for everybody (null), and the sources whatever their length. */
interface ShownRules {
  /** The names that were asked for: `local` stands for several rules. */
  names: readonly string[];
  region: string | null;
  withSources: boolean;
  /** The next day that is a holiday in the region, `2026-11-26`; null: none is known, or no region is given. */
  nextHoliday: string | null;
}

/** What `rules show` prints: the week, caps and silences that rules come to, and where each figure is from. */
export function ruleReport(
  files: readonly RuleFile[],
  limits: StrictestLimits,
  stricter: readonly StricterRegion[],
  { names, region, withSources, nextHoliday }: ShownRules,
): string[] {
  const several = files.length > 1 || region !== null;
  const everybody = stricter.length === 0 ? 'Hours of everybody' : 'Hours, or less by region';
  const heading = region === null ? everybody : `Hours of people of ${region}`;
  const lines = [
    ...aboutLines(files),
    ...wrapped('', forWhom(files, region)),
    '',
    ...weekLines(limits, heading, several, nextHoliday),
    ...capLines(
      limits,
      several,
      stricter.some(({ hasCaps }) => hasCaps),
    ),
    ...otherLines(files, region),
    ...(region === null ? regionsLines(names, stricter) : []),
  ];
  const sources = sourceLines(files, region);
  const fits = lines.length + sources.length <= SCREEN_LINES;
  return [...lines, ...(withSources || fits ? sources : whereSourcesAre(files, { names, region }))];
}

/** One line for each rule; of many their names alone. */
function aboutLines(files: readonly RuleFile[]): string[] {
  if (files.length > MOST_ABOUT) {
    return wrapped('Rules: ', files.map(({ rule }) => rule.name).join(', '));
  }
  return files.flatMap(({ rule, about, appliesTo }) =>
    wrapped(`${rule.name}: `, `${about} (made for ${countries(appliesTo)})`),
  );
}

const MOST_ABOUT = 4;

/** Who falls under the rules: everybody, and people of a region under its stricter limits, too. */
function forWhom(files: readonly RuleFile[], region: string | null): string {
  const isLocal = files.some(({ rule }) => rule.only !== undefined);
  if (isLocal)
    return `For people of ${region ?? ''} the strictest of these decides, figure by figure.`;
  const who =
    files.length === 1
      ? 'It holds for everybody in the campaign, whatever it was made for.'
      : 'Each of these rules holds for everybody in the campaign, whatever it was made for; the strictest decides, figure by figure.';
  if (region === null) return who;
  const names = (has: boolean) =>
    files
      .filter(({ rule }) => Object.hasOwn(rule.regions, region) === has)
      .map(({ rule }) => rule.name)
      .join(', ');
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

function weekLines(
  { week, holidays }: StrictestLimits,
  heading: string,
  several: boolean,
  nextHoliday: string | null,
) {
  if (week === null) return [`${heading}: at any time`];
  const row = (name: string, { value, by }: Decided<DayWindows>) =>
    `${name.padEnd(INDENT)}${windowsText(value).padEnd(25)}${bar(value)}${several ? `  ${someNames(by)}` : ''}`;
  const last =
    holidays === null
      ? ['holidays  like other days']
      : [
          row('holidays', holidays),
          ...wrapped(
            ''.padEnd(INDENT),
            nextHoliday === null ? WHICH_HOLIDAYS : `${WHICH_HOLIDAYS}; the next is ${nextHoliday}`,
          ),
        ];
  return [
    `${heading}, own time`.padEnd(INDENT + 25) + '0     6     12    18',
    ...WEEKDAYS.map((day) => row(title(day), week[day])),
    ...last,
    ...wrapped('margin    ', 'no call begins in the last 2m of open hours (ringTime and 60 s)'),
  ];
}

/** Names as far as they fit beside the week. */
function someNames(names: readonly string[]): string {
  const all = names.join(' & ');
  return all.length <= 36 ? all : `${names[0] ?? ''} & ${names.length - 1} more`;
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

function capLines(limits: StrictestLimits, several: boolean, someHave: boolean): string[] {
  const by = (names: readonly string[]) => (several ? `  (${someNames(names)})` : '');
  const all = capTexts(limits, 'to a number in any', by);
  return listed('caps', all.length === 0 ? [someHave ? BY_REGION : 'none'] : all);
}

const BY_REGION = 'none for everybody; some regions have some, see below';

function otherLines(files: readonly RuleFile[], region: string | null): string[] {
  const aged = files.flatMap(({ listAge, rule }) =>
    listAge === null ? [] : [{ ...listAge, name: rule.name }],
  );
  const [strictest] = aged.toSorted((a, b) => a.ms - b.ms);
  const age =
    strictest === undefined
      ? []
      : [
          `${strictest.registry ?? 'suppression lists'} at most ${periodText(strictest.ms)} old (${strictest.name})`,
        ];
  const consent = files.filter(({ consentRequired }) => consentRequired);
  const asking = consent.map(({ rule }) => rule.name).join(' & ');
  const asked =
    consent.length === 0 ? [] : [`a column of the list says that the person agreed (${asking})`];
  const duties = files.flatMap(({ rule, figures }) =>
    figures
      .filter((figure) => isOf(figure, region) && figure.where.endsWith('duties'))
      .map(({ value }) => `${value} (${rule.name})`),
  );
  const more = duties.length - MOST_DUTIES;
  const named = more > 0 ? [...duties.slice(0, MOST_DUTIES), `and ${more} more`] : duties;
  return [...listed('lists', age), ...listed('consent', asked), ...listed('duties', named)];
}

/** The sources name all of them. */
const MOST_DUTIES = 5;

/** Regions in which the rules come to less than the week of everybody, with what they come to there. */
function regionsLines(names: readonly string[], stricter: readonly StricterRegion[]): string[] {
  const [example] = stricter;
  if (example === undefined) return [];
  const groups = new Map<string, string[]>();
  for (const { region, text, weak } of stricter) {
    const state = region.includes('-') ? '' : ` (a ${region} number, state not known)`;
    groups.set(text, [...(groups.get(text) ?? []), `${region}${weak ? '*' : ''}${state}`]);
  }
  return [
    '',
    ...wrapped(
      '',
      `Stricter by region, all together (* weak). In full: \`callsheet rules show ${names.map(shellWord).join(' ')} --region ${example.region}\``,
    ),
    ...[...groups].flatMap(([text, regions]) =>
      wrapped('  ', `${withoutRepeats(regions.toSorted()).join(', ')}: ${text}`),
    ),
  ];
}

/** `US-FL`, `US-OK`, `CA-ON` as `US-FL`, `OK`, `CA-ON`. */
function withoutRepeats(regions: readonly string[]): string[] {
  const country = (region = '') => /^[A-Z]{2}-/.exec(region)?.[0];
  return regions.map((region, index) => {
    const same = country(region) !== undefined && country(region) === country(regions[index - 1]);
    return same ? region.slice('US-'.length) : region;
  });
}

function listed(word: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => wrapped((index === 0 ? word : '').padEnd(INDENT), line));
}
