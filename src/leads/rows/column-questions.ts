import {
  callColumns,
  type ColumnTarget,
  type ListMapping,
} from '../../domain/lists/list-mapping.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import { grouped } from '../../text/amounts.ts';
import { someOf } from '../../text/wording.ts';
import { choiceFor } from '../columns/column-choices.ts';
import { isYesOrNo, readAnswer } from '../columns/words/permission-words.ts';
import { mayAnswer } from '../columns/permission-answers.ts';
import { readRefusal } from '../columns/words/read-refusal.ts';
import type { CellCounts } from './list-row.ts';
import type { ScannedList } from './first-reading.ts';

/** A column whose cells only a person can interpret. */
interface ColumnQuestion {
  column: number;
  /** The cells that may refuse calls, and how many rows have each; never empty. */
  values: ValueCount[];
  /** True: the cells say yes or no to something; false: some have words such as DNC. */
  isYesOrNo: boolean;
}

type ValueCount = [value: string, count: { rows: number; refuses: boolean }];

/** True for the columns whose cells nobody has decided about, neither a person nor the column's name. */
export function openColumns(mapping: ListMapping): (index: number) => boolean {
  const decided = new Set([...callColumns(mapping), ...(mapping.ignored ?? [])]);
  return (index) => !decided.has(index);
}

/** The columns that a person has to decide about before the people of a list are called. */
function columnQuestions(mapping: ListMapping, cells: CellCounts): ColumnQuestion[] {
  const isOpen = openColumns(mapping);
  const { unclear = [], mayCall = [], callStates = [] } = mapping;
  return cells.columns.flatMap(({ values }, column) => {
    const isMay = mayCall.some((one) => one.column === column);
    const having = (test: (value: string, refuses: boolean) => boolean) =>
      [...values].filter(([value, { refuses }]) => test(value, refuses));
    const ask = (asked: ValueCount[], isYesOrNo = false) =>
      asked.length > 0 ? [{ column, values: asked, isYesOrNo }] : [];
    if (!unclear.includes(column))
      return isOpen(column) ? ask(having((_, refuses) => refuses)) : [];
    // Of a status column only words that may be no refusal are open: `Do not call before 10am`.
    const ofState = callStates.includes(column)
      ? ask(having((value) => readRefusal(value, '')?.kind === 'unclear'))
      : [];
    if (ofState.length > 0) return ofState;
    const said = having((value) => (isMay ? readAnswer(value) !== 'nothing' : mayAnswer(value)));
    return ask(said, isMay || said.some(([value]) => isYesOrNo(value)));
  });
}

/**
 * The error that asks about all undecided columns of a list at once; undefined: there is none.
 * @param cells what the columns hold; undefined: no rows were judged
 */
export function columnsUndecided(
  { path, headers, mapping }: Pick<ScannedList, 'path' | 'headers' | 'mapping'>,
  cells: CellCounts | undefined,
): AppError | undefined {
  const questions = cells === undefined ? [] : columnQuestions(mapping, cells);
  if (questions.length === 0) return undefined;
  const flags = (target: ColumnTarget, of = questions) =>
    of.map(({ column }) => choiceFor(target, column, headers)).join(' ');
  const answers = questions.filter((question) => question.isYesOrNo);
  const words = questions.filter((question) => !question.isYesOrNo);
  const used = [...mapping.phones, ...Object.values(mapping.fields)];
  const unused = words.filter(({ column }) => !used.includes(column));
  const name = (column: number) => `"${(headers[column] ?? '').trim()}"`;
  const names = questions.map(({ column }) => `${name(column)} (column ${column + 1})`);
  const isOne = questions.length === 1;
  const values = questions.map(
    ({ column, values: of }) => `${isOne ? '' : `${name(column)}: `}${frequent(of)}`,
  );
  const ways = (
    [
      ['refusals', words, 'if such words mean: do not call'],
      ['doNotCall', unused, 'if any filled cell means it'],
      ['doNotCall', answers, 'if yes means: do not call'],
      ['mayCall', answers, 'if yes means: may be called'],
    ] as const
  ).flatMap(([target, of, when]) => (of.length === 0 ? [] : [`${flags(target, of)} ${when}`]));
  return usageError(
    'LIST_COLUMN_UNCLEAR',
    `${path}: ${names.join(' and ')} may say who must not be called, and only you can say what ${isOne ? 'its' : 'their'} cells mean: ${values.join('; ')}.`,
    `give ${ways.join(', ')}, or ${flags('ignore')} if ${isOne ? 'it is' : 'they are'} about something else; the answer is kept for later lists with these columns`,
  );
}

/** The most frequent values of a column, `VIP (212), DNC;VIP (9)`; empty: it has none; null: too many different ones. */
export function frequentIn({ columns }: CellCounts, index: number): string | null {
  const column = columns[index];
  if (column?.isMany === true) return null;
  return frequent(column?.values ?? []);
}

const SHOWN = 4;

function frequent(values: Iterable<ValueCount>): string {
  const sorted = [...values].toSorted(([, a], [, b]) => b.rows - a.rows);
  return someOf(
    sorted.map(([value, { rows }]) => `${cut(value)} (${grouped(rows)})`),
    SHOWN,
  );
}

/** A value of a cell as it is shown, at most 24 characters of it. */
export function cut(value: string): string {
  const text = value.trim();
  return text.length > 24 ? `${text.slice(0, 24)}...` : text;
}
