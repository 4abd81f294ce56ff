import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, root } from './pages.ts';

describe('the package', () => {
  const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const told = execFileSync('npm', argv, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ files }] = JSON.parse(told.toString()) as [{ files: { path: string }[] }];
  const manifest = JSON.parse(read('package.json')) as {
    license: string;
    engines: { node: string };
  };
  const packed = files.map(({ path }) => path);

  it('has the licence MIT, said in package.json and packed with the program', () => {
    expect(packed).toContain('LICENSE');
    expect(read('LICENSE')).toMatch(
      /^MIT License\n\nCopyright \(c\) \d{4} callsheet contributors\n/,
    );
    expect(manifest.license).toBe('MIT');
  });

  it('supports the Nodes that the root page names, and each of them is tried', () => {
    const oldest = manifest.engines.node.split(' || ').map((range) => range.replace('^', ''));
    const named = oldest.map((version) => {
      const [major = '', minor] = version.split('.');
      return minor === '0' ? major : `${major} (from ${major}.${minor})`;
    });
    const words = `Node ${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
    expect(read('README.md')).toContain(`callsheet needs ${words}, tested on Linux.`);

    const tried = [oldest[0], ...oldest.slice(1).map((version) => version.split('.')[0])];
    const listed = `[${tried.map((version) => `'${version}'`).join(', ')}]`;
    expect(read('test/nodes/run.mjs')).toContain(`const NODES = ${listed};`);
    expect(read('.github/workflows/ci.yml')).toContain(`node: ${listed}`);
  });

  it('looks for its own files beside its code, as the packed program has one folder', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => read(join('src', path)));
    const named = sources.flatMap((text) =>
      [...text.matchAll(/new URL\('([^']*)', import\.meta\.url\)/g)].map(([, path]) => path),
    );
    expect(named).toContain('./store-thread.js');
    expect(named.filter((path) => path?.startsWith('./') !== true)).toEqual([]);
  });

  it('has the unit files', () => {
    const units = ['callsheet.service', 'server.conf', 'local.callsheet.serve.plist'];
    expect(packed).toEqual(expect.arrayContaining(units.map((name) => `campaigns/units/${name}`)));
  });

  it('has every page, so that their links lead somewhere there, too', () => {
    expect(packed).toEqual(expect.arrayContaining(pages.map(({ path }) => path)));
  });
});

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
