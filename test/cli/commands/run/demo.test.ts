import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { desk, rowsOf } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';

it('demo goes the whole way, and every sample row is in the results or in the rejects', async () => {
  const at = desk();
  const { code, err } = await at.run(['demo'], { clock: hastyClock(6) });
  expect(code).toBe(0);
  const results = /Results: (\S+) \(53 rows\)/.exec(err)?.[1] ?? '';
  const rejects = /Rows not taken are in (\S+);/.exec(err)?.[1] ?? '';
  const rows = [results, rejects].map((path) => rowsOf(readFileSync(path, 'utf8')).length);
  expect(rows).toEqual([53, 7]);
  expect(err).toContain('nobody is called');
  const database = join(dirname(dirname(results)), 'demo.db');
  expect(err).toContain(`callsheet import demo ${rejects} --db ${database}`);
  rmSync(dirname(dirname(results)), { recursive: true });
});
