import { useState } from 'preact/hooks';
import { CheckField, TextField } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { DropZone } from '../parts/forms/drop-zone.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { useTypedFields } from '../parts/forms/typed-fields.ts';
import { byteText } from '../parts/amounts.ts';
import { filledIn } from './filled-in.ts';
import { ChosenColumns, columnMap, type ChosenColumn } from './chosen-columns.tsx';
import type { FileImport } from './use-import.ts';

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
export function ImportForm({ importing, onClose }: { importing: FileImport; onClose: () => void }) {
  const { file, choose, start, job, isRunning } = importing;
  const [columns, setColumns] = useState<ChosenColumn[]>([]);
  const [isMore, setMore] = useState(false);
  const problem = start.problem ?? job?.problem ?? undefined;
  const { typed, fieldOf } = useTypedFields(EMPTY);
  const { at, elsewhere } = problemPlaces(problem, FIELDS);
  const field = (name: keyof typeof EMPTY) => fieldOf(name, at(name));
  const isReading = at('map') ?? at('encoding') ?? at('sheet');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void start.run({ ...filledIn(typed), map: columnMap(columns) });
      }}
    >
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
      <div class="columns suppression-pair">
        <TextField
          {...field('asOf')}
          label="The day the file is from"
          type="date"
          about="Of a registry's file. Rules may ask that it is not too old."
        />
        <TextField
          {...field('country')}
          label="Country of numbers without +"
          about="Two letters, e.g. US or GB."
        />
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
          <div class="columns suppression-pair">
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
        <button class="button" type="button" onClick={onClose}>
          {isRunning ? 'Close, it goes on' : 'Leave it'}
        </button>
        <button class="button primary" type="submit" disabled={file === undefined || isRunning}>
          Suppress all its numbers
        </button>
      </footer>
    </form>
  );
}

const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'windows-1251', 'macintosh', 'shift_jis'];
