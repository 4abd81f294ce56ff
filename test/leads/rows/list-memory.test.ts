import { expect, test } from 'vitest';
import { ListMemory } from '../../../src/leads/rows/row-numbers.ts';

test('a list is remembered by what it takes, not only by how many rows it has', () => {
  const remembered = (letters: number, count: number) => {
    const memory = new ListMemory();
    const cells = ['x'.repeat(letters)];
    const rows = Array.from({ length: count }, (_, n) => ({ line: n + 1, cells }));
    memory.remember(rows, count);
    return memory.rows?.length ?? 'too long';
  };
  expect(remembered(20, 50_000)).toBe(50_000);
  expect(remembered(20, 50_001)).toBe('too long');
  expect(remembered(900_000, 50)).toBe(50);
  expect(remembered(900_000, 60)).toBe('too long');
});
