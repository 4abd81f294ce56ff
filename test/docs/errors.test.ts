import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/runtime/errors.ts';
import { page, root } from './pages.ts';

/** Words in capitals that are no code of an error: variables, SQLite's own codes, kinds of numbers and the like. */
const NO_CODES =
  /^(?:SQLITE_|CALLSHEET_|VOICE_|CSV_MAX_|UND_ERR_|(?:NO|FORCE)_COLOR$|FIXED_LINE|PERSONAL_NUMBER$|PREMIUM_RATE$|SHARED_COST$|TOLL_FREE$|TOO_LONG$|RESOURCE_EXHAUSTION$)/;
const rows = [
  ...page('src/cli/errors.md').text.matchAll(
    /^\| <a id="(\w+)"><\/a>`(\w+)` *\| ([^|]+?) *\| ([^|]+?) *\| ([^|]+?) *\|$/gm,
  ),
].map(([, id, code = '', exits = '', meaning, remedy]) => ({ id, code, exits, meaning, remedy }));
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
  .map((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''));

describe('the page of errors', () => {
  it('has every code that is raised, and none that is not', () => {
    const raised = sources.flatMap((text) =>
      [...text.matchAll(/'((?:[A-Z][A-Z0-9]+_)+[A-Z0-9]+|USAGE|UNEXPECTED)'/g)]
        .map(([, code = '']) => code)
        .filter((code) => !NO_CODES.test(code)),
    );
    expect(rows.map(({ code }) => code).toSorted()).toEqual([...new Set(raised)].toSorted());
  });

  it('says of each what it means and what to do, and is linked by the code itself', () => {
    for (const { id, code, meaning, remedy } of rows) {
      expect({ code, id }).toEqual({ code, id: code });
      expect(meaning).toMatch(/^[A-Z`].{10,}\.$/);
      expect(remedy).toMatch(/^.{10,}\.$/);
    }
  });

  it('says of each with which exit code it ends', () => {
    for (const { code, exits } of rows) {
      const said = exits.split(/, | or /).map(Number);
      expect({ code, missing: exitsOf(code).filter((exit) => !said.includes(exit)) }).toEqual({
        code,
        missing: [],
      });
      expect(Object.values(EXIT).map(Number)).toEqual(expect.arrayContaining(said));
    }
  });
});

/** Those that stand where the error is made; one that says none is 1. */
function exitsOf(code: string): number[] {
  return sources.flatMap((text) =>
    [...text.matchAll(new RegExp(`(?:new AppError|usageError)\\(\\s*'${code}'`, 'g'))].flatMap(
      ({ index }) => {
        if (text.startsWith('usageError', index)) return [EXIT.usage];
        const made = untilClosed(text, text.indexOf('(', index));
        const named = [...made.matchAll(/EXIT\.(\w+)/g)].map(
          ([, name]) => EXIT[name as keyof typeof EXIT],
        );
        return named.length > 0 || made.includes('exitCode') ? named : [EXIT.failed];
      },
    ),
  );
}

/** The text from an opening bracket to the one that closes it. */
function untilClosed(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}
