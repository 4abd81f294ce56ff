import { useState } from 'preact/hooks';

import type { Problem } from '../../../views/fields.ts';
import { Button, Form } from '../parts/button.tsx';
import { amount, byteText } from '../parts/values.tsx';
import { Dialog, type LiesOver } from '../parts/dialog.tsx';
import {
  CheckField,
  CountryField,
  filledIn,
  SelectField,
  TextField,
  useTypedFields,
} from '../parts/field.tsx';
import { DropZone } from '../parts/forms/controls.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { JobPanel } from '../parts/job-panel.tsx';
import { Figures } from '../parts/sheet.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { useImport, type FileImport } from './use-import.ts';

/** A column that is not what it was taken for. */
interface ChosenColumn {
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
function columnMap(columns: readonly ChosenColumn[]): string[] {
  return columns
    .filter(({ column }) => column.trim() !== '')
    .map(({ column, target }) => `${target}=${column.trim()}`);
}

/** Columns by their heading or place, and what they hold. */
function ChosenColumns({
  columns,
  onChange,
  problem,
}: {
  columns: readonly ChosenColumn[];
  onChange: (columns: ChosenColumn[]) => void;
  problem: Problem | undefined;
}) {
  const shown = columns.length === 0 ? [{ column: '', target: 'phone' as const }] : columns;
  const change = (index: number, changed: Partial<ChosenColumn>) =>
    onChange(shown.map((each, i) => (i === index ? { ...each, ...changed } : each)));
  return (
    <div class="stack tight">
      {shown.map(({ column, target }, i) => (
        <div key={i} class="import-column">
          <TextField
            label={`Column ${i + 1}`}
            placeholder="Heading, or #3 for the third"
            value={column}
            onChange={(typed) => change(i, { column: typed })}
            autoComplete="off"
          />
          <SelectField
            label={`What column ${i + 1} is`}
            value={target}
            choices={TARGETS}
            onChange={(chosen) => change(i, { target: chosen as ChosenColumn['target'] })}
          />
          <Button
            kind="quiet icon"
            icon="close"
            aria-label={`Take column ${i + 1} away`}
            onClick={() => onChange(shown.filter((_, index) => index !== i))}
          ></Button>
        </div>
      ))}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div>
        <Button
          kind="small"
          icon="plus"
          onClick={() => onChange([...shown, { column: '', target: 'phone' }])}
        >
          Another column
        </Button>
      </div>
    </div>
  );
}

const EMPTY = { asOf: '', country: '', until: '', note: '', encoding: '', sheet: '' };

/** What refusals are about; all others are about the file itself. */
const FIELDS = {
  asOf: [],
  country: ['COUNTRY_UNKNOWN'],
  until: [],
  note: [],
  encoding: [],
  sheet: ['SHEET_UNKNOWN'],
  map: ['LIST_HAS_NO_COLUMN', 'LIST_HAS_NO_PHONE_COLUMN', 'COLUMN_UNKNOWN'],
} as const;

/** Which file, and how it is read: all but the file may be left as it is found. */
function ImportForm({ importing, onClose }: { importing: FileImport; onClose: () => void }) {
  const { file, sent, choose, start, job, isRunning } = importing;
  const [columns, setColumns] = useState<ChosenColumn[]>([]);
  const [isMore, setMore] = useState(false);
  const problem = start.problem ?? job?.problem ?? undefined;
  const { typed, fieldOf } = useTypedFields(EMPTY);
  const { at, elsewhere } = problemPlaces(problem, FIELDS);
  const field = (name: keyof typeof EMPTY) => fieldOf(name, at(name));
  const isReading = at('map') ?? at('encoding') ?? at('sheet');
  return (
    <Form does={() => start.run({ ...filledIn(typed), map: columnMap(columns) })}>
      <DropZone
        isForOne
        isDisabled={isRunning}
        title={
          file === undefined ? (
            'Drop a file here'
          ) : (
            <>
              {file.name} <span class="soft">({byteText(file.size)})</span>
            </>
          )
        }
        about="CSV, a workbook, or the flat file of a registry. Every column of numbers is read."
        onFiles={([first]) => {
          if (first !== undefined) choose(first);
        }}
      />
      <div class="columns narrow">
        <TextField
          {...field('asOf')}
          label="The day the file is from"
          type="date"
          about="Of a registry's file. Rules may ask that it is not too old."
        />
        <CountryField {...field('country')} />
        <TextField
          {...field('until')}
          label="Until"
          type="date"
          about="The last day on which it holds; empty: for good."
        />
        <TextField {...field('note')} label="Note" about="Why, for those who look it up." />
      </div>
      <CheckField checked={isMore || isReading !== undefined} onChange={setMore}>
        Say how the file is read: columns, encoding, sheet
      </CheckField>
      {(isMore || isReading !== undefined) && (
        <>
          <ChosenColumns columns={columns} onChange={setColumns} problem={at('map')} />
          <div class="columns narrow">
            <TextField
              {...field('encoding')}
              label="Encoding"
              list="encodings"
              about="Empty: found from the file."
            />
            <TextField {...field('sheet')} label="Sheet of a workbook" about="Empty: the first." />
          </div>
          <datalist id="encodings">
            {ENCODINGS.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      {elsewhere !== undefined && <ProblemNotice problem={elsewhere} />}
      <footer class="row tight end">
        <Button onClick={onClose}>
          {isRunning && sent === undefined ? 'Close, it goes on' : 'Leave it'}
        </Button>
        <button class="button primary" type="submit" disabled={file === undefined || isRunning}>
          Suppress all its numbers
        </button>
      </footer>
    </Form>
  );
}

const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'windows-1251', 'macintosh', 'shift_jis'];

/** Suppresses all numbers of a file: choose it, say how it is read, watch, and see what came of it. */
export function ImportNumbers({ onClose, onDone }: LiesOver) {
  const importing = useImport(onDone);
  const { imported, isRunning, job } = importing;
  return (
    <Dialog title="Import a file of numbers" kind="dialog wide" onClose={onClose}>
      {imported === null ? (
        <>
          <ImportForm importing={importing} onClose={onClose} />
          {isRunning && <Underway importing={importing} />}
        </>
      ) : (
        <>
          <Notice tone="good">
            {imported.file} is on the list: nobody calls its numbers from now on.
          </Notice>
          <Came of={imported} />
          {job !== undefined && job.messages.length > 1 && (
            <JobPanel job={{ ...job, messages: job.messages.slice(1) }} />
          )}
          <footer class="row tight end">
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </footer>
        </>
      )}
    </Dialog>
  );
}

function Underway({ importing: { file, sent, job } }: { importing: FileImport }) {
  if (sent !== undefined && file !== undefined) {
    return (
      <div class="stack tight" role="status">
        <progress
          class="progress"
          aria-label={`Sending ${file.name}`}
          max={Math.max(file.size, 1)}
          value={sent}
        />
        <p class="soft small-text number">
          Sending: {byteText(sent)} of {byteText(file.size)}
        </p>
      </div>
    );
  }
  return job === undefined ? null : <JobPanel job={job} />;
}

function Came({
  of: { added, known, leads, unread },
}: {
  of: NonNullable<FileImport['imported']>;
}) {
  return (
    <Figures
      rows={[
        ['new on the list', amount(added)],
        ['were on it already', amount(known)],
        ['waiting people ended', amount(leads)],
        ['cells without a number', amount(unread)],
      ]}
    />
  );
}
