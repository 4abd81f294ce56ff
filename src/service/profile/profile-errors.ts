import { LineCounter } from 'yaml';
import type { Document } from 'yaml';
import { z } from 'zod';
import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';
import { parseYaml } from '../../runtime/yaml.ts';
import { nearest } from '../../text/nearest.ts';

export interface YamlDocument {
  text: string;
  value: unknown;
  document: Document;
  lines: LineCounter;
}

/** @throws AppError `PROFILE_INVALID` */
export function readYaml(text: string, path: string): YamlDocument {
  const lines = new LineCounter();
  const document = parseYaml(text, { lineCounter: lines });
  const error = document.errors[0];
  if (error !== undefined) throw invalid(path, lines, error.pos[0], `${error.message}.`);
  try {
    return { text, value: document.toJS() as unknown, document, lines };
  } catch (cause) {
    // An alias without its anchor, or so many that they would fill the memory.
    throw invalid(path, lines, 0, `${messageOf(cause)}.`);
  }
}

/** One of the issues as a sentence with its place; the rest is counted. */
export function profileError(
  path: string,
  { document, lines, value, text }: YamlDocument,
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
): AppError {
  // A misspelt key is missing under its right name as well: the slip is what to mend.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue === undefined) throw new Error('an error without an issue');
  const at = issue.path.map(String);
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const known = knownKeys(schema, at);
    const near = nearest(key, known);
    const next =
      near === undefined ? `known here: ${known.join(', ')}` : `the nearest known key is "${near}"`;
    const place = offsetOf(document, [...at, key], 'key');
    const dotted = [...at, key].join('.');
    return invalid(path, lines, place, `"${dotted}" is not a known key; ${next}${more}.`);
  }
  const key = at.join('.');
  const given = at.reduce<unknown>((from, name) => (from as Record<string, unknown>)[name], value);
  const { offset, isKey } = (issue.code === 'custom' ? issue.params : undefined) ?? {};
  const node = offsetOf(document, at, isKey === true ? 'key' : 'value');
  const place = typeof offset === 'number' ? inText(text, node, offset) : node;
  const sentence =
    given === undefined
      ? `"${key}" is missing`
      : `"${key}" is ${JSON.stringify(given).slice(0, 80)}; ${reason(issue)}`;
  return invalid(path, lines, place, `${sentence}${more}.`);
}

/** A sign within a text that may stand in quotes; one that goes over lines is named by its beginning. */
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

function invalid(path: string, lines: LineCounter, offset: number, sentence: string): AppError {
  const { line, col } = lines.linePos(offset);
  return new AppError('PROFILE_INVALID', `${path}:${line}:${col}: ${sentence}`, {
    hint: 'Compare it with campaigns/profiles/voice-agent.yaml, which explains every key.',
    exitCode: EXIT.usage,
  });
}

/** Where a key or its value begins; for what is missing, where the object begins that lacks it. */
function offsetOf(document: Document, path: readonly string[], what: 'key' | 'value'): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent: unknown =
      depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const items = (parent as { items?: YamlItem[] } | undefined)?.items ?? [];
    const item = items.find((each, index) => keyOf(each, index) === path[depth - 1]);
    if (item === undefined) continue;
    // An item of a list is its own value; a pair has a key and perhaps a value.
    const isValue = item.key === undefined || (what === 'value' && depth === path.length);
    const node = item.key === undefined ? item : isValue ? (item.value ?? item.key) : item.key;
    return node.range?.[0] ?? 0;
  }
  return document.contents?.range?.[0] ?? 0;
}

interface YamlItem {
  key?: { value?: unknown; range?: [number, number, number] };
  value?: { range?: [number, number, number] };
  range?: [number, number, number];
}

function keyOf(item: YamlItem, index: number): string {
  return item.key === undefined ? String(index) : String(item.key.value);
}

function knownKeys(schema: z.ZodType, path: readonly string[]): string[] {
  let at = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const name of path) at = (at.properties?.[name] ?? {}) as typeof at;
  return Object.keys(at.properties ?? {});
}
