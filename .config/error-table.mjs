// The tables of src/cli/errors.md: which codes there are, their anchors and their exit codes come from the
// source; what a code means and what to do is written into its row by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words in capitals that are no code of an error: variables, SQLite's own codes, kinds of numbers and the like. */
const NO_CODES =
  /^(?:SQLITE_|CALLSHEET_|VOICE_|CSV_MAX_|UND_ERR_|(?:NO|FORCE)_COLOR$|FIXED_LINE|PERSONAL_NUMBER$|PREMIUM_RATE$|SHARED_COST$|TOLL_FREE$|TOO_LONG$|RESOURCE_EXHAUSTION$|NOTIFY_SOCKET$|WATCHDOG_|LISTEN_(?:PID|FDS|FDNAMES)$)/;
const CODE = /'((?:[A-Z][A-Z0-9]+_)+[A-Z0-9]+|USAGE|UNEXPECTED)'/g;
const ROW = /^\| (?:<a id="\w+"><\/a>)?`(\w+)` *\| ([^|]*?) *\| ([^|]*?) *\| ([^|]*?) *\|$/gm;

/**
 * The codes that the source raises, each with the exit codes that stand where it is raised; none where the
 * place takes it from elsewhere.
 *
 * @param {string} src the folder
 * @param {Record<string, number>} exits `EXIT` of the program
 * @returns {Map<string, number[]>}
 */
export function raisedCodes(src, exits) {
  const codes = new Map();
  for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    // What the pages of the console raise stays in the browser, which shows what to do.
    if (!name.endsWith('.ts') || name.includes('console/pages/')) continue;
    const text = withoutComments(readFileSync(join(src, name), 'utf8'));
    for (const [, code] of text.matchAll(CODE)) {
      if (NO_CODES.test(code)) continue;
      codes.set(code, [...(codes.get(code) ?? []), ...exitsAt(text, code, exits)]);
    }
  }
  return codes;
}

/**
 * The page with a row for each code and none for others. A new code comes last, with its words still to be
 * written; a row that is right stays as it is.
 *
 * @param {string} page
 * @param {Map<string, number[]>} codes
 * @returns {string}
 */
export function withErrorCodes(page, codes) {
  const missing = new Set(codes.keys());
  const rows = page.replaceAll(ROW, (row, code, said, meaning, remedy) => {
    const exits = codes.get(code);
    missing.delete(code);
    if (exits === undefined) return '';
    const all = exitsOf([
      ...said
        .split(/, | or /)
        .filter(Boolean)
        .map(Number),
      ...exits,
    ]);
    const isRight = row.includes(`<a id="${code}"></a>`) && all === exitsOf(said.split(/, | or /));
    return isRight ? row : rowOf(code, all, meaning, remedy);
  });
  const added = [...missing].map((code) => `${rowOf(code, exitsOf(codes.get(code)), '', '')}\n`);
  return `${rows.replaceAll(/^(\|.*\n)\n+(?=\|)/gm, '$1').trimEnd()}\n${added.join('')}`;
}

function rowOf(code, exits, meaning, remedy) {
  return `| <a id="${code}"></a>\`${code}\` | ${exits} | ${meaning} | ${remedy} |`;
}

function exitsOf(numbers) {
  return [...new Set(numbers.map(Number))].toSorted((a, b) => a - b).join(' or ');
}

/** Where the error is made; one that names no exit code ends with 1. */
function exitsAt(text, code, exits) {
  const made = new RegExp(`(?:new AppError|usageError)\\(\\s*'${code}'`, 'g');
  return [...text.matchAll(made)].flatMap(({ index }) => {
    if (text.startsWith('usageError', index)) return [exits.usage];
    const call = untilClosed(text, text.indexOf('(', index));
    const named = [...call.matchAll(/EXIT\.(\w+)/g)].map(([, name]) => exits[name]);
    return named.length > 0 || call.includes('exitCode') ? named : [exits.failed];
  });
}

/** The text from an opening bracket to the one that closes it. */
function untilClosed(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}

function withoutComments(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
