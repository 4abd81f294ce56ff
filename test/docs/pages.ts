import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/runtime/files.ts';

export const root = packageRoot();
/** Folders that are not the repository's, or hold what tests compare with. */
const NOT_OURS = ['node_modules', 'dist', 'coverage', '.git', 'expected'];

/** A page of the repository, taken apart. What is generated into it has tests of its own and is left out. */
export interface Page {
  /** From the root, e.g. `src/README.md`. */
  path: string;
  whole: string;
  /** What people wrote. */
  text: string;
  /** Everything in backticks outside of fences. */
  spans: string[];
  /** The lines of all fenced blocks of a kind; `sh` is also `sh rehearsal`. */
  linesOf: (kind: string) => string[];
  /** The cells of the rows of the first table after a text. */
  tableAfter: (text: string) => string[][];
}

export const pages: readonly Page[] = markdownIn('').map(readPage);

export function page(path: string): Page {
  const found = pages.find((one) => one.path === path);
  if (found === undefined) throw new Error(`There is no page ${path}`);
  return found;
}

/** The words after `callsheet`, without what belongs to the shell; undefined for other commands. */
export function commandIn(text: string): string | undefined {
  const [, line] =
    /(?:^(?:nohup )?(?:npx )?callsheet|dist\/bin\/callsheet\.js) (.*)$/.exec(text) ?? [];
  return line
    ?.replaceAll(/"?\$\([^)]*\)[^"\s]*"?/g, 'x')
    .replaceAll('<', '')
    .replace(/\s+(?:[>|#;&]).*$/, '');
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (NOT_OURS.includes(entry.name)) return [];
      if (entry.isDirectory()) return markdownIn(path);
      return entry.name.endsWith('.md') ? [path] : [];
    })
    .toSorted();
}

function readPage(path: string): Page {
  const whole = readFileSync(join(root, path), 'utf8');
  const text = whole.replace(/<!-- commands -->[\s\S]*<!-- \/commands -->/, '');
  const fences = [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
  const outside = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return {
    path,
    whole,
    text,
    spans: [...outside.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span),
    linesOf: (kind) =>
      fences
        .filter(([, name = '']) => name === kind || name.startsWith(`${kind} `))
        .flatMap(([, , lines = '']) => lines.split('\n').filter((line) => line !== '')),
    tableAfter: (start) => tableAfter(path, text, start),
  };
}

function tableAfter(path: string, text: string, start: string): string[][] {
  const at = text.indexOf(start);
  if (at < 0) throw new Error(`${path} does not have "${start}"`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(text.slice(at)) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}
