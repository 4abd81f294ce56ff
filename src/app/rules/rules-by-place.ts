import type { RuleFile } from '../../config/rules/rule-file.ts';
import { hasHolidays } from '../../domain/calling/holidays.ts';
import { holdsIn } from '../../domain/calling/limits.ts';
import type { CallingPolicy } from '../../domain/calling/policy.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { PeopleAt as Place } from '../../domain/calling/openings.ts';
import { counted, someOf } from '../../text/wording.ts';

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
