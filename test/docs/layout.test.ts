import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** So many files side by side are still found at a glance. */
const MOST_SIDE_BY_SIDE = 20;
/** A file that is longer does more than one thing. */
const MOST_LINES = 350;
/** One that is shorter costs a jump and explains little. */
const FEWEST_LINES = 30;
/** Shorter files that are left. The list may only become shorter. */
const SHORT = ['src/console/pages/main.tsx'];
/** Types of a package that has none, and files that are data. */
const NOT_COUNTED = /\.(d\.ts|sql|tsv|csv|json|snap|md)$/;

const folders = ['src', 'test'].flatMap(foldersBelow);
const sources = folders
  .filter((folder) => folder.startsWith('src'))
  .flatMap((folder) => filesOf(folder).map((name) => `${folder}/${name}`));

describe('the layout of the code', () => {
  it.each(folders)('has few enough files side by side in %s', (folder) => {
    expect(filesOf(folder).length).toBeLessThanOrEqual(MOST_SIDE_BY_SIDE);
  });

  it('has no file that is too long to be read at once', () => {
    expect(sources.filter((file) => linesOf(file).length > MOST_LINES)).toEqual([]);
  });

  it('has no short file but those that are listed', () => {
    const short = sources.filter(
      (file) => /\.tsx?$/.test(file) && linesOf(file).length < FEWEST_LINES,
    );
    expect(short.filter((file) => !SHORT.includes(file))).toEqual([]);
  });

  it('is mirrored by the folders of the tests', () => {
    const tested = new Set(folders);
    const missing = folders
      .filter((folder) => /^src\/[^/]+$/.test(folder))
      .map((folder) => folder.replace(/^src/, 'test'))
      .filter((folder) => !tested.has(folder));
    expect(missing).toEqual([]);
  });
});

function foldersBelow(root: string): string[] {
  const below = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/'));
  return [root, ...below];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_COUNTED.test(entry.name))
    .map(({ name }) => name);
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
