import { closeSync, openSync, readSync } from 'node:fs';
import { CST, Document, isScalar, Lexer, parseDocument, YAMLParseError } from 'yaml';
import type { DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';

/** A file of settings has some kB; more of it is a mistake or an attack, and would hold up whoever reads it. */
const LARGEST_BYTES = 1_048_576;
/** Groups within groups on one line; by indentation so many times that many. */
const DEEPEST = 64;
const WIDEST_INDENT = 8 * DEEPEST;
/** A file of 1 MB with one sign after the other would take minutes. */
const MOST_TOKENS = 100_000;
/** Each key is compared with those before it in its group: some 1,000 of them. */
const MOST_COMPARED = 500_000;

type Options = ParseOptions & DocumentOptions & SchemaOptions;

/** The text of a file of settings, no more of it than shows that it is too large. @throws as `node:fs` */
export function readSettingsFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(LARGEST_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

/** As `parseDocument`, in bounded time: what goes beyond is one of the document's errors, with its place. */
export function parseYaml(text: string, options: Options = {}): Document {
  if (Buffer.byteLength(text) > LARGEST_BYTES)
    return broken(
      options,
      text,
      0,
      'it is larger than 1 MB (1,048,576 bytes), which no file of settings is',
    );
  const limit = limitOf(text);
  if (limit !== undefined) return broken(options, text, limit.at, limit.message);
  let compared = 0;
  return parseDocument(text, {
    ...options,
    prettyErrors: false,
    uniqueKeys: (a, b) => {
      compared += 1;
      // The parser makes an error of it, with its place.
      if (compared > MOST_COMPARED) throw new Error('it has more than some 1,000 keys in a group');
      return a === b || (isScalar(a) && isScalar(b) && a.value === b.value);
    },
  });
}

/** What is too much, found before the parser, which calls itself for each group within a group, could run out of stack. */
function limitOf(text: string): { at: number; message: string } | undefined {
  let [at, tokens, flow, inLine] = [0, 0, 0, 0];
  let isScalarNext = false;
  for (const token of new Lexer().lex(text)) {
    const type: CST.TokenType | null = isScalarNext ? null : CST.tokenType(token);
    isScalarNext = type === 'scalar';
    tokens += 1;
    if (tokens > MOST_TOKENS)
      return {
        at,
        message: `it has more than ${MOST_TOKENS.toLocaleString('en')} words and signs`,
      };
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') flow = Math.max(0, flow - 1);
    else if (type === 'newline' || type === 'comma') inLine = 0;
    else if (GROUPING.has(type ?? '')) inLine += 1;
    const isIndented = type === 'space' && token.length > WIDEST_INDENT;
    if (flow > DEEPEST || inLine > DEEPEST || isIndented)
      return { at, message: `it has groups in groups more than ${DEEPEST} deep` };
    // Marks of the lexer's own are no part of the text.
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
