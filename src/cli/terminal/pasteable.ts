import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Io } from '../io.ts';
import { shellWord } from '../../text/shell-word.ts';

/**
 * Makes commands in messages ready to paste: `callsheet ...` becomes `npx callsheet ...` if callsheet is not on the
 * PATH, and gets `--db` if the database was named by a flag. A command is text between backticks, or alone on an
 * indented line.
 */
export function pasteable(text: string, { env, db }: Pick<Io, 'env' | 'db'>): string {
  if (!text.includes('callsheet ')) return text;
  const named = db === undefined ? text : text.replaceAll(COMMAND, withDatabase);
  if (isOnPath(env['PATH'] ?? '')) return named;
  return named.replaceAll(/(`|^ {2,})callsheet (?=[a-z-])/gm, '$1npx callsheet ');

  function withDatabase(command: string, verb: string): string {
    const hasDatabase = !WITHOUT_DATABASE.test(verb) && !/ --(help|db)\b/.test(command);
    return hasDatabase ? `${command} --db ${shellWord(db ?? '')}` : command;
  }
}

const COMMAND = /(?<=`|^ {2,})callsheet ([a-z]+(?: [a-z]+)?)[^`\n]*/gm;
/** Commands without --db; all other commands have it. */
const WITHOUT_DATABASE =
  /^(?:demo|simulate|help|init|completion|profile (?:check|try)|rules (?:list|show|check))\b/;

/** npm and npx put node_modules/.bin on the PATH of their children only; the person's shell does not have it. */
function isOnPath(path: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .some((folder) => existsSync(join(folder, 'callsheet')));
}
