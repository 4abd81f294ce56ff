import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { HOLIDAY_REGIONS } from '../../domain/calling/holidays.ts';
import type { CallingLimits } from '../../domain/calling/policy.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { usageError } from '../../runtime/errors.ts';
import { readAtBuild, yamlNames } from '../../runtime/yaml.ts';
import { nearest } from '../../text/nearest.ts';
import { packageRoot } from '../../runtime/files.ts';
import { asSentence } from '../../text/wording.ts';
import { isPath } from '../campaign-file.ts';
import { country } from '../fields.ts';
import { readConfigFile } from '../yaml-file.ts';
import {
  nearestRegion,
  yamlReader,
  type Field,
  type Figure,
  type Group,
  type RuleFile,
  type YamlReader,
} from './rule-file.ts';
import {
  LIMITS,
  periodText,
  provenance,
  readChecked,
  readDuration,
  readLimits,
} from './read-limits.ts';

const KEYS = [
  ...['about', 'for', 'checked', ...LIMITS, 'lists', 'consent', 'regions'],
  ...['everybody', 'byCountry'],
];
const PROVENANCE = ['source', 'grade', 'checked'];
const SPLIT_COUNTRIES = ['US', 'CA'];

/**
 * Reads the text of a rule file.
 * @param file.name the rule's name, of the file
 * @throws AppError `RULES_INVALID` (exit 2): all problems of the file, each with line and column
 */
export function readRule(
  text: string,
  { name, path, shipped }: { name: string; path: string; shipped: boolean },
): RuleFile {
  const reader = yamlReader(text);
  const root = reader.root(KEYS);
  const file = root === undefined ? undefined : readFile(reader, root, name);
  reader.done(path);
  if (file === undefined) throw new Error('a rule file without a value or a problem');
  return { ...file, path, shipped };
}

function readFile(reader: YamlReader, root: Group, name: string) {
  const { fields } = root;
  const figures: Figure[] = [];
  reader.checked = readChecked(reader, root) ?? '';
  if (!fields.has('about')) reader.wrong(root.at, 'about is missing; say in a line what it is.');
  const limits = readLimits(reader, root, '', figures);
  const listAge = readLists(reader, fields.get('lists'), figures);
  const { required, maxAgeMs } = readConsent(reader, fields.get('consent'), figures);
  return {
    about: reader.optional(root, 'about', 'a line on what the rule is', String) ?? '',
    appliesTo: readCountries(reader, fields.get('for')),
    rule: { name, ...limits, regions: readRegions(reader, fields.get('regions'), figures) },
    listAge,
    consentRequired: required,
    consentMaxAgeMs: maxAgeMs,
    figures,
    ...readParts(reader, fields),
  };
}

function readCountries(reader: YamlReader, field: Field | undefined): string[] {
  if (field === undefined) return [];
  return reader.items(field).flatMap((item) => {
    const text = reader.text(item, 'a two-letter country code such as US, or a list of them') ?? '';
    const code = text === 'none' ? undefined : country.safeParse(text).data;
    if (typeof code === 'string') return [code];
    if (text !== '')
      reader.wrong(
        item.valueAt,
        `${item.dotted} "${text}" is not a country code such as US or FR.`,
      );
    return [];
  });
}

function readParts(reader: YamlReader, fields: Group['fields']): Pick<RuleFile, 'parts'> {
  const [field, list] = [fields.get('everybody'), fields.get('byCountry')];
  if (field === undefined || list === undefined) return {};
  const nameIn = (one: Field) => reader.text(one, 'the name of a rule of callsheet') ?? '';
  const byCountry = reader.items(list).map(nameIn);
  return { parts: { everybody: nameIn(field), byCountry } };
}

function readLists(reader: YamlReader, field: Field | undefined, figures: Figure[]) {
  if (field === undefined) return null;
  const group = reader.group(field, ['maxAge', 'registry', 'byArea', ...PROVENANCE]);
  if (!group.isGroup) return null;
  const ms = readDuration(reader, group, 'maxAge', [DAY_MS, 366 * DAY_MS]) ?? null;
  const registry = reader.optional(group, 'registry', 'the name of a registry', String) ?? null;
  const byArea = reader.optional(group, 'byArea', ...FLAG) ?? false;
  const value = ms === null ? '' : `${registry ?? 'a registry'}, at most ${periodText(ms)} old`;
  figures.push({ where: 'lists', value, ...provenance(reader, group) });
  return ms === null ? null : { ms, registry, byArea };
}

function readConsent(reader: YamlReader, field: Field | undefined, figures: Figure[]) {
  const none = { required: false, maxAgeMs: null };
  if (field === undefined) return none;
  const group = reader.group(field, ['required', 'maxAge', ...PROVENANCE]);
  if (!group.isGroup) return none;
  const required = reader.optional(group, 'required', ...FLAG);
  if (!group.fields.has('required'))
    reader.wrong(group.at, `${field.dotted}.required is missing; it must be true or false.`);
  const maxAgeMs = group.fields.has('maxAge')
    ? (readDuration(reader, group, 'maxAge', [DAY_MS, 3_650 * DAY_MS]) ?? null)
    : null;
  const age = maxAgeMs === null ? '' : `, at most ${periodText(maxAgeMs)} old`;
  const value = required === true ? `required: a column of the list says so${age}` : 'not required';
  figures.push({ where: 'consent', value, ...provenance(reader, group) });
  return { required: required === true, maxAgeMs };
}

/** What a flag must be, and what it is. */
const FLAG = [
  'true or false',
  (text: string) => (/^(true|false)$/.test(text) ? text === 'true' : undefined),
] as const;

function readRegions(reader: YamlReader, field: Field | undefined, figures: Figure[]) {
  const regions: Record<string, CallingLimits> = {};
  if (field === undefined) return regions;
  for (const own of reader.group(field, null).fields.values()) {
    const group = reader.group(own, LIMITS);
    for (const region of own.key.split(',').map((one) => one.trim())) {
      const twice = Object.hasOwn(regions, region) ? 'is named twice; name it once' : undefined;
      const trouble = twice ?? regionTrouble(region);
      if (trouble !== undefined)
        reader.wrong(own.keyAt, `regions: "${region}" ${asSentence(trouble)}`);
      else regions[region] = readLimits(reader, group, `${region} `, figures);
    }
  }
  return regions;
}

/** A region that no person can have would be a limit that never holds, without anybody noticing. */
function regionTrouble(region: string): string | undefined {
  const [code = '', state] = region.split('-');
  if (
    !/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(region) ||
    typeof country.safeParse(code).data !== 'string'
  ) {
    const near = nearestRegion(region);
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    return `is not a country or state in ISO 3166 such as US or US-FL${meant}`;
  }
  if (state === undefined || HOLIDAY_REGIONS.includes(region)) return undefined;
  if (!SPLIT_COUNTRIES.includes(code))
    return `would hold for nobody: callsheet tells states apart in ${SPLIT_COUNTRIES.join(' and ')} only; use ${code}`;
  const near = nearestRegion(region);
  return `is not a state of ${code}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/**
 * Finds and reads a rule file. A name is looked up in `rules/` beside the campaign file, in `campaigns/rules/` of
 * `home`, then in the package; a path (with a slash or `.yaml`) is used directly, from `beside` if it is relative.
 * @param beside the folder of the campaign file, absolute, if there is one
 * @param home the folder that holds `campaigns/`, absolute, if it is not the package's own
 */
export function loadRule(name: string, beside: string | undefined, home?: string): RuleFile {
  const own = [
    ...(beside === undefined ? [] : [join(beside, 'rules')]),
    ...(home === undefined ? [] : [rulesOf(home)]),
  ];
  const places = isPath(name)
    ? [resolve(beside ?? '', name)]
    : [...own, rulesOf(packageRoot())].map((folder) => join(folder, `${name}.yaml`));
  const path = places.find((place) => existsSync(place) && statSync(place).isFile());
  if (path === undefined) throw notFound(name, places);
  const called = basename(path).replace(/\.ya?ml$/i, '');
  const shipped = isShipped(path, called);
  if (!shipped && ruleNames().includes(called)) {
    const message = `The file ${path} has the name of a rule that comes with callsheet; the name "${called}" means that one alone.`;
    throw usageError(
      'RULES_NAME_TAKEN',
      message,
      'give the file another name, and name it in `rules`',
    );
  }
  const text = textOf(path);
  const known = lastRead.get(path);
  if (known?.text === text) return known.rule;
  const atBuild = shipped ? (readAtBuild(text) as RuleFile | undefined) : undefined;
  const rule = atBuild ? { ...atBuild, path } : readRule(text, { name: called, path, shipped });
  lastRead.set(path, { text, rule });
  return rule;
}

/** By path. The files of `local` are read for a campaign's settings and again for its duties: 60 ms each time. */
const lastRead = new Map<string, { text: string; rule: RuleFile }>();

/**
 * The rules of files, each once. A file with parts stands for its parts, and a rule named itself holds for everybody,
 * even if another file names it for its own countries only.
 */
export function allParts(files: readonly RuleFile[]): RuleFile[] {
  const all = files.flatMap((file) => (file.parts === undefined ? [file] : partsOf(file.parts)));
  const isWide = ({ rule }: RuleFile) => rule.only === undefined;
  const wide = new Map(all.filter(isWide).map((file) => [file.path, file]));
  const narrow = all.filter((file) => !isWide(file) && !wide.has(file.path));
  return [...wide.values(), ...new Map(narrow.map((file) => [file.path, file])).values()];
}

function partsOf({ everybody, byCountry }: NonNullable<RuleFile['parts']>): RuleFile[] {
  const own = byCountry.map((name) => {
    const file = loadRule(name, undefined);
    return { ...file, rule: { ...file.rule, only: file.appliesTo } };
  });
  return [loadRule(everybody, undefined), ...own];
}

/** Compares bytes: the package may be reached by a link, and another installation has the same files. */
function isShipped(path: string, name: string): boolean {
  const file = join(rulesOf(packageRoot()), `${name}.yaml`);
  return existsSync(file) && textOf(file) === textOf(path);
}

/** The names of the rules below a folder that holds `campaigns/`, in order; default: of those that come with callsheet. */
export function ruleNames(home = packageRoot()): string[] {
  return yamlNames(rulesOf(home)).filter((name) => name !== 'zone-overrides');
}

/** The folder of rule files below a folder that holds `campaigns/`. */
export function rulesOf(home: string): string {
  return join(home, 'campaigns', 'rules');
}

function textOf(path: string): string {
  return readConfigFile(path, '', 'rule file', { code: 'RULES_NOT_FOUND' });
}

function notFound(name: string, places: readonly string[]) {
  const known = ruleNames();
  const next = `name one of ${known.join(', ')}, or the path of a file of your own`;
  if (isPath(name))
    return usageError('RULES_NOT_FOUND', `There is no rule file ${places.join(', ')}.`, next);
  const near = nearest(name, known);
  const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
  const looked = [...new Set(places)].join(', ');
  return usageError(
    'RULES_NOT_FOUND',
    `There are no rules "${name}"${meant}; looked for ${looked}.`,
    next,
  );
}
