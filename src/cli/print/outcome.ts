import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Io } from '../io.ts';
import { printJson, printLines, printTable, say, type Table } from '../terminal/output.ts';
import { put } from '../terminal/terminal.ts';
import { nightBars } from '../../app/sentences/forecast-lines.ts';
import { grouped } from '../../text/amounts.ts';
import { shellWord } from '../../text/wording.ts';
import type { PlanView, RequestView } from '../../views/plan.ts';

/** What a command has done, for printing. */
export interface Outcome<T = unknown> {
  /** Data for --json, by the command's view. */
  json?: T;
  /** The same data as lines for a person, printed without --json. */
  lines?: readonly string[];
  table?: Table | undefined;
  /** A table that leaves columns out where the terminal is narrow. */
  fitted?: Table | undefined;
  /** Printed unchanged, including its line ends. */
  text?: string;
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

/**
 * Prints a table in the width of the terminal: if it is too wide, columns without content are left out, then the last
 * column, then rows are printed as blocks of lines. Off a terminal the table is complete.
 */
export function printFittedTable(io: Io, ...[headers, rows]: Table): void {
  const all = headers.map((_, at) => at);
  const isNarrow = (columns: readonly number[]) =>
    widthOf(columns, [headers, ...rows]) <= io.columns;
  if (!io.stdoutIsTty || isNarrow(all)) {
    printTable(io, headers, rows);
    return;
  }
  const telling = all.filter((at) => rows.some((row) => (row[at] ?? 0) !== 0));
  const last = headers.length - 1;
  const some = [telling, telling.filter((at) => at !== last)].find(isNarrow);
  if (some === undefined || (rows.length === 1 && !some.includes(last))) {
    printBelow(io, headers, rows);
    return;
  }
  const pick = <T>(cells: readonly T[]) => cells.filter((_, at) => some.includes(at));
  printTable(io, pick(headers), rows.map(pick));
  if (!some.includes(last))
    say(io, `The terminal is too narrow for ${headers[last] ?? ''}; --json has it.`);
}

function printBelow(io: Io, ...[headers, rows]: Table): void {
  rows.forEach((row, index) => {
    if (index > 0) printLines(io, ['']);
    printLines(
      io,
      headers.map((header, at) => `${`${header}:`.padEnd(11)}${row[at] ?? '-'}`),
    );
  });
}

/** Columns are separated by two spaces. */
function widthOf(columns: readonly number[], rows: Table[1]): number {
  const widest = columns.map((at) => Math.max(...rows.map((row) => String(row[at] ?? '-').length)));
  return widest.reduce((sum, width) => sum + width + 2, -2);
}

/** The result of `check`. @param list as given */
export function checkOutcome(plan: PlanView, list: string): Outcome<PlanView> {
  const { service, problem, next, forecast, missing, sentences, notes, exitCode } = plan;
  const now = `${grouped(plan.callNow + plan.callLater)} to call. To call them, this is still needed:`;
  const rehearse = `\`callsheet run ${shellWord(list)} --service simulated\` rehearses it: nobody is called.`;
  // A flag would help this command alone.
  const isFile = /\.ya?ml$/i.test(list);
  const isReady = isFile && exitCode === EXIT.ok && missing.length === 0 && plan.serve === null;
  const country = isFile ? `country: US in ${list}` : '--country, such as US';
  const answers = service === null ? [] : [`Service: ${service.url} answers, and has the agent.`];
  const quick = service?.simulated === true ? [IN_REHEARSAL] : [];
  return {
    json: plan,
    hints: [
      ...sentences,
      ...listLines(plan).map((line) => line.replace('--country, such as US', country)),
      ...notes,
      ...(missing.length === 0 ? [] : [...plan.when, now]),
      ...missing.map(({ give, why }) => `  ${give}: ${why}`),
      ...(missing[0]?.give.startsWith('--service') === true ? [rehearse] : []),
      ...(problem === null ? answers : service === null ? [] : [problem]),
      ...(next === null || service === null ? [] : [`  next: ${next}`]),
      ...(forecast === null
        ? []
        : ['', ...forecast.sentences, ...quick, ...nightBars(forecast), '']),
      ...(plan.serve === null ? [] : [plan.serve]),
      isReady ? `${NOTHING_DONE} \`callsheet run ${shellWord(list)}\` calls.` : NOTHING_DONE,
    ],
    code: exitCode,
  };
}

/** The result of `check --request`. */
export function requestOutcome(request: RequestView): Outcome<RequestView> {
  const { method, url, person, body, problem } = request;
  const who = person.name === null ? person.phone : `${person.name} (${person.phone})`;
  const lines = body?.startsWith('{') === true ? JSON.stringify(JSON.parse(body), null, 2) : body;
  return {
    json: request,
    lines: lines?.split('\n') ?? [],
    told: [
      `${method} ${url}, for ${who}, with the key in a header${body === null ? ` would not be sent: ${problem}.` : '.'}`,
      NOTHING_DONE,
    ],
    code: body === null ? EXIT.failed : EXIT.ok,
  };
}

const IN_REHEARSAL = '  So long with real calls; in a rehearsal a minute takes a second.';
const NOTHING_DONE = 'Nobody was called, nothing was written.';

/** The result of `run --dry-run`; what `run` would ask about was told before. */
export function dryRunOutcome(plan: PlanView): Outcome<PlanView> {
  const file = plan.resultsFile ?? '-';
  return {
    json: plan,
    told: [
      ...listLines(plan),
      ...plan.notes,
      `Results would go to ${file === '-' ? 'the standard output' : file}.`,
      'Dry run: nobody was called, nothing was written.',
    ],
    code: EXIT.ok,
  };
}

/** What each list would bring: its rows, the meaning of its columns with samples, and rows not taken. */
function listLines({ lists }: PlanView): string[] {
  return lists.flatMap(({ text, columns, problems, zones }) => {
    return [text, ...columns, ...problems, ...zones];
  });
}
