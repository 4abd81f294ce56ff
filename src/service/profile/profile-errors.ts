import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import { z } from 'zod';
import { messageOf, type AppError } from '../../runtime/errors.ts';
import { parseYaml, problemsError, type ParsedYaml, type Problem } from '../../runtime/yaml.ts';
import { nearest } from '../../text/nearest.ts';

/** @throws AppError `PROFILE_INVALID` */
export function readYaml(text: string, path: string) {
  const yaml = parseYaml(text);
  const error = yaml.document.errors[0];
  if (error !== undefined) throw invalid(path, yaml, error.pos[0], `${error.message}.`);
  try {
    return { ...yaml, text, value: yaml.document.toJS() as unknown };
  } catch (cause) {
    // The YAML has an alias without its anchor, or has so many aliases that they would fill the memory.
    throw invalid(path, yaml, 0, `${messageOf(cause)}.`);
  }
}

/** Every fault of a profile with its place; `problemsError` puts them in the order of the file. */
export function profileError(
  path: string,
  yaml: ReturnType<typeof readYaml>,
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
): AppError {
  const misspelt = issues
    .filter(({ code }) => code === 'unrecognized_keys')
    .map(({ path: at }) => at.join('.'));
  const problems = issues.flatMap((issue) => {
    const found = problemsOf(yaml, issue, schema);
    // A misspelt key causes two issues, "unknown" and "missing": the misspelling is what has to be corrected.
    const isMissing = found.some(({ sentence }) => sentence.endsWith('" is missing.'));
    return isMissing && misspelt.includes(issue.path.slice(0, -1).join('.')) ? [] : found;
  });
  return problemsError('PROFILE_INVALID', path, problems, HINT);
}

function problemsOf(
  yaml: ReturnType<typeof readYaml>,
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
): Problem[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, at);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const meant = near ? `the nearest known key is "${near}"` : `known here: ${known.join(', ')}`;
      const offset = offsetOf(yaml.document, [...at, key], 'key');
      const dotted = [...at, key].join('.');
      return { ...yaml.placeAt(offset), sentence: `"${dotted}" is not a known key; ${meant}.` };
    });
  }
  const key = at.join('.');
  const given = at.reduce<unknown>(
    (from, name) => (from as Record<string, unknown> | undefined)?.[name],
    yaml.value,
  );
  const { offset, isKey } = (issue.code === 'custom' ? issue.params : undefined) ?? {};
  const node = offsetOf(yaml.document, at, isKey === true ? 'key' : 'value');
  const place = typeof offset === 'number' ? inText(yaml.text, node, offset) : node;
  const sentence =
    given === undefined
      ? `"${key}" is missing.`
      : `"${key}" is ${JSON.stringify(given).slice(0, 80)}; ${reason(issue)}.`;
  return [{ ...yaml.placeAt(place), sentence }];
}

/**
 * The offset in the file of one character of a value, which may be quoted; for a value of several lines, of its start.
 */
function inText(yaml: string, start: number, offset: number): number {
  const quote = /['"]/.test(yaml[start] ?? '') ? 1 : 0;
  const isOneLine =
    !/[|>]/.test(yaml[start] ?? '') && !yaml.slice(start, start + offset).includes('\n');
  return isOneLine ? start + quote + offset : start;
}

function reason(issue: z.core.$ZodIssue): string {
  const nested = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return (nested ?? issue).message.replace(/^Invalid (input|option): /, '');
}

function invalid(path: string, yaml: ParsedYaml, offset: number, sentence: string): AppError {
  return problemsError('PROFILE_INVALID', path, [{ ...yaml.placeAt(offset), sentence }], HINT);
}

const HINT =
  'Compare it with campaigns/profiles/reference.yaml, which has every key; README.md beside it explains them.';

/**
 * The offset where a key or its value begins; for a missing key, where the innermost existing group around it begins.
 */
function offsetOf(document: Document, path: readonly string[], what: 'key' | 'value'): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const name = path[depth - 1] ?? '';
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    const isValue = what === 'value' && depth === path.length;
    const node = isSeq(parent)
      ? parent.items[Number(name)]
      : ((isValue ? pair?.value : undefined) ?? pair?.key);
    if (node !== undefined) return (node as Node).range?.[0] ?? 0;
  }
  return document.contents?.range?.[0] ?? 0;
}

function knownKeys(schema: z.ZodType, path: readonly string[]): string[] {
  let at = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const name of path) at = (at.properties?.[name] ?? {}) as typeof at;
  return Object.keys(at.properties ?? {});
}
