import type { Reading, SentList, SentLists } from '../../../../views/lists.ts';
import { Loading, ProblemNotice } from '../../parts/notice.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { NextStep, NoList } from '../steps.tsx';
import type { StepProps } from '../use-draft.tsx';

type Column = SentList['columns'][number];
type Meaning = Column['meaning'];
type Chosen = Reading['columns'][string];

interface OfList extends Pick<SentLists, 'meanings'>, Pick<StepProps, 'sent'> {
  look: SentList;
}

/** In a menu: takes back what was chosen. */
const AS_FOUND = '';

/** The columns of one list: name, samples, and what each is taken for. */
function ColumnTable({ look, meanings, sent }: OfList) {
  const { name, columns } = look;
  const calls = columns.filter(({ order }) => order !== null).length;
  return (
    <Table
      kind="column-table"
      label={`Columns of ${name}`}
      heads={['Column', 'Samples', 'Taken for']}
    >
      {columns.map((column) => (
        <tr key={column.column}>
          <th scope="row" class="break">
            {column.header || <span class="soft">no name ({column.column})</span>}
          </th>
          <td class="break soft">
            {column.samples.length === 0 && 'empty'}
            {samplesOf(column).map((sample, i) => (
              <div key={i} class="two-lines">
                {sample}
              </div>
            ))}
          </td>
          <td>
            <MeaningMenu
              column={column}
              meanings={meanings}
              onChoose={(meaning) => sent.read(look, (now) => choose(now, column.column, meaning))}
            />
            <p class="soft small-text">
              {column.chosen && 'chosen by hand'}
              {column.chosen && column.order !== null && calls > 1 && ', '}
              {column.order !== null && calls > 1 && orderText(column.order)}
            </p>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Of a column without a meaning, how often it has each value: a person decides by that whether it is about calls. */
function samplesOf({ meaning, frequent, samples }: Column): string[] {
  return meaning === 'keep' && frequent !== null && frequent !== '' ? [frequent] : samples;
}

function MeaningMenu({
  column: { column, header, meaning, chosen },
  meanings,
  onChoose,
}: {
  column: Column;
  meanings: SentLists['meanings'];
  onChoose: (meaning: Meaning | typeof AS_FOUND) => void;
}) {
  const shown = meanings.filter((one) => one.choosable || one.meaning === meaning);
  return (
    <select
      class="input small"
      aria-label={`${header || column} is taken for`}
      value={meaning}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as Meaning | typeof AS_FOUND)}
    >
      {shown.map((one) => (
        <option
          key={one.meaning}
          value={one.meaning}
          disabled={!one.choosable}
          selected={one.meaning === meaning}
        >
          {one.text}
        </option>
      ))}
      {chosen && <option value={AS_FOUND}>as callsheet finds it</option>}
    </select>
  );
}

function choose(
  { columns }: Reading,
  column: string,
  meaning: Meaning | typeof AS_FOUND,
): Pick<Reading, 'columns'> {
  const others = Object.entries(columns).filter(([key]) => key !== column);
  const chosen = meaning === AS_FOUND ? [] : [[column, meaning as Chosen] as const];
  return { columns: Object.fromEntries([...others, ...chosen]) };
}

function orderText(order: number): string {
  return order === 1 ? 'called first' : `called where the ones before have no number (${order})`;
}

/** What each column of each list was taken for, with samples, and a menu to change it. */
export function ColumnsStep({ shown, sent }: StepProps) {
  const { name } = shown.campaign;
  const { value, problem } = sent;
  if (value?.lists.length === 0) return <NoList name={name} />;
  const isGood = value?.lists.every((look) => look.problem === null) ?? false;
  return (
    <div class="stack wide">
      {value === undefined && problem === undefined && <Loading what="the columns" />}
      {value?.lists.map((look) => (
        <ListColumns key={look.list} look={look} meanings={value.meanings} sent={sent} />
      ))}
      <NextStep name={name} problem={problem} next="rows" isReady={isGood}>
        {isGood
          ? 'What you choose is remembered for lists with the same column names.'
          : value !== undefined && 'What is said above has to be mended first.'}
      </NextStep>
    </div>
  );
}

function ListColumns({ look, meanings, sent }: OfList) {
  const { name, problem, columns } = look;
  return (
    <section class="stack tight" aria-label={name}>
      <h2 class="break">{name}</h2>
      {problem !== null && <ProblemNotice problem={problem} />}
      {columns.length > 0 && <ColumnTable look={look} meanings={meanings} sent={sent} />}
    </section>
  );
}
