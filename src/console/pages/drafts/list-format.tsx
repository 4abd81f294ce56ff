import type { Draft, DraftColumns } from '../../contract/drafts.ts';
import { SelectField } from '../parts/field.tsx';
import type { DraftState } from './use-draft.ts';

type ListLook = DraftColumns['lists'][number];

const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-1',
  'utf-16le',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
];
const DELIMITERS = [
  { value: ',', text: 'comma ,' },
  { value: ';', text: 'semicolon ;' },
  { value: '\t', text: 'tab' },
  { value: '|', text: 'bar |' },
];

/** A list of which nothing was chosen. */
export const AS_FOUND: Draft['lists'][string] = {
  columns: {},
  encoding: null,
  delimiter: null,
  sheet: null,
  asOf: null,
};

/** How a list is read: what was found, and another choice. */
export function ListFormat({
  look,
  draft,
  state,
}: {
  look: ListLook;
  draft: Draft;
  state: DraftState;
}) {
  const given = draft.lists[look.upload];
  const change = (part: Partial<Draft['lists'][string]>) => {
    state.change(({ lists }) => ({
      lists: { ...lists, [look.upload]: { ...AS_FOUND, ...lists[look.upload], ...part } },
    }));
  };
  const found = (text: string | null) => (text === null ? 'as found' : `as found (${text})`);
  if (look.kind === 'workbook') {
    return (
      <div class="columns">
        <SelectField
          label="Sheet"
          value={given?.sheet ?? ''}
          onChange={(sheet) => {
            change({ sheet: sheet === '' ? null : sheet, columns: {} });
          }}
          choices={[
            { value: '', text: found(look.sheet) },
            ...look.sheets.map(({ name, hidden }) => ({
              value: name,
              text: hidden ? `${name} (hidden)` : name,
            })),
          ]}
        />
      </div>
    );
  }
  const others = ENCODINGS.filter((name) => name !== look.encoding);
  const delimiter = DELIMITERS.find(({ value }) => value === look.delimiter);
  return (
    <div class="columns">
      <SelectField
        label="Encoding"
        value={given?.encoding ?? ''}
        onChange={(encoding) => {
          change({ encoding: encoding === '' ? null : encoding });
        }}
        choices={[
          { value: '', text: found(given?.encoding == null ? look.encoding : null) },
          ...(look.encoding !== null && given?.encoding != null
            ? [{ value: look.encoding, text: look.encoding }]
            : []),
          ...others.map((name) => ({ value: name, text: name })),
        ]}
      />
      <SelectField
        label="Delimiter"
        value={given?.delimiter ?? ''}
        onChange={(sign) => {
          change({ delimiter: sign === '' ? null : sign, columns: {} });
        }}
        choices={[
          { value: '', text: found(given?.delimiter == null ? (delimiter?.text ?? null) : null) },
          ...DELIMITERS,
        ]}
      />
    </div>
  );
}
