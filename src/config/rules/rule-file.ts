import { HOLIDAY_REGIONS, HOLIDAYS } from '../../domain/calling/holidays.ts';
import type { CallingRule } from '../../domain/calling/policy.ts';
import { nearest } from '../../text/nearest.ts';
import { counted, someOf } from '../../text/wording.ts';

/** Nearly any two letters are one letter away from some country, so that a suggestion would be a guess. */
const SHORTEST_TO_MISSPELL = 4;

/**
 * The ISO 3166 code that was probably meant: `FL` as US-FL, `on` as CA-ON, `UK` as GB, else the nearest one.
 * Undefined where none is near.
 */
export function nearestRegion(region: string): string | undefined {
  const typed = region.toUpperCase();
  if (typed === 'UK') return 'GB';
  const state = HOLIDAY_REGIONS.find((one) => one === typed || one.endsWith(`-${typed}`));
  if (state !== undefined || typed.length < SHORTEST_TO_MISSPELL) return state;
  return nearest(typed, HOLIDAY_REGIONS);
}

/**
 * How well a figure is known, best first: `S` the text of the law, the regulator or the vendor was read; `L` by others who
 * quote it, law firms or the press; `T` from a table of the trade; `M` measured by callsheet; `J` a judgement of callsheet.
 */
export const GRADES = ['S', 'L', 'T', 'M', 'J'] as const;
type Grade = (typeof GRADES)[number];

/** Figures with these grades are to be verified before somebody relies on them. */
const WEAK_GRADES: readonly Grade[] = ['T', 'J'];

/** One figure of a rule file, as people read it. */
export interface Figure {
  /**
   * `hours`, `caps`, `afterConversation`, `afterRefusal`, `lists`, `consent`, `duties`, with the region: `US-FL hours`. The
   * value of a duty says what the caller has to do; callsheet cannot check it.
   */
  where: string;
  /** `Mon-Fri 09:00-20:00, Sat 10:00-17:00`, `3 calls per 24h`. */
  value: string;
  source: string;
  grade: Grade;
  /** The day on which the source was checked: `2026-11-23`. */
  checked: string;
}

/** A file of campaigns/rules, or one of the operator's own. */
export interface RuleFile {
  rule: CallingRule;
  /** One line on what it is. */
  about: string;
  /** Countries that it is made for, ISO 3166; empty: all. It holds for everybody in a campaign that names it. */
  appliesTo: readonly string[];
  /**
   * How old the newest file of a registry may be when somebody is called, ms; null: no limit. `registry` null: a file of
   * any registry will do. `byArea`: the registry is sold by area code, and every area of the people has to be there.
   */
  listAge: { ms: number; registry: string | null; byArea: boolean } | null;
  /** Whether the list must have a column that says that the person has consented. */
  consentRequired: boolean;
  /** A consent given longer ago counts as none, where the list has its date, ms; null: consent does not age. */
  consentMaxAgeMs: number | null;
  /** Names of shipped rules that it stands for: `everybody` for all people, `byCountry` each for its own countries. */
  parts?: { everybody: string; byCountry: readonly string[] };
  figures: readonly Figure[];
  /** Absolute. */
  path: string;
  /** Comes with callsheet. */
  shipped: boolean;
}

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
