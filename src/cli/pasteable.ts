import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Commands in messages, as they can be pasted: `callsheet ...` becomes `npx callsheet ...` where callsheet
 * is not on the PATH. A command is what stands behind a backtick or alone on an indented line.
 */
export function pasteable(text: string, env: Readonly<Record<string, string | undefined>>): string {
  if (!text.includes('callsheet ') || isOnPath(env['PATH'] ?? '')) return text;
  return text.replaceAll(/(`|^ {2,})callsheet (?=[a-z-])/gm, '$1npx callsheet ');
}

/** npm and npx put node_modules/.bin in front for their own children; the person's shell does not have it. */
function isOnPath(path: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .some((folder) => existsSync(join(folder, 'callsheet')));
}
