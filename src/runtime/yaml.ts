import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { CST, Document, isScalar, Lexer, LineCounter, parseDocument, YAMLParseError } from 'yaml';
import type { DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';
import { usageError, type AppError } from './errors.ts';

/** A settings file has a few kB; a larger one is a mistake or an attack, and would block the process that reads it. */
const LARGEST_BYTES = 1_048_576;
/** The deepest nesting of groups on one line; indentation may be this many levels of 8 columns. */
const DEEPEST = 64;
const WIDEST_INDENT = 8 * DEEPEST;
/** Bounded, as a file of 1 MB that consists of brackets and commas would take minutes. */
const MOST_TOKENS = 100_000;
/** To find duplicate keys, each key is compared with all keys before it in its group: enough for about 1,000 keys. */
const MOST_COMPARED = 500_000;

type Options = ParseOptions & DocumentOptions & SchemaOptions;

/** The text of a settings file; of a file above `LARGEST_BYTES`, one byte more than the limit. @throws as `node:fs` */
export function readSettingsFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(LARGEST_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

/** The names of the YAML files of a folder, without their ending, in order; none where there is no folder. */
export function yamlNames(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? []).sort();
}

/**
 * What the build has read of a file that comes with callsheet, found by its text: to parse a profile and the rules takes
 * 150 ms. Undefined for any other text, and where the program runs from its sources.
 */
export function readAtBuild(text: string): unknown {
  const file = new URL('./read-at-build.json', import.meta.url);
  atBuild ??= existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as typeof atBuild) : {};
  return atBuild?.[textKey(text)];
}
let atBuild: Record<string, unknown> | undefined;

export function textKey(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** A place in a file, counted from 1 as in editors. */
export interface Place {
  line: number;
  column: number;
}

/** A sentence about one place of a file. */
export interface Problem extends Place {
  sentence: string;
}

export type ParsedYaml = ReturnType<typeof parseYaml>;

/** As `parseDocument`, in bounded time: an exceeded limit is one of the document's errors, with its place. */
export function parseYaml(text: string, options: Options = {}) {
  const lines = new LineCounter();
  const document = boundedDocument(text, { ...options, lineCounter: lines });
  /** @param offset an offset in the text, such as the ranges of nodes and the positions of errors */
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  return { document, placeAt };
}

/** All problems of a file as one error (exit 2), each with file:line:column. */
export function problemsError(
  code: string,
  path: string,
  problems: readonly Problem[],
  hint: string,
): AppError {
  const lines = problems
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, sentence }) => `${path}:${line}:${column}: ${sentence}`);
  const message = lines.length === 1 ? lines : [`${path} has ${lines.length} problems:`, ...lines];
  return usageError(code, message, hint);
}

/** The parser's message without its advice to programmers. */
export function yamlSentence(message: string): string {
  if (message.startsWith('Map keys must be unique')) return TWICE;
  if (message.startsWith('Source contains multiple documents')) {
    return 'it has several documents (`---`); one is allowed.';
  }
  return message.endsWith('.') ? message : `${message}.`;
}

export const TWICE = 'this key is given twice.';

function boundedDocument(text: string, options: Options): Document {
  if (Buffer.byteLength(text) > LARGEST_BYTES) {
    const message = 'it is larger than 1 MB (1,048,576 bytes), which no file of settings is';
    return broken(options, text, 0, message);
  }
  const limit = limitOf(text);
  if (limit !== undefined) return broken(options, text, limit.at, limit.message);
  let compared = 0;
  return parseDocument(text, {
    ...options,
    prettyErrors: false,
    uniqueKeys: (a, b) => {
      compared += 1;
      // The parser turns this exception into one of the document's errors, with its place.
      if (compared > MOST_COMPARED) throw new Error('it has more than some 1,000 keys in a group');
      return a === b || (isScalar(a) && isScalar(b) && a.value === b.value);
    },
  });
}

/** The first limit that the text exceeds. Uses the lexer, as the recursive parser could overflow the stack. */
function limitOf(text: string): { at: number; message: string } | undefined {
  let [at, tokens, flow, inLine] = [0, 0, 0, 0];
  let isScalarNext = false;
  for (const token of new Lexer().lex(text)) {
    const type: CST.TokenType | null = isScalarNext ? null : CST.tokenType(token);
    isScalarNext = type === 'scalar';
    tokens += 1;
    if (tokens > MOST_TOKENS) return { at, message: 'it has more than 100,000 words and signs' };
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') flow = Math.max(0, flow - 1);
    else if (type === 'newline' || type === 'comma') inLine = 0;
    else if (GROUPING.has(type ?? '')) inLine += 1;
    const isIndented = type === 'space' && token.length > WIDEST_INDENT;
    if (flow > DEEPEST || inLine > DEEPEST || isIndented)
      return { at, message: `it has groups in groups more than ${DEEPEST} deep` };
    // Marks that the lexer inserts are not a part of the text.
    if (!OF_LEXER.has(type ?? '')) at += token.length;
  }
  return undefined;
}

const GROUPING = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);
const OF_LEXER = new Set(['doc-mode', 'flow-error-end', 'scalar']);

function broken({ lineCounter }: Options, text: string, at: number, message: string): Document {
  lineCounter?.addNewLine(0);
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1))
    lineCounter?.addNewLine(end + 1);
  const document = new Document(null);
  document.errors.push(new YAMLParseError([at, at + 1], 'RESOURCE_EXHAUSTION', message));
  return document;
}
