import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Characters. */
const SIZE = 32_000;
/** For these, a quadratic reader needs more; a linear one some 10 ms. */
const LIMIT_MS = 2_000;
/** Some readers take cells up to this length alone. */
const CELL = 1_000;

const UNITS = [
  ...[
    '0',
    '1',
    'a',
    'Aa',
    '-',
    '.',
    ',',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '"',
    "'",
    '""',
    "'\\''",
    '(',
    '()',
  ],
  ...[
    '[',
    '{',
    '{{',
    '/',
    '//',
    '\\',
    '+',
    '+1 ',
    '=',
    ';',
    '|',
    '<!---->',
    '<',
    '<a>',
    '<a b="c">',
  ],
  ...[
    '\u0301',
    'a\u0301',
    '\u200b',
    '年',
    '１',
    '\ud800',
    'a@',
    'a@a.',
    'no.',
    '0.',
    '0,',
    '"a',
    'a: ',
  ],
  ...['- ', '; -', '\t- ', '12:30 ', '+12125550100/', '~{', '+A', '_x000', '%2', 'agent: a\n'],
];

/** What a reader needs besides the text. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  promptNames: ['{name}'],
  isTurned: [() => true],
  readRefusal: ['2026-01-05'],
  whatIsSaid: ['2026-01-05'],
  whenRefused: ['2026-01-05'],
  readBothWays: [{ country: 'US', style: undefined }],
  everyNumber: ['US'],
  plainPhone: ['US'],
  parsePhone: ['US'],
  parseFully: ['US'],
  readPhone: [{ country: 'US', style: undefined }],
  readPlus: [{ country: 'US', style: undefined, isSaid: false }],
  postalPlace: ['US'],
  stateNamed: ['US'],
  zoneNamed: ['US'],
  nearest: [['alpha', 'beta']],
};

/** Those whose text is the program's own, or that take what others have read; and why. */
const NOT_OUTSIDE: Readonly<Record<string, string>> = {
  beginsLikeCode: 'digits of a cell of 31 characters',
  dotsMatchFormat: 'beside a number that was read',
  lacksDigits: 'beside a number that was read',
  refuseNumber: 'beside a number that was read',
  codeMayLack: 'beside a number that was read',
  compileExpression: 'of a profile, which is a file of the operator',
  parsePath: 'of a profile',
  parseFieldPath: 'of a profile',
  loadProfile: 'a file of the operator',
  readYaml: 'a file of the operator',
  parseAddress: 'a setting of the operator',
  fillPath: 'of a profile',
  readDialBody: 'JSON, whose texts are read by others here',
  readTranscriptBody: 'needs a profile',
  formatByEnding: 'the name of a file',
  isGlob: 'the name of a file',
  everyNumber: 'linear, by pieces, but the library needs some 60 ms for 1,000 characters',
  wrap: 'messages of the program, which cut what they quote',
  wrapped: 'messages of the program, which cut what they quote',
  readChoice: 'what an operator has typed',
  requireCountry: 'what an operator has typed',
  inside: 'takes no text',
  readPath: 'takes no text',
};

const NAMES = /^(text|cell|header|folded|part|word|head|written|prompt|transcript|body|digits)$/;

/** The exported functions of a module whose first parameter is text by its name and type. */
function readersOf(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  return source.statements.flatMap((statement) => {
    if (!ts.isFunctionDeclaration(statement)) return [];
    const isExported = statement.modifiers?.some(
      ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
    );
    const [first] = statement.parameters;
    const name = first?.name.getText() ?? '';
    const type = first?.type?.getText() ?? '';
    const isText =
      (type === 'string' && NAMES.test(name)) || (type === 'unknown' && name === 'value');
    return isExported === true && isText ? [statement.name?.text ?? ''] : [];
  });
}

const FOLDERS = ['domain', 'text', 'leads', 'service'];
const READERS = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${folder}/${name.replaceAll('\\', '/')}`)
    .flatMap((file) => readersOf(file).map((name) => ({ file, name }))),
).filter(({ name }) => !(name in NOT_OUTSIDE));

/** True where reading takes too long. What a reader throws is an answer, too. */
function isTooLong(read: (text: string) => unknown, text: string): boolean {
  const run = () => {
    try {
      read(text);
    } catch {
      // An answer; the end of the time is thrown past this, by the context.
    }
  };
  try {
    runInNewContext('run()', { run }, { timeout: LIMIT_MS });
    return false;
  } catch {
    return true;
  }
}

describe(`${UNITS.length} hostile texts take linear time`, () => {
  it.each(READERS)('$name of $file', async ({ file, name }) => {
    const module = (await import(join(ROOT, file))) as Record<
      string,
      (...given: unknown[]) => unknown
    >;
    const read = (text: string) => module[name]?.(text, ...(MORE[name] ?? []));
    const slow = UNITS.flatMap((unit) => {
      const text = unit.repeat(Math.ceil(SIZE / unit.length));
      const cells = (whole: string) => {
        for (let at = 0; at < whole.length; at += CELL) read(whole.slice(at, at + CELL - 1) + '!');
      };
      return isTooLong(read, `a${text}\n!`) || isTooLong(cells, text) ? [unit] : [];
    });
    expect(slow).toEqual([]);
  });
});
