import { useState } from 'preact/hooks';

import type { Surveyed, SurveyedList } from '../../../../views/lists.ts';
import { path, query } from '../../api/client.ts';
import { amount, counted } from '../../parts/values.tsx';
import { Notice, Reading, Said } from '../../parts/notice.tsx';
import { CountryField } from '../../parts/field.tsx';
import { Form } from '../../parts/button.tsx';
import { DropZone } from '../../parts/forms/controls.tsx';
import { Icon } from '../../parts/badge.tsx';
import { Figures, Sentences } from '../../parts/sheet.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { JobPanel } from '../../parts/job-panel.tsx';
import { useSettings } from '../../campaign/settings/setting-forms.tsx';
import { NextStep, NoList, stepPath } from '../steps.tsx';
import { useDraftJob, type StepProps } from '../use-draft.tsx';

type Reason = SurveyedList['reasons'][number];

const KINDS: Record<Reason['kind'], { text: string; tone: string }> = {
  rejected: { text: 'rejected', tone: 'bad' },
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
  const what = code === 'excel_scientific' ? 'digits lost in Excel' : code.replaceAll('_', ' ');
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
      <Table
        label={`First rows: ${what}`}
        heads={[
          { text: 'Line', isNumber: true },
          'Why',
          ...headers.map((header, i) => header || `#${i + 1}`),
        ]}
      >
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
      </Table>
      {rest > 0 && (
        <p class="soft small-text">and {counted(rest, 'further row')}, all in the download.</p>
      )}
    </details>
  );
}

/** What one list brings: figures, and every reason for which rows are not taken, with the first of them. */
function ListSurvey({ list, campaign }: { list: SurveyedList; campaign: string }) {
  const { name, headers, reasons, rejects, warnings, notes } = list;
  return (
    <section class="stack" aria-label={name}>
      <div class="row between">
        <h2 class="break">{name}</h2>
        {rejects > 0 && (
          <a
            class="button small"
            href={`/api/v1${path`/campaigns/${campaign}`}/rejects${query({ list: name })}`}
            download
          >
            <Icon name="download" />
            Download {counted(rejects, 'row')} to mend
          </a>
        )}
      </div>
      <FiguresOf list={list} />
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
          <Sentences kind="small-text" lines={notes} />
        </section>
      )}
    </section>
  );
}

function FiguresOf({ list }: { list: SurveyedList }) {
  const { rows, good, mended, fictional, duplicates, suppressed, rejected } = list;
  return (
    <Figures
      kind="list-figures"
      rows={[
        ['Rows', amount(rows)],
        ['Good', amount(good), fictional > 0 && `${amount(fictional)} made-up, for trials`],
        ['Mended', amount(mended), 'of the good ones'],
        ['Duplicates', amount(duplicates)],
        ['Suppressed', amount(suppressed)],
        ['Rejected', amount(rejected)],
      ]}
    />
  );
}

/** Asks for the country of numbers that do not say theirs, where there are any. */
function CountryForm({
  shown,
  surveyed,
}: Pick<StepProps, 'shown'> & { surveyed: Surveyed | undefined }) {
  const { settings, version } = shown.campaign;
  const country = settings['country'] ?? 'none';
  const chosen = country === 'none' ? '' : country;
  const change = useSettings(shown, {
    now: (now) => `It is ${now.settings['country'] ?? ''} now.`,
  });
  const [typed, setTyped] = useState<string>();
  const guess = surveyed?.country ?? '';
  const value = typed ?? (chosen || guess);
  const without = surveyed?.lists.flatMap(({ reasons }) =>
    reasons.filter(({ code }) => code === 'no_country'),
  );
  if (chosen === '' && (without === undefined || without.length === 0)) return null;
  const rows = without?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <Form
      class="country-form"
      does={() => change.run(version, { country: value.trim() || 'none' })}
    >
      <CountryField
        about={
          chosen === ''
            ? `${counted(rows, 'number')} without a country code: not called until you say whose.${guess === '' ? '' : ' A first guess, by the other numbers.'}`
            : 'Numbers with + say their own'
        }
        value={value}
        problem={change.problem}
        onChange={setTyped}
      />
      <button
        class={chosen === '' ? 'button primary' : 'button'}
        type="submit"
        aria-disabled={change.isBusy || value.trim() === chosen}
      >
        {chosen === '' && value.trim() !== '' ? `Read them as ${value.trim()}` : 'Read them again'}
      </button>
      {change.question}
    </Form>
  );
}

/** All rows are read: which are taken, which not and why; mended ones join here. */
export function RowsStep({ shown, sent }: StepProps) {
  const { name } = shown.campaign;
  const { job, problem } = useDraftJob(shown.campaign, 'survey');
  if (sent.value?.lists.length === 0) return <NoList name={name} />;
  const surveyed = (job?.kind === 'survey' && job.result) || undefined;
  const rejects = surveyed?.lists.reduce((sum, list) => sum + list.rejects, 0) ?? 0;
  return (
    <div class="stack wide">
      <Reading of={{ value: job, problem }} what="the rows" />
      {job !== undefined && surveyed === undefined && <JobPanel job={job} />}
      {job !== undefined && job.problem !== null && (
        <p>
          <a href={stepPath(name, 'columns')}>Look at the columns</a>, or{' '}
          <a href={stepPath(name, 'settings')}>at the settings</a>.
        </p>
      )}
      {surveyed !== undefined && <Total surveyed={surveyed} />}
      <CountryForm shown={shown} surveyed={surveyed} />
      {surveyed?.lists.map((list) => (
        <ListSurvey key={list.name} list={list} campaign={name} />
      ))}
      {rejects > 0 && (
        <section class="stack tight" aria-label="Mended rows">
          <h2>Mended rows</h2>
          <DropZone
            title="Drop the mended file here"
            about="Download the rows that are not taken, mend them in a table program, save, and drop them here: they join the lists above. Columns for line and reason may stay."
            onFiles={sent.sending.add}
          />
        </section>
      )}
      <NextStep name={name} problem={sent.problem} next="settings" isReady={surveyed !== undefined}>
        {rejects > 0 && 'You can go on without the rows that are not taken.'}
      </NextStep>
    </div>
  );
}

function Total({ surveyed: { good, lists } }: { surveyed: Surveyed }) {
  const rows = lists.reduce((sum, list) => sum + list.rows, 0);
  const rejected = lists.reduce((sum, list) => sum + list.rejected, 0);
  const tone = good === 0 ? 'bad' : rejected > 0 ? 'warn' : 'good';
  return (
    <div role="status">
      <Notice tone={tone}>
        {good === 0
          ? 'Nobody on these lists could be called.'
          : `${amount(good)} of ${counted(rows, 'row')} are people who can be called.`}
      </Notice>
    </div>
  );
}
