import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';

import { HOLIDAY_REGIONS, HOLIDAYS } from '../../domain/calling/holidays.ts';
import type { CallingRule } from '../../domain/calling/policy.ts';
import {
  parseYaml,
  problemsError,
  TWICE,
  yamlSentence,
  type Place,
  type Problem,
} from '../../runtime/yaml.ts';
import { nearest } from '../../text/nearest.ts';
import { counted, shellWord, someOf } from '../../text/wording.ts';

/** Nearly any two letters are one letter away from some country, so that a suggestion would be a guess. */
const SHORTEST_TO_MISSPELL = 4;

/**
 * The ISO 3166 code that was probably meant: `FL` as US-FL, `on` as CA-ON, `UK` as GB, else the nearest one. Undefined
 * where none is near.
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

/** One figure of a rule file. */
export interface Figure {
  /**
   * `hours`, `caps`, `afterConversation`, `afterRefusal`, `lists`, `consent`, `duties`, with the region: `US-FL hours`.
   * The value of a duty says what the caller has to do; callsheet cannot check it.
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
  /** What it is, in one line. */
  about: string;
  /** Countries it was made for, ISO 3166; empty: all. In a campaign that names it, it holds for everybody. */
  appliesTo: readonly string[];
  /**
   * How old the newest file of a registry may be when somebody is called, ms; null: no limit. `registry` null: a file
   * of any registry will do. `byArea`: the registry is sold by area code, and every area of the people has to be there.
   */
  listAge: { ms: number; registry: string | null; byArea: boolean } | null;
  /** Whether the list must have a column that says that the person has consented. */
  consentRequired: boolean;
  /** A consent given longer ago counts as none, where the list has its date, ms; null: consent does not age. */
  consentMaxAgeMs: number | null;
  /** Shipped rules that it stands for: `everybody` for all people, each of `byCountry` for its own countries. */
  parts?: { everybody: string; byCountry: readonly string[] };
  figures: readonly Figure[];
  /** Absolute. */
  path: string;
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

/** True for a figure whose law should be checked. */
export function isWeak({ grade }: Pick<Figure, 'grade'>): boolean {
  return WEAK_GRADES.includes(grade);
}

function weakFigures({ rule, figures }: RuleFile): string[] {
  const weak = figures.filter(isWeak);
  if (weak.length === 0) return [];
  const places = [...new Set(weak.map(({ where }) => where))];
  return [
    `Rules ${rule.name}: ${counted(weak.length, 'figure')} of ${figures.length} ${weak.length === 1 ? 'is' : 'are'} weak (${someOf(places, 4)}): ` +
      `taken from tables of the trade (T) or callsheet's own judgement (J); \`callsheet rules show ${shellWord(rule.name)}\` has them.`,
  ];
}

function usesHolidays({ rule }: RuleFile): boolean {
  const all = [rule, ...Object.values(rule.regions)];
  return all.some(({ hours }) => hours !== null && hours.holidays !== null);
}

/** A key of a group with its value. */
export interface Field {
  key: string;
  /** The key with those of the groups around it, for messages: `caps[0].calls`. */
  dotted: string;
  node: Node | null;
  keyAt: Place;
  valueAt: Place;
}

/** The fields of a group by key, and where the group is. */
export interface Group {
  dotted: string;
  at: Place;
  /** False: the value is no group, which is among the problems; there are no fields. */
  isGroup: boolean;
  fields: ReadonlyMap<string, Field>;
}

export type YamlReader = ReturnType<typeof yamlReader>;

type Parse<T> = (text: string) => T | undefined;

/** Reads a file of rules: every value stays the text that was written, every mistake is collected with its place. */
export function yamlReader(text: string) {
  const { document, placeAt } = parseYaml(text, { schema: 'failsafe', stringKeys: true });
  const problems: Problem[] = [];
  const wrong = (at: Place, sentence: string) => {
    problems.push({ line: at.line, column: at.column, sentence });
  };
  const placeOf = (node: Node | null | undefined, otherwise: Place): Place =>
    node?.range ? placeAt(node.range[0]) : otherwise;

  function groupOf(node: Node | null, dotted: string, at: Place, known: readonly string[] | null) {
    const fields = new Map<string, Field>();
    if (!isMap(node)) {
      const sentence = `${dotted === '' ? 'the file' : dotted} must be a group of \`key: value\``;
      wrong(
        placeOf(node, at),
        known === null ? `${sentence}.` : `${sentence} with ${known.join(', ')}.`,
      );
      return { dotted, at, isGroup: false, fields };
    }
    for (const pair of node.items) {
      const { value: key, range } = pair.key as Scalar<string>;
      const keyAt = range ? placeAt(range[0]) : at;
      const value = pair.value as Node | null;
      const path = dotted === '' ? key : `${dotted}.${key}`;
      if (known === null || known.includes(key))
        fields.set(key, { key, dotted: path, node: value, keyAt, valueAt: placeOf(value, keyAt) });
      else wrong(keyAt, unknown(path, key, known));
    }
    return { dotted, at: placeOf(node, at), isGroup: true, fields };
  }

  /** One text; undefined: the value is empty, a list, a group or an alias, and that is among the problems. */
  function textOf({ dotted, node, valueAt }: Field, what: string): string | undefined {
    const value = isScalar(node) ? String(node.value).trim() : '';
    if (value !== '') return value;
    wrong(valueAt, `${dotted} is empty or not one value; it must be ${what}.`);
    return undefined;
  }

  /** What `parse` makes of a key's text; undefined: it is not there, or something else, which is among the problems. */
  function optional<T>(group: Group, key: string, what: string, parse: Parse<T>) {
    const field = group.fields.get(key);
    const text = field && textOf(field, what);
    const value = text === undefined ? undefined : parse(text);
    if (field && text !== undefined && value === undefined)
      wrong(field.valueAt, `${field.dotted} "${text}" is not ${what}.`);
    return value;
  }

  return {
    problems,
    wrong,
    text: textOf,
    optional,
    /** The same of a key that must be there. */
    required<T>(group: Group, key: string, what: string, parse: Parse<T>) {
      if (group.isGroup && !group.fields.has(key))
        wrong(group.at, `${group.dotted || 'the file'} has no ${key}; it must be ${what}.`);
      return optional(group, key, what, parse);
    },
    /** The day on which figures without one of their own were checked: `2026-11-27`. */
    checked: '',
    /** The whole file; undefined: it is no YAML, and that is among the problems. */
    root(known: readonly string[]): Group | undefined {
      const [error] = document.errors;
      if (error === undefined) return groupOf(document.contents, '', { line: 1, column: 1 }, known);
      const sentence = yamlSentence(error.message);
      wrong(placeAt(error.pos[0]), sentence === TWICE ? TWICE : `this is not YAML: ${sentence}`);
      return undefined;
    },
    /** @param known null: any key may stand there, and the caller decides */
    group(field: Field, known: readonly string[] | null): Group {
      return groupOf(field.node, field.dotted, field.valueAt, known);
    },
    /** The items of a list as fields `caps[0]`, `caps[1]`; a single value is a list of one. */
    items({ key, dotted, node, keyAt, valueAt }: Field): Field[] {
      const nodes = isSeq(node) ? (node.items as Node[]) : [node];
      if (nodes.length === 0)
        wrong(valueAt, `${dotted} is empty; give at least one, or leave the key out.`);
      return nodes.map((item, index) => {
        const at = placeOf(item, valueAt);
        return { key, dotted: `${dotted}[${index}]`, node: item, keyAt, valueAt: at };
      });
    },
    /** @throws AppError `RULES_INVALID`, if there are problems */
    done(path: string) {
      if (problems.length > 0) throw problemsError('RULES_INVALID', path, problems, HINT);
    },
  };
}

const HINT =
  'mend the file and run `callsheet rules check` on it; campaigns/rules/README.md explains every key';

function unknown(dotted: string, key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === undefined
    ? `"${dotted}" is not a key; known here are ${known.join(', ')}.`
    : `"${dotted}" is not a key; did you mean "${near}"?`;
}
