import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/runtime/errors.ts';
import { page, root } from './pages.ts';

interface ErrorTable {
  raisedCodes: (src: string, exits: Record<string, number>) => Map<string, number[]>;
  withErrorCodes: (page: string, codes: Map<string, number[]>) => string;
}

const { raisedCodes, withErrorCodes } = (await import(
  new URL('../../.config/error-table.mjs', import.meta.url).href
)) as ErrorTable;
const raised = raisedCodes(join(root, 'src'), EXIT);
const { text } = page('src/cli/errors.md');
const rows = [
  ...text.matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` *\| ([^|]+?) *\| ([^|]+?) *\| ([^|]+?) *\|$/gm),
].map(([, id, code = '', exits = '', meaning, remedy]) => ({ id, code, exits, meaning, remedy }));

describe('the page of errors', () => {
  it('has every code that is raised, and none that is not', () => {
    expect(raised.size).toBeGreaterThan(100);
    expect(rows.map(({ code }) => code).toSorted()).toEqual([...raised.keys()].toSorted());
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
      expect({ code, missing: raised.get(code)?.filter((exit) => !said.includes(exit)) }).toEqual({
        code,
        missing: [],
      });
      expect(Object.values(EXIT).map(Number)).toEqual(expect.arrayContaining(said));
    }
  });

  it('is what npm run docs would write', () => {
    expect(withErrorCodes(text, raised)).toBe(text);
  });

  it('loses the row of a code that is gone, mends an exit code, and gets a row for a new one', () => {
    const codes = new Map(raised);
    codes.delete('HOME_INVALID');
    codes.set('NEW_CODE', [2]);
    codes.set('UNEXPECTED', [1, 5]);

    const generated = withErrorCodes(text, codes);

    expect(generated).not.toContain('HOME_INVALID"');
    expect(generated).toMatch(/^\| <a id="UNEXPECTED"><\/a>`UNEXPECTED` \| 1 or 5 \| Something /m);
    expect(generated).toMatch(/\n\| <a id="NEW_CODE"><\/a>`NEW_CODE` \| 2 \| {2}\| {2}\|\n$/);
    // Nothing else changes.
    const before = new Set(text.split('\n'));
    expect(generated.split('\n').filter((line) => !before.has(line))).toHaveLength(2);
  });
});
