import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import CliTable from 'cli-table3';

import type { MessageKind } from '../../app/world.ts';
import { shownLine, shownText } from '../../domain/safe-text.ts';
import { AppError, EXIT, messageOf, type ExitCode } from '../../runtime/errors.ts';
import { withoutPassword } from '../../runtime/server-url.ts';
import { shellWord, wrap } from '../../text/wording.ts';
import type { Io } from '../io.ts';
import { put, putJson } from './terminal.ts';

/**
 * Makes commands in messages ready to paste: `callsheet ...` becomes `npx callsheet ...` if callsheet is not on the
 * PATH, or names the file that was started where npx would ask a registry, and gets `--db` and `--services` if these were
 * given. A command is text between backticks, or alone on an indented line.
 */
export function pasteable(
  text: string,
  { env, db, dbPasswordFile, services, cwd, program }: Pick<Io, PastedFrom>,
): string {
  if (!text.includes('callsheet ')) return text;
  const named = text.replaceAll(COMMAND, withFlags);
  if (isOnPath(env['PATH'] ?? '')) return named;
  const started = npxFinds(cwd) ? 'npx callsheet' : program.map(shellWord).join(' ');
  return named.replaceAll(/(`|^ {2,8})callsheet (?=[a-z-])/gm, (_, begin) => `${begin}${started} `);

  function withFlags(command: string, verb: string): string {
    const has = (flag: string) => command.includes(` --${flag}`) || command.includes(' --help');
    const hasDatabase = !WITHOUT_DATABASE.test(verb);
    const flags = [
      ['services', services, WITH_SERVICES.test(verb)],
      ['db', db && withoutPassword(db), hasDatabase],
      ['db-password-file', dbPasswordFile, hasDatabase],
    ] as const;
    const given = flags.map(([name, value, isTaken]) =>
      value !== undefined && isTaken && !has(name) ? ` --${name} ${shellWord(value)}` : '',
    );
    return command + given.join('');
  }
}

type PastedFrom = 'env' | 'db' | 'dbPasswordFile' | 'services' | 'cwd' | 'program';

const COMMAND = /(?<=`|^ {2,8})callsheet ([a-z]+(?: [a-z]+)?)[^`\n]*/gm;
/** Commands without --db; all other commands have it. */
const WITHOUT_DATABASE =
  /^(?:demo|simulate|help|init|completion|profile (?:check|try)|rules (?:list|show|check))\b/;

const WITH_SERVICES =
  /^(?:check|run|call|resume|collect|serve|import|agents \w+|inbox replay|notify test|console|resolve|retry|doctor)\b/;

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

/** Prints a sentence for a person on stderr, as one line even if foreign text in it has line breaks. */
export function say(io: Io, sentence: string, kind: MessageKind = 'told', code?: ExitCode): void {
  tell(io, shownLine(sentence), kind, code);
}

/** Logs the stack of an unexpected error, so that its place can be found later; an `AppError` needs none. */
export function keepStack(io: Io, error: unknown): void {
  if (!(error instanceof AppError)) io.messages?.keep(shownText(stackOf(error)));
}

/** Logs lines with their time, and prints them unless `quiet` hides them. */
function tell(io: Io, text: string, kind: MessageKind, code?: ExitCode): void {
  const lines = pasteable(text, io);
  const { messages } = io;
  messages?.keep(lines);
  if (messages?.shows(kind, code) === false) return;
  put(io, 'err', forPerson(messages?.headed(lines) ?? lines, io));
}

/** Prints data as JSON on stdout. */
export function printJson(io: Io, value: unknown): void {
  putJson(io, 'out', JSON.stringify(value, null, 2));
}

export function printJsonLines(io: Io, lines: readonly string[]): void {
  for (const line of lines) putJson(io, 'out', line);
}

/** Prints data for a person on stdout; each item stays one line even if it has line breaks. */
export function printLines(io: Io, lines: readonly string[]): void {
  put(io, 'out', lines.map((line) => `${shownLine(line)}\n`).join(''));
}

export type Table = [
  headers: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
];

/** Prints aligned columns without borders on stdout. Nothing is cut: a terminal wraps, a pipe gets everything. */
export function printTable(io: Io, ...[headers, rows]: Table): void {
  const table = new CliTable({
    head: [...headers],
    chars: { ...NO_BORDERS, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) {
    table.push(row.map((cell) => shownLine(cell === null ? '-' : String(cell))));
  }
  const lines = table.toString().split('\n');
  put(io, 'out', `${lines.map((line) => line.trimEnd()).join('\n')}\n`);
}

/**
 * Prints an error and returns its exit code. An AppError is `callsheet: message` and its next step; any other error is
 * a defect of callsheet, and the message says so. With `json` it is one line
 * `{"error":{"code","message","hint","exitCode"}}`, also on stderr, so that stdout has data or nothing.
 */
export function printProblem(
  io: Io,
  error: unknown,
  { json, debug }: { json: boolean; debug: boolean },
): ExitCode {
  const { code, message, lines, hint, exitCode } = describe(error, debug, io.messages?.file);
  const step = hint === null ? '' : `\n  next: ${asStep(shownLine(hint))}`;
  const text = `callsheet: ${lines.map(shownLine).join('\n  ')}${step}`;
  if (json) {
    putJson(io, 'err', JSON.stringify({ error: { code, message, hint, exitCode } }));
    io.messages?.keep(pasteable(text, io));
  } else tell(io, text, 'problem');
  if (debug) put(io, 'err', `${stackOf(error)}\n`);
  keepStack(io, error);
  return exitCode;
}

function describe(error: unknown, debug: boolean, logFile: string | undefined) {
  if (error instanceof AppError) {
    const { code, message, lines, hint, exitCode } = error;
    return { code, message, lines, hint: hint ?? null, exitCode };
  }
  const hint =
    logFile === undefined
      ? 'run it again with --log-level debug to see where it happened'
      : `${logFile} says where it happened`;
  const message = `Something unexpected happened: ${messageOf(error)}`;
  return {
    code: 'UNEXPECTED',
    message,
    lines: [message],
    hint: debug ? null : hint,
    exitCode: EXIT.failed,
  };
}

/** Hints may be sentences or not; after `next:` all begin in lower case and end without a full stop. */
function asStep(hint: string): string {
  return hint.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    stacks.push(cause.stack ?? cause.message);
  }
  return stacks.join('\n');
}

/** Wraps lines between words on a terminal. */
function forPerson(lines: string, io: Io): string {
  if (!io.stderrIsTty) return `${lines}\n`;
  const wrapped = lines.replaceAll(/^( *)(.*)/gm, (whole, indent: string, line: string) => {
    // A command alone on its line is copied, so it is not wrapped.
    if (/^(npx )?callsheet /.test(line)) return whole;
    const rows = wrap(line, io.columns - indent.length);
    return rows.map((row) => indent + row).join('\n');
  });
  return `${wrapped}\n`;
}

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((at) => [side + at, '']),
  ),
);
