import { resolve } from 'node:path';
import { isPath } from '../../config/campaign-file.ts';
import { allParts, loadRule, ruleNames } from '../../config/rules/load-rule.ts';
import { periodText } from '../../config/rules/read-limits.ts';
import { isWeak, nearestRegion, type RuleFile } from '../../config/rules/rule-file.ts';
import { defaultRules } from '../../config/settings.ts';
import { HOLIDAY_REGIONS, holidayOn, hasHolidays } from '../../domain/calling/holidays.ts';
import {
  holdsIn,
  limitsAt,
  strictestOf,
  type NamedLimits,
  type StrictestLimits,
} from '../../domain/calling/limits.ts';
import { WEEKDAYS, weekText, type CallingPolicy } from '../../domain/calling/policy.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { counted, someOf } from '../../text/wording.ts';
import { homeOf } from '../places/home.ts';
import type { World } from '../world.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { PeopleAt as Place } from '../../domain/calling/openings.ts';

/** The rules that come with callsheet, then the operator's own in campaigns/rules. @throws AppError as `loadRule` */
export function allRules(world: World): RuleFile[] {
  const { folder } = homeOf(world);
  const names = new Set([...ruleNames(), ...ruleNames(folder)]);
  return [...names].map((name) => loadRule(name, undefined, folder));
}

/** One rule file by name, or by a path from the working folder. @throws AppError as `loadRule` */
export function oneRule(name: string, world: World): RuleFile {
  return loadRule(isPath(name) ? resolve(world.cwd, name) : name, undefined, homeOf(world).folder);
}

/** Refuses the path of a file: a person at another machine reads rules, not files of this one. */
export function requireRuleNames(names: readonly string[]): void {
  const path = names.find(isPath);
  if (path === undefined) return;
  throw usageError(
    'RULES_NOT_FOUND',
    `There are no rules of the name "${path}"; here they are known by name alone.`,
    'look at the list of rules; a file of your own goes to campaigns/rules',
  );
}

/**
 * What rules come to for people of a region.
 *
 * @param region `US-FL`; null: what holds for everybody
 */
export function composed(files: readonly RuleFile[], region: string | null): StrictestLimits {
  return strictestOf(namedLimits(files, region));
}

/** The rules that files come to, of those that hold for one country alone only the region's. */
export function rulesFor(files: readonly RuleFile[], region: string | null): RuleFile[] {
  const regions = region === null ? [] : [region];
  return allParts(files).filter(({ rule }) => holdsIn(rule, regions));
}

/** The limits of each rule for people of a region. @throws AppError `REGION_UNKNOWN` (exit 2) */
export function namedLimits(files: readonly RuleFile[], region: string | null): NamedLimits[] {
  if (region !== null && !HOLIDAY_REGIONS.includes(region)) {
    const near = nearestRegion(region);
    const meant = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw usageError(
      'REGION_UNKNOWN',
      `"${region}" is not a country or state that callsheet knows${meant}.`,
      'give a country, or a state of the US or Canada, in ISO 3166: --region US-FL',
    );
  }
  const rules = allParts(files).map(({ rule }) => rule);
  const policy = {
    rules,
    hours: null,
    holidays: [],
    unknownZones: 'skip',
    zoneOverrides: [],
  } as const;
  const place = { zones: [], regions: region === null ? [] : [region] };
  return limitsAt({ ...policy, marginMs: 0 }, place);
}

/**
 * True when nobody chose the rules of a stored campaign: it has those that hold by default where a service calls real
 * people, or where it does not, and follows the service that it gets.
 */
export async function nobodyChoseRules(
  { id, settings }: Campaign,
  store: Pick<Store, 'history'>,
): Promise<boolean> {
  if (![true, false].some((live) => defaultRules(live).join() === settings.rules.join()))
    return false;
  const history = await store.history(id);
  return history.every(({ detail }) => {
    const isChosen = detail['rulesFrom'] === 'flag' || detail['rulesFrom'] === 'file';
    // Older versions started no campaign on a live service before somebody had chosen its rules.
    return !isChosen && detail['rules'] === undefined && detail['live'] !== true;
  });
}

/** A region in which rules come to something else than elsewhere. */
export interface StricterRegion {
  region: string;
  /** What they come to there: `Mon-Sun 08:00-20:00; 3 calls per 24h`. */
  text: string;
  /** Whether caps or silences are among that. */
  hasCaps: boolean;
  /** True when one of the region's own figures is not well known. */
  weak: boolean;
}

/** The regions of rules whose people have less time or fewer calls than everybody else. */
export function stricterRegions(files: readonly RuleFile[]): StricterRegion[] {
  const everybody = limitsText(composed(files, null));
  const parts = allParts(files);
  const regions = new Set(
    parts.flatMap(({ rule }) => [...(rule.only ?? []), ...Object.keys(rule.regions)]),
  );
  return [...regions].flatMap((region) => {
    const limits = composed(files, region);
    const there = limitsText(limits);
    const less = there.filter((part) => !everybody.includes(part));
    if (less.length === 0) return [];
    const own = parts.flatMap(({ rule, figures }) =>
      figures.filter(
        ({ where }) =>
          where.startsWith(`${region} `) ||
          (rule.only?.includes(region) === true && !where.includes(' ')),
      ),
    );
    const hasCaps = less.some((part) => part !== there[0]) || limits.week === null;
    return [{ region, text: less.join('; '), hasCaps, weak: own.some(isWeak) }];
  });
}

/** The hours in one text, then each cap and silence. */
function limitsText(limits: StrictestLimits): string[] {
  const { week, holidays } = limits;
  const days = week && WEEKDAYS.map((day) => [day, week[day].value] as const);
  const hours =
    days === null
      ? []
      : [
          weekText({
            week: Object.fromEntries(days) as Parameters<typeof weekText>[0]['week'],
            holidays: holidays?.value ?? null,
          }),
        ];
  return [...hours, ...capTexts(limits)];
}

/**
 * Each cap and silence: `3 calls per 24h`, `no call for 7d after a conversation`.
 * @param of what follows each, by the names of its rules; default: nothing
 */
export function capTexts(
  limits: Pick<StrictestLimits, 'caps' | 'afterConversationMs' | 'afterRefusalMs'>,
  per = 'per',
  of: (names: readonly string[]) => string = () => '',
): string[] {
  const silence = (after: string, decided: StrictestLimits['afterRefusalMs']) =>
    decided === null
      ? []
      : [`no call for ${periodText(decided.value)} after ${after}${of(decided.by)}`];
  return [
    ...limits.caps.map(
      ({ value, by }) =>
        `${counted(value.calls, 'call')} ${per} ${periodText(value.perMs)}${of(by)}`,
    ),
    ...silence('a conversation', limits.afterConversationMs),
    ...silence('a refusal in a conversation', limits.afterRefusalMs),
  ];
}

/** The next public holiday of a region from a moment (epoch ms) on, within a year: `2026-11-26`; null: none is known. */
export function nextHoliday(region: string, now: number): string | null {
  for (let day = 0; day < 366; day++) {
    const date = new Date(now + day * DAY_MS).toISOString().slice(0, 10);
    if (holidayOn(region, date) === true) return date;
  }
  return null;
}

type PeopleAt = Pick<Place, 'zoneKey' | 'waiting'>;

/** Says which rules of `local` hold for how many people; nothing where no rule holds for one country alone. */
export function rulesByPlace(
  ruleFiles: readonly RuleFile[],
  places: readonly PeopleAt[],
): string[] {
  const local = ruleFiles.filter(({ rule }) => rule.only !== undefined);
  if (local.length === 0) return [];
  const everybody = ruleFiles.filter((file) => !local.includes(file)).map(({ rule }) => rule.name);
  const own = local
    .map(({ rule }) => ({ name: rule.name, people: peopleOf(places, (at) => holdsIn(rule, at)) }))
    .filter(({ people }) => people > 0)
    .toSorted((a, b) => b.people - a.people)
    .map(({ name, people }) => `${name} for ${counted(people, 'person', 'people')}`);
  const alone = peopleOf(places, (at) => !local.some(({ rule }) => holdsIn(rule, at)));
  if (alone > 0) own.push(`nothing else for ${counted(alone, 'person', 'people')}`);
  return own.length === 0
    ? []
    : [`Rules by place: ${everybody.join(' and ')} for everybody, and ${own.join(', ')}.`];
}

/** Says who is called without regard to public holidays, as callsheet has no table of them. */
export function withoutHolidays(
  policy: CallingPolicy | undefined,
  places: readonly PeopleAt[],
): string[] {
  const all = policy?.rules.flatMap((rule) => [rule, ...Object.values(rule.regions)]) ?? [];
  if (!all.some(({ hours }) => (hours?.holidays ?? null) !== null)) return [];
  const isUnknown = (region: string) => !hasHolidays(region);
  const people = peopleOf(places, (regions) => regions.some(isUnknown));
  if (people === 0) return [];
  const regions = places.flatMap(({ zoneKey }) => placeOf(zoneKey).regions.filter(isUnknown));
  const named = someOf([...new Set(regions)].toSorted().map(nameOf), REGIONS_NAMED);
  const are = people === 1 ? 'is' : 'are';
  return [
    `${counted(people, 'person', 'people')} in ${named} ${are} called without regard to public holidays: callsheet has no table of them there; \`holidays\` takes days of your own.`,
  ];
}

const REGIONS_NAMED = 5;

/** How many of the people have regions for which that is true. */
export function peopleOf(
  places: readonly PeopleAt[],
  isOf: (regions: readonly string[]) => boolean,
): number {
  return places
    .filter(({ zoneKey }) => isOf(placeOf(zoneKey).regions))
    .reduce((sum, { waiting }) => sum + waiting, 0);
}

function nameOf(region: string): string {
  // Made here, as the first one takes some 15 ms, which most commands need not wait for.
  return new Intl.DisplayNames('en', { type: 'region' }).of(region.slice(0, 2)) ?? region;
}
