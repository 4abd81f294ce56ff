import type { ColumnChoice } from '../../../src/leads/columns/column-choices.ts';
import { surveyList } from '../../../src/leads/import.ts';
import { columnsUndecided } from '../../../src/leads/rows/column-questions.ts';
import { tempList } from '../temp-list.ts';

/**
 * Which of the numbers of a list would be called, and why not the others; `called`: the index of each row that would.
 * @throws AppError where a column has to be asked about, as an import does
 */
export async function judged(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  choices: readonly ColumnChoice[] = [],
) {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [headers, ...rows].map((row) => row.map(cell).join(','));
  let called: number[] = [];
  const survey = await surveyList(tempList(`${lines.join('\n')}\n`), {
    ...{ country: null, choices },
    watch: () => {
      called = [];
      return (judgedRows) => {
        const good = judgedRows.filter(({ kind }) => kind === 'good');
        called.push(...good.map(({ line }) => line - 2));
      };
    },
  });
  const { scanned } = survey;
  const undecided = columnsUndecided(scanned, scanned.memory.cells);
  if (undecided !== undefined) throw undecided;
  const { good, suppressed, rejected, byReason, examples } = survey;
  return { called, good, suppressed, rejected, byReason, examples, mapping: scanned.mapping };
}
