import { useEffect, useRef, useState } from 'preact/hooks';

import type { ResultFormatName } from '../../../domain/campaign.ts';
import { LEAD_RESULTS } from '../../../domain/lead.ts';
import { startOfDay } from '../../../text/wall-clock.ts';
import type { CampaignDetail } from '../../../views/campaigns.ts';
import type { Columns } from '../../../views/results.ts';
import { useAction } from '../api/action.ts';
import { path, query, sendForFile } from '../api/client.ts';
import { useRead } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import { Icon, wordOf } from '../parts/badge.tsx';
import { CheckField, SelectField, TextField } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { setsParam } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { choose, hasRows, resultsAddress, type Choice } from './choice.ts';

/** Takes the results that no earlier file of this kind has taken; they come once. */
function NewResults({
  campaign: { name, timezone },
  wanted,
}: {
  campaign: CampaignDetail;
  wanted: Choice;
}) {
  const { format, per, only, columns, since, night } = wanted;
  const [told, setTold] = useState<string>();
  const taking = useAction(async () => {
    setTold(undefined);
    const file = await sendForFile(path`/campaigns/${name}/results`, {
      ...(format !== null && { format }),
      ...(only.length > 0 && { only }),
      ...(columns.length > 0 && { columns }),
      ...(since !== '' && { since: startOfDay(since, timezone) }),
    });
    if (!(await hasRows(file, format))) {
      setTold('Nobody has become done since the last one: there is no file.');
      return;
    }
    const as = fileName(name, format);
    save(file, as);
    setTold(`${as} is saved. Its people count as taken from now on.`);
  });
  const unlike =
    per === 'attempt'
      ? 'A row for each lead alone.'
      : night !== '' && 'Of all nights together alone.';
  return (
    <section class="stack tight new-results" aria-labelledby="new-results">
      <h3 id="new-results">Only new results</h3>
      <p class="soft small-text">
        Only people who have become done, or whose result has changed, since new results were last
        taken. The format above and the choice below hold. Up to some hundred megabytes.
      </p>
      <div>
        <Button icon="download" disabled={unlike !== false} action={taking}>
          Take the new ones
        </Button>
        {unlike !== false && <span class="soft small-text"> {unlike}</span>}
      </div>
      <p role="status" class="small-text">
        {told}
      </p>
      {taking.problem !== undefined && <ProblemNotice problem={taking.problem} />}
    </section>
  );
}

const ENDINGS = { csv: 'csv', excel: 'csv', xlsx: 'xlsx', jsonl: 'jsonl' } as const;

/** As the command line names it: `spring-new-20260105T101500Z.csv`. */
function fileName(campaign: string, format: Choice['format']): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${campaign}-new-${time}.${ENDINGS[format ?? 'csv']}`;
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By then the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const FORMATS: Readonly<Record<ResultFormatName, string>> = {
  xlsx: 'Excel workbook (.xlsx)',
  excel: 'CSV for Excel',
  csv: 'CSV for programs',
  jsonl: 'JSON lines for programs',
};

/** Chooses what of the results is wanted, and gives it as a file. */
export function Download({ campaign, choice }: { campaign: CampaignDetail; choice: Choice }) {
  const { name, timezone } = campaign;
  const { format, per, only, since } = choice;
  const [wasChosen] = useState(
    per === 'attempt' || since !== '' || only.length + choice.columns.length > 0,
  );
  const columns = useRead<Columns>(path`/campaigns/${name}/columns` + query({ per, format }));
  const all = [...new Set(columns.value?.items.map((column) => column.name))];
  const wanted = {
    ...choice,
    format: format ?? columns.value?.format ?? null,
    // Those of an attempt alone are not in a file of leads; which they are is known when they have come.
    columns: choice.columns.filter((column) => columns.value === undefined || all.includes(column)),
  };
  return (
    <div class="card padded download">
      <SelectField
        label="Format"
        value={wanted.format ?? ''}
        onChange={setsParam('format')}
        choices={Object.entries(FORMATS).map(([value, text]) => ({ value, text }))}
      />
      {columns.problem !== undefined && <ProblemNotice problem={columns.problem} />}
      <div>
        <a class="button primary" download href={resultsAddress(name, timezone, wanted)}>
          <Icon name="download" />
          Download the results
        </a>
      </div>
      {may('operator') && <NewResults campaign={campaign} wanted={wanted} />}
      <details class="stack" open={wasChosen}>
        <summary>Choose results, days and columns</summary>
        <div class="choices">
          <SelectField
            label="A row for each"
            value={per}
            onChange={(value) => choose({ per: value as Choice['per'] })}
            choices={['lead', 'attempt']}
          />
          <TextField
            label="Since"
            type="date"
            value={since}
            onChange={setsParam('since')}
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
              {wordOf(result)}
            </CheckField>
          ))}
        </fieldset>
        <ColumnChoice all={all} chosen={wanted.columns} />
        <CapturedLeads campaign={name} format={wanted.format} />
      </details>
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

/**
 * Which columns the file has, and in which order.
 *
 * @param all in their own order
 * @param chosen empty: all
 */
function ColumnChoice({ all, chosen }: { all: readonly string[]; chosen: readonly string[] }) {
  const set = (columns: readonly string[]) => choose({ columns: [...columns] });
  return (
    <div class="stack tight columns-choice">
      <fieldset>
        <legend>
          Columns{' '}
          <span class="soft">
            {all.length > 0 &&
              `(${chosen.length === 0 ? 'all' : `${chosen.length} of`} ${all.length})`}
          </span>
        </legend>
        <ul role="list">
          {all.map((name) => (
            <li key={name}>
              <CheckField
                checked={chosen.includes(name)}
                onChange={(checked) =>
                  set(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
                }
              >
                <span class="break">{name}</span>
              </CheckField>
            </li>
          ))}
        </ul>
      </fieldset>
      <div class="row tight">
        <Button
          kind="small"
          disabled={chosen.length === all.length}
          onClick={() => set([...chosen, ...all.filter((name) => !chosen.includes(name))])}
        >
          Tick all
        </Button>
        <Button kind="small" disabled={chosen.length === 0} onClick={() => set([])}>
          Tick none
        </Button>
        {chosen.length === 0 && (
          <span class="soft small-text">None ticked: all, in their own order.</span>
        )}
      </div>
      {chosen.length > 1 && <Order chosen={chosen} onChange={set} />}
    </div>
  );
}

function Order({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (columns: readonly string[]) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  /** The button that was pressed: it moves with its column, and the focus with it. */
  const pressed = useRef<string>();
  useEffect(() => {
    if (pressed.current === undefined) return;
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    buttons.find(({ dataset }) => dataset['moves'] === pressed.current)?.focus();
    pressed.current = undefined;
  });
  const move = (name: string, way: 'up' | 'down') => {
    const at = chosen.indexOf(name);
    const to = way === 'up' ? at - 1 : at + 1;
    const other = chosen[to];
    if (other === undefined) return;
    pressed.current = `${way} ${name}`;
    onChange(chosen.with(at, other).with(to, name));
  };
  return (
    <section class="order" aria-label="Their order in the file">
      <h3>Their order in the file</h3>
      <ol role="list" ref={list}>
        {chosen.map((name, i) => (
          <li key={name}>
            <span class="break">
              <span class="soft number">{i + 1}.</span> {name}
            </span>
            {(['up', 'down'] as const).map((way) => (
              <Button
                key={way}
                kind="quiet small icon"
                icon={way}
                data-moves={`${way} ${name}`}
                aria-label={`Move ${name} ${way}`}
                aria-disabled={name === chosen.at(way === 'up' ? 0 : -1)}
                onClick={() => move(name, way)}
              ></Button>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
