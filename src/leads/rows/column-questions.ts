import type { ColumnTarget, ListMapping } from '../../domain/lists/list-mapping.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import { grouped } from '../../text/amounts.ts';
import { someOf } from '../../text/plural.ts';
import { choiceFor } from '../columns/column-choices.ts';
import { isYesOrNo, readAnswer } from '../columns/words/answer-words.ts';
import { mayAnswer } from '../columns/permission-answers.ts';
import { readRefusal } from '../columns/words/read-refusal.ts';
import type { CellCounts } from './cell-counts.ts';
import type { ScannedList } from './first-reading.ts';

/** A column of which only a person can say whether its cells refuse calls. */
interface ColumnQuestion {
  column: number;
  /** The cells that may refuse calls, and how many rows have each; never empty. */
  values: [value: string, rows: number][];
  /** True: the cells say yes or no to something; false: some have words such as DNC. */
  isYesOrNo: boolean;
}

/** True for the columns whose cells nobody has decided about, neither a person nor the column's name. */
export function openColumns(mapping: ListMapping): (index: number) => boolean {
  const { doNotCall, mayCall = [], callStates = [], ignored = [] } = mapping;
  const { outOfUse = [], lastDays = [] } = mapping;
  const named = [...mayCall, ...outOfUse, ...lastDays].map(({ column }) => column);
  const decided = new Set([...doNotCall, ...named, ...callStates, ...ignored]);
  return (index) => !decided.has(index);
}

/** The columns that a person has to decide about before the people of a list are called. */
export function columnQuestions(mapping: ListMapping, cells: CellCounts): ColumnQuestion[] {
  const isOpen = openColumns(mapping);
  const { unclear = [], mayCall = [], callStates = [] } = mapping;
  return cells.columns.flatMap(({ values, refusals }, column): ColumnQuestion[] => {
    if (unclear.includes(column)) {
      // Of a status column only words that may be no refusal are open: `Do not call before 10am`.
      const open = callStates.includes(column)
        ? [...values].filter(([value]) => readRefusal(value, '')?.kind === 'unclear')
        : [];
      if (open.length > 0) return [{ column, values: open, isYesOrNo: false }];
      const isMay = mayCall.some((one) => one.column === column);
      const said = [...values].filter(([value]) =>
        isMay ? readAnswer(value) !== 'nothing' : mayAnswer(value),
      );
      if (said.length > 0)
        return [{ column, values: said, isYesOrNo: isMay || said.some(([one]) => isYesOrNo(one)) }];
    }
    return isOpen(column) && refusals.size > 0
      ? [{ column, values: [...refusals], isYesOrNo: false }]
      : [];
  });
}

/** The error that asks about all undecided columns of a list at once; undefined: there is none. */
export function columnsUndecided(
  list: Pick<ScannedList, 'path' | 'headers' | 'mapping'>,
  cells: CellCounts,
): AppError | undefined {
  const { path, headers, mapping } = list;
  const questions = columnQuestions(mapping, cells);
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
  const ways = [
    ...(words.length === 0
      ? []
      : [
          `${flags('refusals', words)} if such words mean: do not call`,
          ...(unused.length === 0
            ? []
            : [`${flags('doNotCall', unused)} if any filled cell means it`]),
        ]),
    ...(answers.length === 0
      ? []
      : [
          `${flags('doNotCall', answers)} if yes means: do not call`,
          `${flags('mayCall', answers)} if yes means: may be called`,
        ]),
  ];
  return usageError(
    'LIST_COLUMN_UNCLEAR',
    `${path}: ${names.join(' and ')} may say who must not be called, and only you can say what ${isOne ? 'its' : 'their'} cells mean (${values.join('; ')}).`,
    `give ${ways.join(', ')}, or ${flags('ignore')} if ${isOne ? 'it is' : 'they are'} about something else; the answer is kept for later lists with these columns`,
  );
}

/** The most frequent values of a column, `VIP 212, DNC;VIP 9`; empty: it has none; null: too many different ones. */
export function frequentIn({ columns }: CellCounts, index: number): string | null {
  const column = columns[index];
  if (column?.isMany === true) return null;
  return frequent(column?.values ?? []);
}

/** So many values of a column are shown. */
const SHOWN = 4;

function frequent(values: Iterable<[value: string, rows: number]>): string {
  const sorted = [...values].toSorted(([, a], [, b]) => b - a);
  return someOf(
    sorted.map(([value, rows]) => `${cut(value)} ${grouped(rows)}`),
    SHOWN,
  );
}

function cut(value: string): string {
  const text = value.trim();
  return text.length > 24 ? `${text.slice(0, 24)}...` : text;
}
