import { HOLIDAYS } from '../../domain/calling/holidays.ts';
import { counted, someOf } from '../../text/plural.ts';
import { WEAK_GRADES, type Figure, type RuleFile } from './rule-file.ts';

/** Sentences on what is weak in rules: figures to verify, and the end of the holidays that are known. */
export function ruleWarnings(all: readonly RuleFile[]): string[] {
  // Of `local` the rules of all countries would be named, most of them for nobody in the campaign.
  const files = all.filter(({ rule }) => rule.only === undefined);
  const holidays = files.filter(usesHolidays).map(({ rule }) => rule.name);
  const end =
    `Public holidays are known from ${HOLIDAYS.from} to ${HOLIDAYS.through}; outside these years ${holidays.join(', ')} ` +
    'allows no call, until a newer callsheet knows them.';
  return [...files.flatMap((file) => weakFigures(file)), ...(holidays.length > 0 ? [end] : [])];
}

/** Whether the grade of a figure asks for a look into the law. */
export function isWeak({ grade }: Pick<Figure, 'grade'>): boolean {
  return WEAK_GRADES.includes(grade);
}

function weakFigures({ rule, figures }: RuleFile): string[] {
  const weak = figures.filter(isWeak);
  if (weak.length === 0) return [];
  const places = [...new Set(weak.map(({ where }) => where))];
  return [
    `Rules ${rule.name}: ${counted(weak.length, 'figure')} of ${figures.length} ${weak.length === 1 ? 'is' : 'are'} weak (${someOf(places, 4)}): ` +
      `taken from tables of the trade (T) or callsheet's own judgement (J); \`callsheet rules show ${rule.name}\` has them.`,
  ];
}

function usesHolidays({ rule }: RuleFile): boolean {
  const all = [rule, ...Object.values(rule.regions)];
  return all.some(({ hours }) => hours !== null && hours.holidays !== null);
}
