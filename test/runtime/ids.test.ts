import { describe, expect, it } from 'vitest';
import { randomId, shortHash } from '../../src/runtime/random.ts';

describe('randomId', () => {
  it('makes a prefix, an underscore and 32 hex digits', () => {
    expect(randomId('cmp')).toMatch(/^cmp_[0-9a-f]{32}$/);
  });

  it('makes another one each time', () => {
    const ids = new Set(Array.from({ length: 1_000 }, () => randomId('x')));

    expect(ids.size).toBe(1_000);
  });
});

describe('shortHash', () => {
  it('is the same for the same parts for ever: keys of calls made are derived from it', () => {
    expect(shortHash(['cmp_spring', '+12125550123', 1])).toBe('ab14e288cc5ab04237811c0a91b3c02c');
  });

  it('is another one when any part differs', () => {
    const base = shortHash(['cmp_spring', '+12125550123', 1]);

    expect(shortHash(['cmp_autumn', '+12125550123', 1])).not.toBe(base);
    expect(shortHash(['cmp_spring', '+12125550124', 1])).not.toBe(base);
    expect(shortHash(['cmp_spring', '+12125550123', 2])).not.toBe(base);
  });

  it('sees where one part ends and the next begins', () => {
    expect(shortHash(['a', 'bc'])).not.toBe(shortHash(['ab', 'c']));
  });

  it('is as long as asked, 32 digits by default', () => {
    expect(shortHash(['a'])).toHaveLength(32);
    expect(shortHash(['a'], 8)).toBe(shortHash(['a']).slice(0, 8));
  });
});
