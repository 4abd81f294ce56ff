import { useState } from 'preact/hooks';

import type { Job, ProblemBody } from '../../../contract/common.ts';
import type { Draft, Surveyed, SurveyedList } from '../../../contract/drafts.ts';
import { path, query } from '../../api/addresses.ts';
import { amount, counted } from '../../parts/amounts.ts';
import { Empty, Loading, Notice, ProblemNotice, Said } from '../../parts/notice.tsx';
import { TextField } from '../../parts/field.tsx';
import { DropZone } from '../../parts/forms/drop-zone.tsx';
import { Icon } from '../../parts/icon.tsx';
import { JobPanel } from '../../parts/job-panel.tsx';
import { NextStep, stepPath } from '../steps.tsx';
import { useDraftJob, type ShownDraft } from '../use-draft.tsx';
import { SendingList } from './sending-list.tsx';
import { useSending } from './use-sending.ts';

type Reason = SurveyedList['reasons'][number];

const KINDS: Record<Reason['kind'], { text: string; tone: string }> = {
  rejected: { text: 'refused', tone: 'bad' },
  duplicate: { text: 'duplicate', tone: '' },
  suppressed: { text: 'suppressed', tone: 'warn' },
};

/** Rows that are not taken for one reason: how many, and the first of them. */
function ReasonRows({
  reason: { code, kind, count, rows },
  headers,
}: {
  reason: Reason;
  headers: readonly string[];
}) {
  const { text, tone } = KINDS[kind];
  const what = code.replaceAll('_', ' ');
  const rest = count - rows.length;
  return (
    <details class="reason">
      <summary>
        <span class={`badge ${tone}`}>{text}</span> <strong>{what}</strong>{' '}
        <span class="soft number">{counted(count, 'row')}</span>
        <span class="soft small-text break reason-why">
          <Said text={rows[0]?.why ?? ''} />
        </span>
      </summary>
      <div class="table-box" tabIndex={0} role="region" aria-label={`First rows: ${what}`}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col" class="number">
                Line
              </th>
              <th scope="col">Why</th>
              {headers.map((header, i) => (
                <th key={i} scope="col">
                  {header || `#${i + 1}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.line}>
                <th scope="row" class="number">
                  {amount(row.line)}
                </th>
                <td class="long">
                  <Said text={row.why} />
                </td>
                {headers.map((_, i) => (
                  <td key={i} class="nowrap">
                    {row.cells[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rest > 0 && (
        <p class="soft small-text">and {counted(rest, 'further row')}, all in the download.</p>
      )}
    </details>
  );
}

/** What one list brings: figures, and every reason for which rows are not taken, with the first of them. */
function ListSurvey({ list, draft }: { list: SurveyedList; draft: Draft }) {
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

/** Asks for the country of numbers that do not say theirs, where there are any. */
function CountryForm({
  shown: { draft, change, isSaving },
  surveyed,
  problem,
}: {
  shown: ShownDraft;
  surveyed: Surveyed | undefined;
  /** Why the country that is chosen was refused. */
  problem: ProblemBody | undefined;
}) {
  const chosen = draft.settings['country'] ?? '';
  const [typed, setTyped] = useState(chosen);
  const without = surveyed?.lists.flatMap(({ reasons }) =>
    reasons.filter(({ code }) => code === 'no_country'),
  );
  if (problem === undefined && chosen === '' && (without === undefined || without.length === 0))
    return null;
  return (
    <form
      class="country-form"
      onSubmit={(event) => {
        event.preventDefault();
        void change((now) => ({
          settings: { ...now.settings, country: typed.trim() || 'none' },
        }));
      }}
    >
      <TextField
        label="Country of numbers without +"
        about="Two letters, e.g. US; numbers with + say their own"
        value={typed}
        problem={problem}
        autoComplete="off"
        onChange={setTyped}
      />
      <button class="button" type="submit" disabled={isSaving || typed.trim() === chosen}>
        Read them again
      </button>
    </form>
  );
}

/** All rows are read: which are taken, which not and why; mended ones join here. */
export function RowsStep({ shown }: { shown: ShownDraft }) {
  const { draft, change } = shown;
  const { job, problem } = useDraftJob(draft, 'survey');
  const sending = useSending((uploads) => {
    const ids = uploads.map(({ id }) => id);
    void change((now) => ({ uploads: [...now.uploads, ...ids] }));
  });
  if (draft.files.length === 0) {
    return (
      <Empty title="No list yet">
        <a href={stepPath(draft.id, 'upload')}>Send one first</a>
      </Empty>
    );
  }
  const surveyed = job?.state === 'done' ? (job.result as Surveyed) : undefined;
  const wrongCountry = aboutCountry(job);
  const rejects = surveyed?.lists.reduce((sum, list) => sum + list.rejects, 0) ?? 0;
  return (
    <div class="stack wide">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problem === undefined && job === undefined && <Loading what="the rows" />}
      {job !== undefined && surveyed === undefined && wrongCountry === undefined && (
        <JobPanel job={job} />
      )}
      {wrongCountry === undefined && job !== undefined && job.problem !== null && (
        <p>
          <a href={stepPath(draft.id, 'columns')}>Look at the columns</a>, or{' '}
          <a href={stepPath(draft.id, 'settings')}>at the settings</a>.
        </p>
      )}
      {surveyed !== undefined && <Total surveyed={surveyed} />}
      <CountryForm shown={shown} surveyed={surveyed} problem={wrongCountry} />
      {surveyed?.lists.map((list) => (
        <ListSurvey key={list.upload} list={list} draft={draft} />
      ))}
      {(rejects > 0 || sending.files.length > 0) && (
        <section class="stack tight" aria-label="Mended rows">
          <h2>Mended rows</h2>
          <DropZone
            title="Drop the mended file here"
            about="Download the rows that are not taken, mend them in a table program, save, and drop them here: they join the lists above. Columns for line and reason may stay."
            onFiles={sending.add}
          />
          <SendingList files={sending.files} />
        </section>
      )}
      <NextStep shown={shown} next="settings" isReady={surveyed !== undefined}>
        {rejects > 0 && 'You can go on without the rows that are not taken.'}
      </NextStep>
    </div>
  );
}

/** What is said of the chosen country is said at its field. */
function aboutCountry(job: Job | undefined): ProblemBody | undefined {
  const problem = job?.problem ?? undefined;
  return problem?.code === 'SETTING_INVALID' && problem.detail.includes('country ')
    ? problem
    : undefined;
}

function Total({ surveyed: { good, lists } }: { surveyed: Surveyed }) {
  const rows = lists.reduce((sum, list) => sum + list.rows, 0);
  const tone = good === 0 ? 'bad' : good === rows ? 'good' : 'plain';
  return (
    <div role="status">
      <Notice tone={tone}>
        {good === 0
          ? 'Nobody on these lists could be called.'
          : `${amount(good)} of ${counted(rows, 'row')} would be leads.`}
      </Notice>
    </div>
  );
}
