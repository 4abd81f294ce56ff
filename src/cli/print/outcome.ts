import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Io } from '../io.ts';
import { printFittedTable } from '../terminal/fitted-table.ts';
import { printJson, printLines, printTable, say, type Table } from '../terminal/output.ts';
import { put } from '../terminal/terminal.ts';

/** What a command has done, for printing. */
export interface Outcome {
  /** Data for --json. */
  json?: unknown;
  /** The same data as lines for a person, printed without --json. */
  lines?: readonly string[];
  table?: Table | undefined;
  /** A table that leaves columns out where the terminal is narrow. */
  fitted?: Table | undefined;
  /** Printed unchanged, including its line ends. */
  text?: string;
  /** Sentences about the data. */
  hints?: readonly string[];
  /** Printed after the data, also with --json: `end` says how a run ended, `told` holds other sentences. */
  end?: readonly string[];
  told?: readonly string[];
  /** Default 0. */
  code?: ExitCode;
}

/** @returns the exit code of the command */
export function printOutcome(
  { json, lines, table, fitted, text, hints = [], end = [], told = [], code = EXIT.ok }: Outcome,
  asJson: boolean,
  io: Io,
): ExitCode {
  if (asJson) {
    if (json !== undefined) printJson(io, json);
  } else {
    if (lines !== undefined) printLines(io, lines);
    if (table !== undefined) printTable(io, ...table);
    if (fitted !== undefined) printFittedTable(io, ...fitted);
    if (text !== undefined) put(io, 'out', text);
    for (const line of hints) say(io, line);
  }
  for (const line of end) say(io, line, 'end', code);
  for (const line of told) say(io, line);
  return code;
}
