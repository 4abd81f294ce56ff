import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/config/package-root.ts';

it('the licence is MIT, said in package.json and packed with the program', () => {
  const cwd = packageRoot();
  const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const packed = execFileSync('npm', argv, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ files }] = JSON.parse(packed.toString()) as [{ files: { path: string }[] }];
  expect(files.map(({ path }) => path)).toContain('LICENSE');
  expect(readFileSync(join(cwd, 'LICENSE'), 'utf8')).toMatch(
    /^MIT License\n\nCopyright \(c\) \d{4} callsheet contributors\n/,
  );
  const { license } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as {
    license: string;
  };
  expect(license).toBe('MIT');
});
