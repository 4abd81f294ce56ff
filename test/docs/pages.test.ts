import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { page, pages, root } from './pages.ts';

const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  scripts: Record<string, string>;
};
const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** Files that pages tell their reader to make. */
const YOURS = [
  'campaigns/profiles/mine.yaml',
  'campaigns/profiles/mine-exact.yaml',
  'campaigns/campaign.schema.json',
];

describe('every page', () => {
  it.each(pages.map(({ path }) => path))('has links that lead somewhere: %s', (path) => {
    const broken = linksOf(path).filter(({ target, anchor }) => {
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(pages.map(({ path }) => path))(
    'calls a file that it links to by its name: %s',
    (path) => {
      const wrong = linksOf(path).filter(
        ({ words, target }) => /^[\w./-]+\.tsx?$/.test(words) && !target.endsWith(words),
      );
      expect(wrong).toEqual([]);
    },
  );

  it.each(pages.map(({ path }) => path))(
    'mentions no file and no npm script that is not there: %s',
    (path) => {
      const { spans, text } = page(path);
      const paths = spans.filter((span) =>
        /^(?:src|test|campaigns|data\/samples|\.config|\.ci|\.github)(?:\/[\w./-]+)?$/.test(span),
      );
      expect(paths.filter((one) => !YOURS.includes(one) && !existsSync(join(root, one)))).toEqual(
        [],
      );
      const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
      expect(scripts.filter((name) => packageJson.scripts[name] === undefined)).toEqual([]);
    },
  );

  it.each(pages.map(({ path }) => path).filter((path) => path.startsWith('src/')))(
    'names files and folders that are below it, or from the root: %s',
    (path) => {
      const names = page(path).spans.filter((span) =>
        /^[a-z][\w./-]*(?:\.(?:ts|tsx|sql|mjs)|\/)$/.test(span),
      );
      const below = filesIn(dirname(path));
      const missing = names.filter(
        (name) => !existsSync(join(root, name)) && !below.some((file) => isCalled(file, name)),
      );
      expect(missing).toEqual([]);
    },
  );

  it('is reached from the root page in two clicks', () => {
    const first = new Set(linksOf('README.md').map(({ target }) => target));
    const reached = new Set(['README.md', ...first]);
    for (const path of first) {
      if (path.endsWith('.md')) for (const { target } of linksOf(path)) reached.add(target);
    }
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });
});

it('the root page has at most 260 lines and 16 kB', () => {
  const { whole } = page('README.md');
  expect(whole.trimEnd().split('\n').length).toBeLessThanOrEqual(260);
  expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(16_000);
});

it.each(folders)(
  'src/%s has a page: what lives there, what does not, which file to read first, and why',
  (folder) => {
    const { text, whole } = page(`src/${folder}/README.md`);
    // The reference of all commands is generated into that of the command line.
    if (folder === 'cli') return;
    expect(whole.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    for (const part of ['Not here: ', '**Read first**: ', '## Why it is like this']) {
      expect(text).toContain(part);
    }
  },
);

describe('the changes', () => {
  const { text } = page('.github/CHANGELOG.md');

  it('begin with what is not released yet, then the version that this is', () => {
    const versions = [...text.matchAll(/^## \[(.*)\](.*)$/gm)];
    expect(versions[0]?.[1]).toBe('Unreleased');
    expect(versions[1]?.[1]).toBe(packageJson.version);
    for (const [, , day] of versions.slice(1)) expect(day).toMatch(/^ - \d{4}-\d{2}-\d{2}$/);
  });

  it('take a line each', () => {
    const after = text.slice(text.indexOf('## [Unreleased]')).split('\n');
    const others = after.filter((line) => !/^(#.*|- .{1,120}|)$/.test(line));
    expect(others).toEqual([]);
  });
});

/** All files below a folder, from the root. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  );
}

/** Whether a name is the end of a file's path, or with a slash at its end one of its folders. */
function isCalled(file: string, name: string): boolean {
  return name.endsWith('/') ? file.includes(`/${name}`) : file.endsWith(`/${name}`);
}

interface Link {
  words: string;
  /** From the root. */
  target: string;
  anchor: string | undefined;
}

/** Links within the repository. */
function linksOf(path: string): Link[] {
  const { text, whole } = page(path);
  const written = (path === 'README.md' ? text : whole).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...written.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)]
    .filter(([, , link = '']) => !/^[a-z]+:/.test(link))
    .map(([, words = '', link = '']) => {
      const [file = '', anchor] = link.split('#');
      return { words, target: file === '' ? path : normalize(join(dirname(path), file)), anchor };
    });
}

/** As they are made of headings by the places where pages are read, and those that are written as such. */
function anchorsOf(path: string): Set<string> {
  const { whole } = page(path);
  const headings = whole.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm);
  const seen = new Map<string, number>();
  const made = [...headings].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return new Set([...made, ...[...whole.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}
