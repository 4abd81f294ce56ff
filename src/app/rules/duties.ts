import { allParts, loadRule } from '../../config/rules/load-rule.ts';
import type { Figure, RuleFile } from '../../config/rules/rule-file.ts';
import { holdsIn } from '../../domain/calling/limits.ts';
import type { PeopleAt } from '../../domain/calling/openings.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import type { Survey } from '../../leads/import.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { grouped } from '../../text/amounts.ts';
import { counted } from '../../text/wording.ts';
import type { PlanView } from '../../views/plan.ts';
import { peopleOf } from './rules.ts';

/** A duty of law that callsheet cannot check. `by`: the rule that says so, with the region: `us-states US-CA`. */
export type Duty = PlanView['duties'][number];

/**
 * The duties of the shipped rules of these people's places, and of the campaign's own rules: laws hold whichever rules a
 * campaign has chosen. Consent and registries are among them where the campaign's rules do not insist on them.
 */
export function dutiesOf(
  ruleFiles: readonly RuleFile[],
  places: readonly Pick<PeopleAt, 'zoneKey' | 'waiting'>[],
): Duty[] {
  const chosen = ruleFiles.filter(({ rule }) => rule.only === undefined);
  const files = [...allParts([loadRule('local', undefined)]), ...chosen];
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...byPath.values()].flatMap((file) =>
    file.figures.flatMap((figure) => {
      const duty = dutyOf(figure, chosen.includes(file));
      if (duty === null) return [];
      const [region = '', rest] = figure.where.split(' ');
      const only = file.appliesTo.length === 0 ? {} : { only: file.appliesTo };
      const people = peopleOf(places, (regions) =>
        rest === undefined ? holdsIn(only, regions) : regions.includes(region),
      );
      if (people === 0) return [];
      const by = rest === undefined ? file.rule.name : `${file.rule.name} ${region}`;
      return [{ by, duty, source: figure.source, people }];
    }),
  );
}

function dutyOf({ where, value }: Figure, isEnforced: boolean): string | null {
  if (/(^| )duties$/.test(where)) return value;
  if (isEnforced) return null;
  if (where === 'lists') return `check the numbers against ${value}`;
  if (where === 'consent' && value.startsWith('required'))
    return value.replace(/^required[^,]*/, 'have the person’s prior consent');
  return null;
}

/** Leaves out the duties that an earlier start of the campaign has named. */
export async function newDuties(
  duties: Duty[],
  campaign: Pick<Campaign, 'id'> | undefined,
  store: Pick<Store, 'history'> | undefined,
): Promise<Duty[]> {
  if (campaign === undefined || store === undefined || duties.length === 0) return duties;
  const history = await store.history(campaign.id);
  const told = new Set(history.flatMap(({ detail }) => (detail['duties'] ?? []) as string[]));
  return duties.filter((duty) => !told.has(dutyKey(duty)));
}

/** What the history keeps of a duty that was named. */
export function dutyKey({ by, duty }: Duty): string {
  return `${by}: ${duty}`;
}

/** Duties in sentences, for the plan. */
export function dutyLines(duties: readonly Duty[]): string[] {
  if (duties.length === 0) return [];
  const lines = duties.map(
    (each) => `  ${dutyKey(each)} (${counted(each.people, 'person', 'people')}; ${each.source})`,
  );
  return ['Duties of law that callsheet cannot check; your yes confirms them:', ...lines];
}

/** A list whose people may not have said that they may be called, though a rule asks for that. */
export interface WithoutConsent {
  rule: string;
  list: string;
}

interface DutiesOf {
  ruleFiles: readonly RuleFile[];
  surveys: readonly Survey[];
  campaign: Campaign | undefined;
  store: Store | undefined;
}

/** Lists, given or stored, without a column that says who may be called, where a rule asks for one. */
export async function listsWithoutConsent({
  ruleFiles,
  surveys,
  campaign,
  store,
}: DutiesOf): Promise<WithoutConsent[]> {
  const demanding = ruleFiles.filter(
    ({ consentRequired, rule }) => consentRequired && rule.only === undefined,
  );
  if (demanding.length === 0) return [];
  const stored = campaign === undefined ? [] : ((await store?.lists(campaign.id)) ?? []);
  // A list that is read again may be given its column now.
  const others = stored.filter(({ sha256 }) => surveys.every((survey) => survey.sha256 !== sha256));
  const lists = [
    ...others.filter(({ mapping }) => !hasConsent(mapping)),
    ...surveys.filter(({ scanned }) => !hasConsent(scanned.mapping)),
  ];
  return demanding.flatMap(({ rule }) =>
    lists.map(({ path }) => ({ rule: rule.name, list: path })),
  );
}

export function requireConsent(missing: readonly WithoutConsent[]): void {
  const [first] = missing;
  if (first === undefined) return;
  throw usageError('CONSENT_COLUMN_MISSING', consentText(first), CONSENT_REMEDY);
}

export function consentText({ rule, list }: WithoutConsent): string {
  return `${list} has no column that says who may be called, which rule ${rule} asks for.`;
}

export const CONSENT_REMEDY =
  'name the column with --map mayCall="NAME", or choose other rules with --rules';

/** Sentences about rules that are not made for some of the people; they hold for them all the same. */
export function foreignPeople(
  ruleFiles: readonly RuleFile[],
  places: readonly { zoneKey: string; waiting: number }[],
): string[] {
  return ruleFiles.flatMap(({ rule, appliesTo }) => {
    if (appliesTo.length === 0 || rule.only !== undefined) return [];
    const elsewhere = new Map<string, number>();
    for (const { zoneKey, waiting } of places) {
      const countries = placeOf(zoneKey).regions.map((region) => region.slice(0, 2));
      if (countries.length === 0 || countries.some((code) => appliesTo.includes(code))) continue;
      const key = [...new Set(countries)].join('/');
      elsewhere.set(key, (elsewhere.get(key) ?? 0) + waiting);
    }
    const total = [...elsewhere.values()].reduce((sum, count) => sum + count, 0);
    if (total === 0) return [];
    const named = [...elsewhere]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([code, count]) => `${code} ${grouped(count)}`);
    return [
      `Rule ${rule.name} is made for ${appliesTo.join(', ')} and holds for ${counted(total, 'person', 'people')} elsewhere, too (${named.join(', ')}); \`callsheet rules list\` shows the others.`,
    ];
  });
}

function hasConsent(mapping: ListMapping | null): boolean {
  return (mapping?.mayCall ?? []).length > 0;
}
