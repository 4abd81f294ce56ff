import type { ProblemBody } from '../../contract/common.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemNotice } from '../parts/notice.tsx';

/** A column that is not what it was taken for. */
export interface ChosenColumn {
  /** Its heading, or its place such as `#3`. */
  column: string;
  target: 'phone' | 'country' | 'ignore';
}

const TARGETS: readonly { value: ChosenColumn['target']; text: string }[] = [
  { value: 'phone', text: 'holds numbers' },
  { value: 'country', text: 'holds their country' },
  { value: 'ignore', text: 'is not used' },
];

/** As the API takes them: `phone=Mobile`. */
export function columnMap(columns: readonly ChosenColumn[]): string[] {
  return columns
    .filter(({ column }) => column.trim() !== '')
    .map(({ column, target }) => `${target}=${column.trim()}`);
}

/** Columns by their heading or place, and what they hold. */
export function ChosenColumns({
  columns,
  onChange,
  problem,
}: {
  columns: readonly ChosenColumn[];
  onChange: (columns: ChosenColumn[]) => void;
  problem: ProblemBody | undefined;
}) {
  const shown = columns.length === 0 ? [{ column: '', target: 'phone' as const }] : columns;
  const change = (index: number, changed: Partial<ChosenColumn>) => {
    onChange(shown.map((each, i) => (i === index ? { ...each, ...changed } : each)));
  };
  return (
    <div class="stack tight">
      {shown.map(({ column, target }, i) => (
        <div key={i} class="import-column">
          <TextField
            label={`Column ${i + 1}`}
            placeholder="Heading, or #3 for the third"
            value={column}
            onChange={(typed) => {
              change(i, { column: typed });
            }}
            autoComplete="off"
          />
          <SelectField
            label={`What column ${i + 1} is`}
            value={target}
            choices={TARGETS}
            onChange={(chosen) => {
              change(i, { target: chosen as ChosenColumn['target'] });
            }}
          />
          <button
            class="button quiet icon"
            type="button"
            aria-label={`Take column ${i + 1} away`}
            onClick={() => {
              onChange(shown.filter((_, index) => index !== i));
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div>
        <button
          class="button small"
          type="button"
          onClick={() => {
            onChange([...shown, { column: '', target: 'phone' }]);
          }}
        >
          <Icon name="plus" />
          Another column
        </button>
      </div>
    </div>
  );
}
