import type { CampaignDetail } from '../../../views/campaigns.ts';
import { columnsOf } from '../../../views/night-figures.ts';
import type { Nights, Summary } from '../../../views/results.ts';
import { path, query } from '../api/client.ts';
import { asItCan, useRead } from '../api/loaded.ts';
import { counted, Time, timeText } from '../parts/values.tsx';
import { Empty, Notice, Reading } from '../parts/notice.tsx';
import { Table } from '../parts/tables/table.tsx';
import { SelectField } from '../parts/field.tsx';
import { Icon } from '../parts/badge.tsx';
import { params } from '../shell/navigation.ts';
import { seesAll, session } from '../shell/session.ts';
import { choiceOfAddress, choose } from './choice.ts';
import { Download } from './download.tsx';
import { FiguresOf } from './figures.tsx';
import './results.css';

/** What each night has brought, the newest first. */
function NightTable({ nights, current }: { nights: Nights; current: string }) {
  const { items, totals, older, timezone } = nights;
  const columns = columnsOf([totals]);
  const cells = (of: Parameters<(typeof columns)[number]['text']>[0]) =>
    columns.map(({ label, text }) => (
      <td key={label} class="number nowrap">
        {text(of)}
      </td>
    ));
  const total = (
    <tr>
      <th scope="row" colSpan={2}>
        {counted(totals.nights, 'night')}
      </th>
      {cells(totals)}
      <td />
    </tr>
  );
  return (
    <>
      <Table
        label="Table of nights"
        heads={[
          'Night',
          'Called',
          ...columns.map(({ label }) => ({ text: label, isNumber: true }) as const),
          'Why it ended',
        ]}
        foot={items.length + older > 1 ? total : undefined}
      >
        {items.map(({ night, firstCallAt, lastCallAt, why, ...figures }) => (
          <tr key={night}>
            <th scope="row" class="nowrap">
              <a
                href={query({ ...Object.fromEntries(params.value), night })}
                aria-current={night === current ? 'true' : undefined}
              >
                {nightName(night)}
              </a>
            </th>
            <td class="nowrap">
              <Time at={firstCallAt} zone={timezone} part="time" /> –{' '}
              <Time at={lastCallAt} zone={timezone} part="time" />
            </td>
            {cells(figures)}
            <td>{why ?? '–'}</td>
          </tr>
        ))}
      </Table>
      <p class="soft small-text">
        Talk time of all calls is counted as the budget of talk time counts it: also where a machine
        answered, and the longest that a call can have been where the service gave no duration.
      </p>
      {older > 0 && (
        <p class="soft small-text">
          {counted(older, 'older night')} not shown; the last line counts them too.
        </p>
      )}
    </>
  );
}

/** The report: a page of its own, shown in a frame in which nothing runs. */
function Report({ campaign, night }: { campaign: string; night: string }) {
  // Calls are told with what was said; without them there are figures.
  const calls = seesAll.value ? null : 0;
  const address = `/api/v1${path`/campaigns/${campaign}/report`}${query({ night, calls })}`;
  return (
    <section class="stack" aria-labelledby="report">
      <div class="row between">
        <div>
          <h2 id="report">Report</h2>
          <p class="soft small-text">
            A page that can be kept and sent
            {calls === 0
              ? '; without the calls, which hold what was said.'
              : ': figures, and the newest 500 calls.'}
          </p>
        </div>
        <div class="row tight">
          <a class="button" href={address} target="_blank" rel="noopener">
            Open on its own
          </a>
          <a class="button" href={address} download={`${campaign}-report.html`}>
            <Icon name="download" />
            Download
          </a>
        </div>
      </div>
      <iframe
        class="report"
        title={`Report of ${campaign}`}
        src={address}
        sandbox=""
        loading="lazy"
      />
    </section>
  );
}

/** What a campaign has brought: in numbers, as a file, and as a report. */
export default function ResultsTab({ campaign }: { campaign: CampaignDetail }) {
  const { name } = campaign;
  const choice = choiceOfAddress();
  const { night } = choice;
  const nights = useRead<Nights>(path`/campaigns/${name}/nights`, asItCan);
  if (nights.value === undefined) return <Reading of={nights} what="the results" />;
  if (campaign.total === 0) {
    return (
      <Empty title="There are no results yet">
        <p>They come when the campaign has a list and somebody on it was called.</p>
      </Empty>
    );
  }
  const { items } = nights.value;
  return (
    <div class="stack results">
      <FigureTiles name={name} nights={nights.value} night={night} />
      {items.length > 0 && (
        <section class="stack" aria-labelledby="nights">
          <h2 id="nights">Nights</h2>
          <NightTable nights={nights.value} current={night} />
        </section>
      )}
      <section class="stack" aria-labelledby="file">
        <h2 id="file">Results as a file</h2>
        {seesAll.value ? <Download campaign={campaign} choice={choice} /> : <FilesRefused />}
      </section>
      <Report campaign={name} night={night} />
    </div>
  );
}

function FigureTiles({
  name,
  nights: { items },
  night,
}: {
  name: string;
  nights: Nights;
  night: string;
}) {
  const summary = useRead<Summary>(path`/campaigns/${name}/summary` + query({ night }), asItCan);
  return (
    <section class="stack" aria-labelledby="figures">
      <div class="row between">
        <h2 id="figures">In numbers</h2>
        {(items.length > 1 || night !== '') && (
          <SelectField
            label="Night"
            value={night}
            onChange={(value) => choose({ night: value })}
            any="all nights"
            choices={items.map((item) => ({ value: item.night, text: nightName(item.night) }))}
          />
        )}
      </div>
      {summary.value === undefined ? (
        <Reading of={summary} what="the figures" />
      ) : (
        <FiguresOf summary={summary.value} />
      )}
    </section>
  );
}

function FilesRefused() {
  return (
    <Notice next="An admin may allow it on the page Users and tokens.">
      Files of results hold whole numbers and what was said, which {session.value?.who ?? 'you'} may
      not read.
    </Notice>
  );
}

/** A night's date for people, `Wed 2026-11-25`; `before`: calls from before nights were kept. */
function nightName(night: string): string {
  const at = Date.parse(`${night}T12:00:00Z`);
  return Number.isNaN(at) ? 'before nights were kept' : timeText(at, 'UTC', 'day');
}
