// A Dockerfile, read into its stages.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @returns {{ name: string | undefined, steps: { word: string, rest: string, words: string[] }[] }[]} */
export function stagesOf(path) {
  const text = readFileSync(path, 'utf8').replaceAll(/^#.*\n/gm, '');
  const stages = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n').filter(Boolean)) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === '') throw new Error(`no step of a Dockerfile: ${line}`);
    const words = rest.startsWith('[') ? JSON.parse(rest) : rest.split(' ');
    if (word === 'FROM') stages.push({ name: words[2], steps: [] });
    stages.at(-1).steps.push({ word, rest, words });
  }
  return stages;
}

/** Of a COPY: its sources, where they go, and its flags by their names. */
export function copyOf({ words }) {
  const flags = words.filter((one) => one.startsWith('--')).map((one) => one.slice(2).split('='));
  const paths = words.filter((one) => !one.startsWith('--'));
  return { sources: paths.slice(0, -1), to: paths.at(-1), ...Object.fromEntries(flags) };
}
