import CliTable from 'cli-table3';
import wrapAnsi from 'wrap-ansi';
import { shownLine, shownText } from '../../domain/safe-text.ts';
import { AppError, EXIT, messageOf, type ExitCode } from '../../runtime/errors.ts';
import type { Io } from '../io.ts';
import type { MessageKind } from '../../app/world.ts';
import { pasteable } from './pasteable.ts';
import { put, putJson } from './terminal.ts';

/** A sentence for the person, on stderr: one line, whatever is in it. */
export function say(io: Io, sentence: string, kind: MessageKind = 'told', code?: ExitCode): void {
  tell(io, shownLine(sentence), kind, code);
}

/** Keeps where a defect of ours happened, for the next morning; what was foreseen needs no stack. */
export function keepStack(io: Io, error: unknown): void {
  if (!(error instanceof AppError)) io.messages?.keep(shownText(stackOf(error)));
}

/** Lines of ours; each is kept, with its time, and shown unless it is to be quiet. */
function tell(io: Io, text: string, kind: MessageKind, code?: ExitCode): void {
  const lines = pasteable(text, io);
  const { messages } = io;
  messages?.keep(lines);
  if (messages?.shows(kind, code) === false) return;
  put(io, 'err', forPerson(messages?.headed(lines) ?? lines, io));
}

/** Data as JSON, on stdout. */
export function printJson(io: Io, value: unknown): void {
  putJson(io, 'out', JSON.stringify(value, null, 2));
}

/** Data that is JSON already, a line each, on stdout. */
export function printJsonLines(io: Io, lines: readonly string[]): void {
  for (const line of lines) putJson(io, 'out', line);
}

/** Data as lines for a person, on stdout; each stays one line, whatever is in it. */
export function printLines(io: Io, lines: readonly string[]): void {
  put(io, 'out', lines.map((line) => `${shownLine(line)}\n`).join(''));
}

export type Table = [
  headers: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
];

/** Data as aligned columns without borders, on stdout. Nothing is cut: a terminal wraps, a pipe gets it all. */
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
 * Prints what went wrong and returns the exit code. An AppError is `callsheet: message` and its next step;
 * anything else is a defect of ours and says so. With `json` it is one line
 * `{"error":{"code","message","hint","exitCode"}}`, on stderr too, so that stdout holds data or nothing.
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

/** Hints come from everywhere, as sentences or not: behind `next:` they all read the same. */
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

/** As lines that end between words on a terminal; a command in backticks stays whole, to be copied. */
function forPerson(lines: string, io: Io): string {
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

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((at) => [side + at, '']),
  ),
);
