import type { Draft, SurveyedList } from '../../../contract/drafts.ts';
import { path, query } from '../../api/addresses.ts';
import { amount, counted } from '../../parts/amounts.ts';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Said } from '../../parts/said.tsx';
import { ReasonRows } from './reason-rows.tsx';

/** What one list brings: figures, and every reason for which rows are not taken, with the first of them. */
export function ListSurvey({ list, draft }: { list: SurveyedList; draft: Draft }) {
  const { upload, name, headers, reasons, rejects, warnings, notes } = list;
  return (
    <section class="stack" aria-label={name}>
      <div class="row between">
        <h2 class="break">{name}</h2>
        {rejects > 0 && (
          <a
            class="button small"
            href={`/api/v1${path`/drafts/${draft.id}`}/rejects${query({ upload })}`}
            download
          >
            <Icon name="download" />
            Download {counted(rejects, 'row')} to mend
          </a>
        )}
      </div>
      <Figures list={list} />
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <Said text={warning} />
        </Notice>
      ))}
      {reasons.map((reason) => (
        <ReasonRows key={reason.code} reason={reason} headers={headers} />
      ))}
      {notes.length > 0 && (
        <section class="stack tight" aria-label="Rows that are taken all the same">
          <h3>Taken all the same</h3>
          <ul class="stack tight small-text" role="list">
            {notes.map((note) => (
              <li key={note} class="break">
                <Said text={note} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}

function Figures({ list }: { list: SurveyedList }) {
  const { rows, good, mended, fictional, duplicates, suppressed, rejected } = list;
  const figures: readonly [label: string, count: number, note: string][] = [
    ['Rows', rows, ''],
    ['Good', good, fictional > 0 ? `${amount(fictional)} kept for fiction` : ''],
    ['Mended', mended, 'of the good ones'],
    ['Duplicates', duplicates, ''],
    ['Suppressed', suppressed, ''],
    ['Refused', rejected, ''],
  ];
  return (
    <dl class="figures list-figures">
      {figures.map(([label, count, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {amount(count)}
            {note !== '' && <div class="note">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
