import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { usageError } from '../../runtime/errors.ts';
import { readSettingsFile } from '../../runtime/yaml.ts';
import { nearest } from '../../text/nearest.ts';
import { isPath } from '../campaign-file.ts';
import { packageRoot } from '../package-root.ts';
import { readRule } from './read-rule.ts';
import type { RuleFile } from './rule-file.ts';

/** Files of the folder that are not rules. */
const OTHER_FILES = ['zone-overrides.yaml'];

/**
 * Finds and reads a rule file. A name is looked up in `rules/` beside the campaign file, in `campaigns/rules/` of `home`,
 * then in the package; a path (with a slash or `.yaml`) is used directly, from `beside` if it is relative.
 *
 * @param beside the folder of the campaign file, absolute, if there is one
 * @param home the folder that holds `campaigns/`, absolute, if it is not the package's own
 * @throws AppError `RULES_NOT_FOUND`, `RULES_INVALID`, `RULES_NAME_TAKEN` (exit 2)
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
  if (!shipped && shippedRules().includes(called)) {
    const message = `The file ${path} has the name of a rule that comes with callsheet; the name "${called}" means that one alone.`;
    throw usageError(
      'RULES_NAME_TAKEN',
      message,
      'give the file another name, and name it in `rules`',
    );
  }
  return readRule(textOf(path), { name: called, path, shipped });
}

/**
 * The rules that files come to, each once: a file with parts stands for them, and a rule that is named itself holds for
 * everybody, also where another one has it for its own countries alone.
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

/** By its bytes: the folder of the package may be reached by a link, and another installation has the same files. */
function isShipped(path: string, name: string): boolean {
  const file = join(rulesOf(packageRoot()), `${name}.yaml`);
  return existsSync(file) && textOf(file) === textOf(path);
}

/** The names of the rules that come with callsheet, in order. */
export function shippedRules(): string[] {
  return readdirSync(rulesOf(packageRoot()))
    .filter((file) => file.endsWith('.yaml') && !OTHER_FILES.includes(file))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/** The folder of rule files below a folder that holds `campaigns/`. */
export function rulesOf(home: string): string {
  return join(home, 'campaigns', 'rules');
}

function textOf(path: string): string {
  try {
    return readSettingsFile(path);
  } catch (cause) {
    const { is, check } = fileTroubleOf(cause, 'read');
    throw usageError('RULES_NOT_FOUND', `The rule file ${path} ${is}.`, check, cause);
  }
}

function notFound(name: string, places: readonly string[]) {
  const known = shippedRules();
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
