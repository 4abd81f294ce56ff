import { resolve } from 'node:path';
import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Scalar } from 'yaml';
import { fileTroubleOf } from '../domain/file-trouble.ts';
import { usageError } from '../runtime/errors.ts';
import {
  parseYaml,
  readSettingsFile,
  TWICE,
  yamlSentence,
  type Place,
  type Problem,
} from '../runtime/yaml.ts';

/** One key of a YAML file, dotted if it is in a group: `polling: { floor: 1s }` is `polling.floor`. */
export interface Entry {
  key: string;
  /** Text, a list of texts or of groups of them, or '' for no value. Never a number: `007` and `+12125550123` stay as written. */
  value: string | unknown[];
  keyAt: Place;
  valueAt: Place;
}

/**
 * Reads YAML into dotted keys, in file order. The failsafe schema of YAML 1.2 is used: every value
 * stays the text that was written, so that a phone number or an ID with leading zeros cannot become a number.
 */
export function readEntries(text: string): { entries: Entry[]; problems: Problem[] } {
  const { document, placeAt } = parseYaml(text, { schema: 'failsafe', stringKeys: true });
  const problems = document.errors.map((error) => ({
    ...placeAt(error.pos[0]),
    sentence: `this is not YAML: ${yamlSentence(error.message)}`,
  }));
  // After the first syntax error the rest is misread, so only that error is reported; keys given twice are each
  // reported.
  const broken = problems.find(({ sentence }) => !sentence.endsWith(TWICE));
  if (problems.length > 0)
    return { entries: [], problems: broken ? [broken] : problems.slice(0, MOST_TWICE) };
  if (document.contents !== null && !isMap(document.contents)) {
    const place = placeAt(document.contents.range?.[0] ?? 0);
    const sentence = 'this is not a list of `key: value` lines';
    return { entries: [], problems: [{ ...place, sentence }] };
  }
  const entries = collect(document, document.contents, placeAt, problems);
  // With too many aliases, the entries read so far are incomplete, so they are not used.
  const endless = problems.find(({ sentence }) => sentence.endsWith(TOO_MANY_ALIASES));
  return endless === undefined ? { entries, problems } : { entries: [], problems: [endless] };
}

/**
 * Reads a configuration file.
 *
 * @param given.code the code of the error
 * @param given.hint what to do if the file does not exist; default: to check the path
 * @throws AppError with that code if the file does not exist or cannot be read (exit 2)
 */
export function readConfigFile(
  path: string,
  cwd: string,
  what: string,
  { code, hint }: { code: string; hint?: string },
): string {
  const absolute = resolve(cwd, path);
  try {
    return readSettingsFile(absolute);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code;
    const trouble = fileTroubleOf(cause, 'read');
    const sentence =
      why === 'ENOENT' || why === 'ENOTDIR'
        ? `There is no ${what} "${path}" (looked for ${absolute}).`
        : `The ${what} "${path}" ${trouble.is}.`;
    const next = why === 'ENOENT' ? (hint ?? trouble.check) : trouble.check;
    throw usageError(code, sentence, next, cause);
  }
}

/** More messages of the same kind would add nothing. */
const MOST_TWICE = 3;
/** Groups nested deeper than this are not followed; no known key is. Anchors that contain each other stop here. */
const MAX_DEPTH = 4;
/** Resolving an alias walks the whole file, and aliases of aliases multiply. */
const MOST_ALIASES = 100;
const TOO_MANY_ALIASES = `more than ${MOST_ALIASES} times.`;

function collect(
  document: Document,
  root: Node | null,
  placeAt: (at: number) => Place,
  problems: Problem[],
): Entry[] {
  const entries: Entry[] = [];
  let aliases = 0;
  const visit = (node: Node | null | undefined, path: string[], keyAt: Place, depth: number) => {
    if (isAlias(node)) aliases += 1;
    if (isAlias(node) && aliases > MOST_ALIASES) {
      const sentence = `the file uses its anchors (*${node.source}) ${TOO_MANY_ALIASES}`;
      if (aliases === MOST_ALIASES + 1)
        problems.push({ ...placeAt(node.range?.[0] ?? 0), sentence });
      return;
    }
    const target = isAlias(node) ? node.resolve(document) : node;
    if (isAlias(node) && target === undefined) {
      const sentence = `there is no anchor &${node.source}.`;
      problems.push({ ...placeAt(node.range?.[0] ?? 0), sentence });
      return;
    }
    if (isMap(target) && target.items.length > 0 && depth < MAX_DEPTH) {
      for (const pair of target.items) {
        const key = pair.key as Scalar<string>;
        const at = placeAt(key.range?.[0] ?? 0);
        visit(pair.value as Node | null, [...path, key.value], at, depth + 1);
      }
      return;
    }
    if (path.length === 0) return;
    const value = isSeq(target) ? target.items.map(itemOf) : (textOf(target) ?? '');
    const offset = node?.range?.[0];
    const valueAt = offset === undefined ? keyAt : placeAt(offset);
    entries.push({ key: path.join('.'), value, keyAt, valueAt });
  };
  visit(root, [], { line: 1, column: 1 }, 0);
  return entries;
}

/** An item of a list; a group keeps its texts and lists of texts, and nothing deeper. */
function itemOf(node: unknown): unknown {
  if (!isMap(node)) return textOf(node);
  const pairs = node.items.map(({ key, value }) => [
    (key as Scalar<string>).value,
    isSeq(value) ? value.items.map(textOf) : textOf(value),
  ]);
  return Object.fromEntries(pairs) as unknown;
}

function textOf(node: unknown): string | undefined {
  return isScalar(node) ? String(node.value) : undefined;
}
