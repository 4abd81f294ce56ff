import type { ListLook } from '../../../contract/drafts.ts';
import { SelectField } from '../../parts/field.tsx';
import type { ShownDraft } from '../use-draft.tsx';
import { readOtherwise, type ListInput } from './list-input.ts';

/** Usual ones; what was found besides is added to the menu. */
const ENCODINGS = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251'],
  ...['iso-8859-2', 'iso-8859-15', 'macintosh', 'shift_jis', 'gb18030', 'euc-kr'],
];
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'comma ,',
  ';': 'semicolon ;',
  '\t': 'tab',
  '|': 'bar |',
  ':': 'colon :',
  ' ': 'space',
};

/** How one list is read: found by callsheet, and changed where that is wrong. */
export function ListFormat({
  look: { upload, kind, encoding, delimiter, sheet, sheets },
  shown: { draft, change },
}: {
  look: ListLook;
  shown: ShownDraft;
}) {
  const input = draft.lists[upload];
  const set = (changed: Partial<ListInput>) =>
    void change((now) => readOtherwise(now, upload, () => changed));
  const isText =
    kind === 'text' || (kind === null && (input?.encoding ?? input?.delimiter) != null);
  if (isText) {
    return (
      <div class="columns list-format">
        <SelectField
          label="Encoding"
          value={input?.encoding ?? ''}
          onChange={(value) => {
            set({ encoding: value || null });
          }}
          choices={choicesOf(encoding, input?.encoding, ENCODINGS, (one) => one)}
        />
        <SelectField
          label="Separator"
          value={input?.delimiter ?? ''}
          onChange={(value) => {
            set({ delimiter: value || null });
          }}
          choices={choicesOf(
            delimiter,
            input?.delimiter,
            Object.keys(DELIMITERS),
            (one) => DELIMITERS[one] ?? one,
          )}
        />
      </div>
    );
  }
  const isWorkbook = kind === 'workbook' || input?.sheet != null;
  if (!isWorkbook) return null;
  return (
    <div class="columns list-format">
      <SelectField
        label="Sheet"
        value={input?.sheet ?? ''}
        onChange={(value) => {
          set({ sheet: value || null });
        }}
        choices={choicesOf(
          sheet,
          input?.sheet,
          sheets.map(({ name }) => name),
          (one) =>
            sheets.some(({ name, hidden }) => name === one && hidden) ? `${one} (hidden)` : one,
        )}
      />
    </div>
  );
}

/** The first choice leaves it to callsheet, and says what it has found. */
function choicesOf(
  found: string | null,
  chosen: string | null | undefined,
  usual: readonly string[],
  text: (one: string) => string,
) {
  const isFound = found !== null && chosen == null;
  const all = new Set([...usual, ...(found === null ? [] : [found]), ...(chosen ? [chosen] : [])]);
  return [
    { value: '', text: isFound ? `${text(found)} (found)` : 'find out' },
    ...[...all].map((one) => ({ value: one, text: text(one) })),
  ];
}
