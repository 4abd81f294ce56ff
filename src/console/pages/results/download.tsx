import { RESULT_FORMAT_NAMES, type ResultFormatName } from '../../../domain/campaign.ts';
import { LEAD_RESULTS } from '../../../domain/lead.ts';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import type { Columns } from '../../contract/results.ts';
import { path, query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { CheckField, SelectField, TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { RESULTS } from '../parts/result-words.ts';
import { may } from '../shell/session.ts';
import { choose, resultsAddress, type Choice } from './choice.ts';
import { ColumnChoice } from './column-choice.tsx';
import { NewResults } from './new-results.tsx';

const FORMATS: Readonly<Record<ResultFormatName, string>> = {
  csv: 'csv – for programs',
  excel: 'excel – csv for a double click',
  xlsx: 'xlsx – a workbook',
  jsonl: 'jsonl – an object a line',
};

/** Chooses what of the results is wanted, and gives it as a file. */
export function Download({ campaign, choice }: { campaign: CampaignDetail; choice: Choice }) {
  const { name, timezone } = campaign;
  const { format, per, only, since } = choice;
  const columns = useLoaded(
    (signal) => get<Columns>(path`/campaigns/${name}/columns` + query({ per, format }), signal),
    [name, per, format],
  );
  const all = [...new Set(columns.value?.items.map((column) => column.name))];
  const wanted = {
    ...choice,
    format: format ?? columns.value?.format ?? null,
    // Those of an attempt alone are not in a file of leads; which they are is known when they have come.
    columns: choice.columns.filter((column) => columns.value === undefined || all.includes(column)),
  };
  return (
    <div class="card padded download">
      <div class="stack">
        <div class="choices">
          <SelectField
            label="Format"
            value={wanted.format ?? ''}
            onChange={(value) => {
              choose({ format: value as ResultFormatName });
            }}
            choices={RESULT_FORMAT_NAMES.map((value) => ({ value, text: FORMATS[value] }))}
          />
          <SelectField
            label="A row for each"
            value={per}
            onChange={(value) => {
              choose({ per: value as Choice['per'] });
            }}
            choices={[
              { value: 'lead', text: 'lead' },
              { value: 'attempt', text: 'attempt' },
            ]}
          />
          <TextField
            label="Since"
            type="date"
            value={since}
            onChange={(value) => {
              choose({ since: value });
            }}
            about={`Began, ended or was settled on that day or later (${timezone})`}
          />
        </div>
        <fieldset class="results-choice">
          <legend>
            Results{' '}
            <span class="soft">{only.length === 0 ? '(all)' : `(only ${only.length})`}</span>
          </legend>
          {LEAD_RESULTS.map((result) => (
            <CheckField
              key={result}
              checked={only.includes(result)}
              onChange={(checked) => {
                const others = only.filter((one) => one !== result);
                choose({ only: checked ? [...others, result] : others });
              }}
            >
              {RESULTS[result].text}
            </CheckField>
          ))}
        </fieldset>
        {columns.problem !== undefined && <ProblemNotice problem={columns.problem} />}
        <div class="row tight">
          <a class="button primary" download href={resultsAddress(name, timezone, wanted)}>
            <Icon name="download" />
            Download the results
          </a>
          <CapturedLeads campaign={name} format={wanted.format} />
        </div>
        {may('operator') && <NewResults campaign={campaign} wanted={wanted} />}
      </div>
      <ColumnChoice all={all} chosen={wanted.columns} />
    </div>
  );
}

/** What agents noted; they come as no workbook. */
function CapturedLeads({ campaign, format }: { campaign: string } & Pick<Choice, 'format'>) {
  const of = format === 'xlsx' ? 'excel' : format;
  return (
    <a
      class="button"
      download
      title={`What agents noted in calls: a row each, as ${of ?? 'csv'}`}
      href={`/api/v1${path`/campaigns/${campaign}/captured-leads`}${query({ format: of })}`}
    >
      Captured leads
    </a>
  );
}
