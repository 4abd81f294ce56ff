import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Io } from '../io.ts';
import { shellWord } from '../../text/shell-word.ts';

/**
 * Makes commands in messages ready to paste: `callsheet ...` becomes `npx callsheet ...` if callsheet is not on the
 * PATH, or names the file that was started where npx would ask a registry, and gets `--db` if the database was named by
 * a flag. A command is text between backticks, or alone on an indented line.
 */
export function pasteable(
  text: string,
  { env, db, cwd, program }: Pick<Io, 'env' | 'db' | 'cwd' | 'program'>,
): string {
  if (!text.includes('callsheet ')) return text;
  const named = db === undefined ? text : text.replaceAll(COMMAND, withDatabase);
  if (isOnPath(env['PATH'] ?? '')) return named;
  const started = npxFinds(cwd) ? 'npx callsheet' : program.map(shellWord).join(' ');
  return named.replaceAll(/(`|^ {2,8})callsheet (?=[a-z-])/gm, (_, begin) => `${begin}${started} `);

  function withDatabase(command: string, verb: string): string {
    const hasDatabase = !WITHOUT_DATABASE.test(verb) && !/ --(help|db)\b/.test(command);
    return hasDatabase ? `${command} --db ${shellWord(db ?? '')}` : command;
  }
}

const COMMAND = /(?<=`|^ {2,8})callsheet ([a-z]+(?: [a-z]+)?)[^`\n]*/gm;
/** Commands without --db; all other commands have it. */
const WITHOUT_DATABASE =
  /^(?:demo|simulate|help|init|completion|profile (?:check|try)|rules (?:list|show|check))\b/;

/** Whether npx starts callsheet without a registry: it is installed here or above, or the nearest package is callsheet. */
function npxFinds(folder: string, isNearest = true): boolean {
  if (existsSync(join(folder, 'node_modules', '.bin', 'callsheet'))) return true;
  const file = join(folder, 'package.json');
  const isPackage = isNearest && existsSync(file);
  if (isPackage && /"bin":\s*\{\s*"callsheet"/.test(readFileSync(file, 'utf8'))) return true;
  return folder !== dirname(folder) && npxFinds(dirname(folder), isNearest && !isPackage);
}

/** npm and npx put node_modules/.bin on the PATH of their children only; the person's shell does not have it. */
function isOnPath(path: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .some((folder) => existsSync(join(folder, 'callsheet')));
}
