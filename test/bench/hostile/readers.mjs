// What `npm test` and `npm run bench:hostile` feed to every reader of outside text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What hostile texts repeat. */
export const UNITS = [
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
  ...[
    '1/',
    '("',
    '")',
    "('[",
    "\t'",
    '\t"',
    '=\t',
    ' -',
    '\u00a0\u200b-',
    "'=",
    '. ',
    '&#',
    '&amp;',
    'x1',
    '{{a',
    '%41',
  ],
  ...['- ', '; -', '\t- ', '12:30 ', '+12125550100/', '~{', '+A', '_x000', '%2', 'agent: a\n'],
];

/** What a reader needs besides the text. */
export const MORE = {
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
const NOT_OUTSIDE = {
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
  wrap: 'messages of the program, which cut what they quote',
  wrapped: 'messages of the program, which cut what they quote',
  readChoice: 'what an operator has typed',
  requireCountry: 'what an operator has typed',
  inside: 'takes no text',
  readPath: 'takes no text',
};

const NAMES = /^(text|cell|header|folded|part|word|head|written|prompt|transcript|body|digits)$/;

/** The exported functions of a module whose first parameter is text by its name and type. */
function readersOf(file) {
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
/** The exported readers of outside text: `file`, from the root, and `name`. */
export const READERS = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${folder}/${name.replaceAll('\\', '/')}`)
    .flatMap((file) => readersOf(file).map((name) => ({ file, name }))),
).filter(({ name }) => !(name in NOT_OUTSIDE));

/** How a hostile text is read: as one text, as the longest cells of a workbook, as cells. */
export const SHAPES = { whole: 1_000_000, 'cells of 32,000': 32_000, 'cells of 1,000': 1_000 };

const phone = (n) => `(${201 + (n % 2)}) ${200 + Math.floor(n / 2_000)}-${1_000 + (n % 9_000)}`;
/** A million characters of what honest cells have: a number of the United States each. */
export const HONEST = Array.from({ length: 66_666 }, (_, n) => phone((n * 10_007) % 1_598_000));

/** A million characters of a unit, in texts of the shape. */
export function textOf(unit, shape) {
  if (shape === 'honest') return HONEST;
  const all = unit.repeat(Math.ceil(1_000_000 / unit.length)).slice(0, 1_000_000);
  const size = SHAPES[shape];
  if (size >= all.length) return [`a${all}\n!`];
  return Array.from(
    { length: all.length / size },
    (_, n) => all.slice(n * size, (n + 1) * size - 1) + '!',
  );
}
