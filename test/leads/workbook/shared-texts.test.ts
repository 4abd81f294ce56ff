import { expect, it } from 'vitest';
import type { Part } from '../../../src/leads/workbook/parts.ts';
import { sharedTexts } from '../../../src/leads/workbook/rows.ts';

/** A part of that many texts of five letters each. */
const partOf = (texts: number): Part => ({
  name: 'xl/sharedStrings.xml',
  async *read() {
    yield Buffer.from(`<sst>${'<si><t>abcde</t></si>'.repeat(texts)}</sst>`);
    await Promise.resolve();
  },
});

it.each([
  ['letters', { texts: 1_000, letters: 500 }],
  ['texts', { texts: 100, letters: 1_000_000 }],
])(
  'shared texts are held up to so many %s, and are refused from the next text on',
  async (_, most) => {
    expect(await sharedTexts(partOf(100), most)).toEqual(
      Array.from({ length: 100 }, () => 'abcde'),
    );
    await expect(sharedTexts(partOf(101), most)).rejects.toThrow(
      `it has more than ${most.texts} texts or ${most.letters} letters of text`,
    );
  },
);

it('shared texts of a part that never ends are refused', async () => {
  let pieces = 0;
  const endless: Part = {
    name: 'xl/sharedStrings.xml',
    async *read() {
      yield Buffer.from('<sst>');
      for (;;) {
        pieces++;
        yield Buffer.from('<si><t>abcde</t></si>'.repeat(1_000));
        await Promise.resolve();
      }
    },
  };
  const most = { texts: 1_000_000, letters: 50_000 };
  await expect(sharedTexts(endless, most)).rejects.toThrow('50000 letters of text');
  expect(pieces).toBe(11);
});
