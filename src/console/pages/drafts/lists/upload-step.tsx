import type { SentList } from '../../../../views/lists.ts';
import SAMPLE from '../../../../../data/samples/leads.csv?raw';
import { Button } from '../../parts/button.tsx';
import { byteText, counted } from '../../parts/values.tsx';
import { SelectField } from '../../parts/field.tsx';
import { DropZone } from '../../parts/forms/controls.tsx';
import { Loading, Notice, ProblemNotice } from '../../parts/notice.tsx';
import { NextStep } from '../steps.tsx';
import type { Sent, StepProps } from '../use-draft.tsx';
import type { SendingFile } from '../../api/uploads.ts';

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
function ListFormat({ look, sent }: { look: SentList; sent: Sent }) {
  const { kind, encoding, delimiter, sheet, sheets, reading: input } = look;
  /** The first choice leaves it to callsheet, and says what it has found. */
  const reads = (
    as: 'encoding' | 'delimiter' | 'sheet',
    found: string | null,
    usual: readonly string[],
    textOf = (one: string) => one,
  ) => ({
    value: input[as] ?? '',
    onChange: (value: string) => sent.read(look, () => ({ [as]: value || null })),
    any: found !== null && input[as] == null ? `${textOf(found)} (found)` : 'find out',
    choices: [...usual, ...(found === null ? [] : [found])].map((one) => ({
      value: one,
      text: textOf(one),
    })),
  });
  const isText = kind === 'text' || (kind === null && (input.encoding ?? input.delimiter) != null);
  if (isText) {
    const separators = Object.keys(DELIMITERS);
    return (
      <div class="columns list-format">
        <SelectField label="Encoding" {...reads('encoding', encoding, ENCODINGS)} />
        <SelectField
          label="Separator"
          {...reads('delimiter', delimiter, separators, (one) => DELIMITERS[one] ?? one)}
        />
      </div>
    );
  }
  const isWorkbook = kind === 'workbook' || input.sheet !== null;
  if (!isWorkbook) return null;
  const hidden = sheets.flatMap((one) => (one.hidden ? one.name : []));
  const names = sheets.map(({ name }) => name);
  const nameOf = (one: string) => (hidden.includes(one) ? `${one} (hidden)` : one);
  return (
    <div class="columns list-format">
      <SelectField label="Sheet" {...reads('sheet', sheet, names, nameOf)} />
    </div>
  );
}

/** For who has no list at hand: a table to fill in, and people who do not exist. */
export function SampleLists({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return (
    <p class="soft small-text">
      No list yet?{' '}
      <Button kind="small" onClick={() => onFiles([new File([SAMPLE], 'sample.csv')])}>
        Use a sample
      </Button>{' '}
      of people who do not exist, or download{' '}
      <a href={`data:text/csv,${encodeURIComponent(TEMPLATE)}`} download="template.csv">
        an empty list to fill in
      </a>
      .
    </p>
  );
}

const TEMPLATE = 'first name,last name,phone,email,company,state,country,id,note\r\n';

/** Lists are sent, and each is shown as it is read. */
export function UploadStep({ shown, sent }: StepProps) {
  const lists = sent.value?.lists ?? [];
  return (
    <div class="stack wide">
      <DropZone
        onFiles={sent.sending.add}
        {...(lists.length > 0 && { title: 'Drop further lists here' })}
      />
      {sent.value?.lists.length === 0 && <SampleLists onFiles={sent.sending.add} />}
      {sent.value === undefined && sent.problem === undefined && <Loading what="the lists" />}
      {lists.map((look) => (
        <ListCard key={look.list} look={look} sent={sent} />
      ))}
      <NextStep
        name={shown.campaign.name}
        problem={sent.problem}
        next="columns"
        isReady={lists.length > 0}
      >
        {lists.length > 0 &&
          'You can leave, and go on later from the campaigns: it is a draft, which calls nobody.'}
      </NextStep>
    </div>
  );
}

function ListCard({ look, sent }: { look: SentList; sent: Sent }) {
  const { bytes, name, rows, kind, problem, warnings } = look;
  return (
    <section class="card padded" aria-label={name}>
      <header class="row between">
        <div>
          <h2 class="break">{name}</h2>
          <p class="soft small-text number">
            {byteText(bytes ?? 0)}
            {rows !== null && `, ${counted(rows, 'row')}`}
            {kind === 'workbook' && ', a workbook'}
          </p>
        </div>
        <Button kind="small" aria-label={`Take out ${name}`} onClick={() => sent.takeOut(look)}>
          Take out
        </Button>
      </header>
      <ListFormat look={look} sent={sent} />
      {problem !== null &&
        (kind === null ? (
          <ProblemNotice problem={problem} />
        ) : (
          <Notice tone="warn" next="The next step, columns, mends it.">
            {problem.detail}
          </Notice>
        ))}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
    </section>
  );
}

/** Files on their way, each with how far it is; those that were refused, with why. */
export function SendingList({ files }: { files: readonly SendingFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="stack tight" role="list" aria-label="Files on their way">
      {files.map((file) => (
        <li key={file.key}>
          {file.problem === undefined ? (
            <Progress file={file} />
          ) : (
            <ProblemNotice
              problem={{ ...file.problem, detail: withName(file) }}
              action={
                <Button kind="quiet small" onClick={file.cancel}>
                  Close
                </Button>
              }
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function withName({ name, problem }: SendingFile): string {
  const detail = problem?.detail ?? '';
  return detail.includes(name) ? detail : `${name}: ${detail}`;
}

function Progress({ file: { name, bytes, sent, cancel } }: { file: SendingFile }) {
  const isThere = sent >= bytes;
  return (
    <div class="card sending">
      <div class="stack tight">
        <div class="row between">
          <strong class="break">{name}</strong>
          <span class="soft small-text number">
            {isThere ? 'arriving' : `${byteText(sent)} of ${byteText(bytes)}`}
          </span>
        </div>
        <progress
          class="progress"
          aria-label={`${name} is sent`}
          max={bytes}
          value={Math.min(sent, bytes)}
        />
      </div>
      <Button kind="small" aria-label={`Cancel ${name}`} onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
