import { allParts, loadRule } from '../../config/rules/load-rule.ts';
import type { Figure, RuleFile } from '../../config/rules/rule-file.ts';
import { holdsIn } from '../../domain/calling/limits.ts';
import type { PeopleAt } from '../../domain/calling/openings.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import { peopleOf } from './rules-by-place.ts';

/** A duty of law that callsheet cannot check. */
export interface Duty {
  /** The rule that says so, with the region: `us-states US-CA`. */
  by: string;
  /** What the caller has to do. */
  duty: string;
  source: string;
  /** How many of the people it is for. */
  people: number;
}

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
