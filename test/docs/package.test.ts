import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, root } from './pages.ts';

describe('the package', () => {
  const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const told = execFileSync('npm', argv, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ files }] = JSON.parse(told.toString()) as [{ files: { path: string }[] }];
  const packed = files.map(({ path }) => path);

  it('has the licence MIT, said in package.json and packed with the program', () => {
    expect(packed).toContain('LICENSE');
    expect(readFileSync(join(root, 'LICENSE'), 'utf8')).toMatch(
      /^MIT License\n\nCopyright \(c\) \d{4} callsheet contributors\n/,
    );
    const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      license: string;
    };
    expect(license).toBe('MIT');
  });

  it('has every page, so that their links lead somewhere there, too', () => {
    expect(packed).toEqual(expect.arrayContaining(pages.map(({ path }) => path)));
  });
});
