import type { Writable } from 'node:stream';
import Table from 'cli-table3';
import wrapAnsi from 'wrap-ansi';
import { AppError, EXIT, messageOf } from '../runtime/errors.ts';
import type { ExitCode } from '../runtime/errors.ts';
import type { Io } from './io.ts';
import { pasteable } from './pasteable.ts';

/** A sentence for the person, on stderr. */
export function say(io: Io, sentence: string): void {
  io.stderr.write(forPerson(sentence, io));
}

/** Data as JSON, on stdout. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Data as lines for a person, on stdout. */
export function printLines(io: Io, lines: readonly string[]): void {
  io.stdout.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

/** Data as aligned columns without borders, on stdout. Nothing is cut: a terminal wraps, a pipe gets it all. */
export function printTable(
  io: Io,
  headers: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const table = new Table({
    head: [...headers],
    chars: { ...NO_BORDERS, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) {
    table.push(row.map((cell) => printable(cell === null ? '-' : String(cell), ' ')));
  }
  const lines = table.toString().split('\n');
  io.stdout.write(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
}

/**
 * Prints what went wrong and returns the exit code. An AppError is `callsheet: message` and its next step;
 * anything else is a defect of ours and says so. With `json` it is one line
 * `{"error":{"code","message","hint","exitCode"}}`, on stderr too, so that stdout holds data or nothing.
 */
export function printProblem(
  io: Io,
  error: unknown,
  { json, debug }: { json: boolean; debug: boolean },
): ExitCode {
  const { code, message, hint, exitCode } = describe(error, debug);
  if (json) {
    io.stderr.write(`${JSON.stringify({ error: { code, message, hint, exitCode } })}\n`);
  } else {
    io.stderr.write(forPerson(`callsheet: ${message}`, io));
    if (hint !== null) io.stderr.write(forPerson(`  next: ${asStep(hint)}`, io));
  }
  if (debug) writeStack(io.stderr, error);
  return exitCode;
}

function describe(error: unknown, debug: boolean) {
  if (error instanceof AppError) {
    const { code, message, hint, exitCode } = error;
    return { code, message, hint: hint ?? null, exitCode };
  }
  return {
    code: 'UNEXPECTED',
    message: `Something happened that callsheet does not know: ${messageOf(error)}`,
    hint: debug ? null : 'run it again with --log-level debug to see where it happened',
    exitCode: EXIT.failed,
  };
}

/** Hints come from everywhere, as sentences or not: behind `next:` they all read the same. */
function asStep(hint: string): string {
  return hint.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

function writeStack(stderr: Writable, error: unknown): void {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    stderr.write(`${cause.stack ?? cause.message}\n`);
  }
}

/** As lines that end between words on a terminal; a command in backticks stays whole, to be copied. */
function forPerson(text: string, io: Io): string {
  const lines = pasteable(printable(text), io);
  if (!io.stderrIsTty) return `${lines}\n`;
  const whole = lines.replaceAll(/`[^`\n]*`/g, (command) => command.replaceAll(' ', GLUE));
  const wrapped = whole.replaceAll(/^( *)(.*)$/gm, (_, indent: string, line: string) => {
    // A command that stands alone is copied, too.
    if (/^(npx )?callsheet /.test(line)) return indent + line;
    const rest = wrapAnsi(line, io.columns - indent.length);
    return indent + rest.replaceAll('\n', `\n${indent}`);
  });
  return `${wrapped.replaceAll(GLUE, ' ')}\n`;
}

/** Stands for a space inside of a word: a character that no text has (Unicode, private use). */
const GLUE = '\u{e000}';

/** Text from lists and services may hold control characters that would steer the terminal. */
function printable(text: string, lineBreak = '\n'): string {
  return text
    .replaceAll(/\r?\n/g, lineBreak)
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (sign) =>
      sign === '\n' || sign === '\t' ? sign : '\u{fffd}',
    );
}

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
};
