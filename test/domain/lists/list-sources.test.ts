import { describe, expect, it } from 'vitest';
import { hasWildFolder, isAddress, isGlob } from '../../../src/domain/lists/list-mapping.ts';

describe('a place that lists come from', () => {
  it('is an address with http or https in front', () => {
    expect(['https://x.example/a.csv', 'HTTP://x.example', '/a/https:'].map(isAddress)).toEqual([
      true,
      true,
      false,
    ]);
  });
  it('is a glob with * or ? in its last part alone', () => {
    expect(['/a/*.csv', '/a/b?.csv', '/a*/b.csv', 'https://x.example/?a'].map(isGlob)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(['/a*/b.csv', '/a/*.csv', 'https://x.example/a*/b'].map(hasWildFolder)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
