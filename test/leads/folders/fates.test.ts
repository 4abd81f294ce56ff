import { describe, expect, it } from 'vitest';
import {
  fateOf,
  isAtWork,
  isComplete,
  matchesGlob,
  mayBeList,
  nthName,
} from '../../../src/leads/folders/candidates.ts';
import type { WatchedList } from '../../../src/store/port.ts';

const TAKER = { host: 'h', boot: 'b', pid: 1, seenAt: 1_000 };
const ROW: WatchedList = {
  sha256: 'aa',
  path: '/in/a.csv',
  state: 'taken',
  note: null,
  at: 1_000,
  taker: TAKER,
  movedAt: null,
};
const A = { path: '/in/a.csv', mtimeMs: 500 };
const B = { path: '/in/b.csv', mtimeMs: 500 };

describe('a complete file', () => {
  it.each([
    ['new content is taken', undefined, A, 'move', false, 'take'],
    ['content that a process takes is left to it', { state: 'taking' }, A, 'move', true, 'wait'],
    ['content of a process that ended is taken', { state: 'taking' }, A, 'move', false, 'take'],
    ['a taken file that was not moved is moved', {}, A, 'move', false, 'move'],
    ['taken content under another name is known', {}, B, 'move', false, 'known'],
    ['taken content that is put back is known', { movedAt: 2_000 }, A, 'move', false, 'known'],
    ['a taken file that stays is left', {}, A, 'keep', false, 'leave'],
    ['a refused file that was not moved is moved', { state: 'refused' }, A, 'move', false, 'move'],
    [
      'refused content that is put back is tried again',
      { state: 'refused', movedAt: 2 },
      A,
      'move',
      false,
      'take',
    ],
    ['a refused file that stays is left', { state: 'refused' }, A, 'keep', false, 'leave'],
    [
      'a refused file that was touched is tried again',
      { state: 'refused', at: 400 },
      A,
      'keep',
      false,
      'take',
    ],
  ] as const)('%s', (_title, row, file, after, busy, kind) => {
    const kept = row === undefined ? undefined : { ...ROW, ...row };
    expect(fateOf(kept, file, after, busy).kind).toBe(kind);
  });

  it('is complete after 5 s without a change, or with a mark that is not older than it', () => {
    const now = { size: 9, mtimeMs: 100, ino: 1 };
    expect(isComplete(now, undefined, null)).toBe(false);
    expect(isComplete(now, { state: now, agoMs: 4_999 }, null)).toBe(false);
    expect(isComplete(now, { state: now, agoMs: 5_000 }, null)).toBe(true);
    for (const other of [{ size: 8 }, { mtimeMs: 99 }, { ino: 2 }])
      expect(isComplete(now, { state: { ...now, ...other }, agoMs: 9_000 }, null)).toBe(false);
    expect(
      isComplete({ ...now, size: 0 }, { state: { ...now, size: 0 }, agoMs: 9_000 }, null),
    ).toBe(false);
    expect(isComplete(now, undefined, 100)).toBe(true);
    expect(isComplete(now, undefined, 99)).toBe(false);
  });
});

describe('a claim', () => {
  it('counts until its process is gone, or has not reported for ten minutes', () => {
    expect(isAtWork({ taker: TAKER }, 2_000, false)).toBe(true);
    expect(isAtWork({ taker: TAKER }, 2_000, true)).toBe(false);
    expect(isAtWork({ taker: TAKER }, 601_000, false)).toBe(false);
  });
});

describe('names', () => {
  it.each(['a.csv', 'A.CSV', 'b.xlsx', 'c.csv.gz', 'd.zip'])('%s may be a list', (name) => {
    expect(mayBeList(name)).toBe(true);
  });
  it.each([
    '.a.csv',
    '~$a.xlsx',
    '.~lock.a.csv#',
    'a.csv.part',
    'a.csv.done',
    'a.csv.refused.txt',
    'x.db',
  ])('%s is left alone', (name) => {
    expect(mayBeList(name)).toBe(false);
  });
  it('match a glob as a whole', () => {
    expect(matchesGlob('north-1.CSV', 'north-*.csv')).toBe(true);
    expect(matchesGlob('north-1.csv.gz', 'north-*.csv')).toBe(false);
    expect(matchesGlob('northX1_csv', 'north?1.csv')).toBe(false);
    expect(matchesGlob('a-b-a.csv', '*a.csv*')).toBe(true);
    expect(matchesGlob('ab', 'ab*b')).toBe(false);
  });
  it('match a glob of many stars at once, or not', () => {
    const name = `${'a'.repeat(250)}.csv`;
    expect(matchesGlob(name, `${'*a'.repeat(60)}*.csv`)).toBe(true);
    expect(matchesGlob(name, `${'*a'.repeat(60)}*b.csv`)).toBe(false);
  });
  it('that are taken get a number before the ending', () => {
    expect([1, 2].map((n) => nthName('a.csv', n))).toEqual(['a.csv', 'a-2.csv']);
    expect(nthName('list', 3)).toBe('list-3');
  });
});
