import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Fault {
  title: string;
  file: string;
  text: string;
  tests: string[];
}

type Faults = Record<'FAULTS' | 'POSTGRES_FAULTS', Fault[]>;
const { FAULTS } = (await import(new URL('faults.mjs', import.meta.url).href)) as Faults;
const { POSTGRES_FAULTS } = (await import(
  new URL('runner/postgres-faults.mjs', import.meta.url).href
)) as Faults;
const ROOT = new URL('../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

describe('a planted fault', () => {
  it('is one of many', () => {
    expect(FAULTS.length).toBeGreaterThan(100);
  });

  it.each([...FAULTS, ...POSTGRES_FAULTS])(
    'finds its place, and the tests that catch it: $title',
    (fault) => {
      expect(textOf(fault.file).split(fault.text).length - 1).toBe(1);
      expect(fault.tests.map(textOf)).not.toContain('');
    },
  );
});
