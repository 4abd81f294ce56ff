import { describe, expect, it } from 'vitest';

interface Share {
  first: number;
  step: number;
  has: (position: number) => boolean;
}

const { readShare } = (await import(new URL('../../helpers/share.mjs', import.meta.url).href)) as {
  readShare: (text?: string) => Share;
};

describe('a share', () => {
  it('has every fifth item, and all five together have each once', () => {
    const shares = [1, 2, 3, 4, 5].map((number) => readShare(`${number}/5`));
    for (let position = 0; position < 12; position++) {
      expect(shares.filter(({ has }) => has(position))).toHaveLength(1);
    }
    const { first, step, has } = readShare('3/5');
    expect([0, 1, 2, 3].map((n) => has(first + n * step))).toEqual([true, true, true, true]);
  });

  it('is everything where none is named', () => {
    expect(readShare()).toMatchObject({ first: 0, step: 1 });
  });

  it.each(['0/5', '6/5', '3', '3/', '/5', 'a/b', '1/0', '-1/5', ''])('is not "%s"', (text) => {
    expect(() => readShare(text)).toThrow(`such as 3/5, not "${text}"`);
  });
});
