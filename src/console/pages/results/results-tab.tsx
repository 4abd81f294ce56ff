import type { CampaignDetail } from '../../contract/campaigns.ts';
import type { Nights, Summary } from '../../contract/results.ts';
import { path, query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Empty } from '../parts/empty.tsx';
import { SelectField } from '../parts/field.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { seesAll, session } from '../shell/session.ts';
import { choiceOfAddress, choose } from './choice.ts';
import { Download } from './download.tsx';
import { FiguresOf } from './figures.tsx';
import { nightName } from './night-name.ts';
import { NightTable } from './nights.tsx';
import { Report } from './report.tsx';
import './results.css';

/** What a campaign has brought: in numbers, as a file, and as a report. */
export default function ResultsTab({ campaign }: { campaign: CampaignDetail }) {
  const { name, state } = campaign;
  const choice = choiceOfAddress();
  const { night } = choice;
  const nights = useLoaded(
    (signal) => get<Nights>(path`/campaigns/${name}/nights`, signal),
    [name, state],
  );
  if (nights.problem !== undefined) return <ProblemNotice problem={nights.problem} />;
  if (nights.value === undefined) return <Loading what="the results" />;
  if (campaign.progress.total === 0) {
    return (
      <Empty title="There are no results yet">
        <p>They come when the campaign has a list and somebody on it was called.</p>
      </Empty>
    );
  }
  const { items } = nights.value;
  return (
    <div class="stack results">
      <Figures campaign={campaign} nights={nights.value} night={night} />
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

function Figures({
  campaign: { name, state, progress },
  nights: { items },
  night,
}: {
  campaign: CampaignDetail;
  nights: Nights;
  night: string;
}) {
  const summary = useLoaded(
    (signal) => get<Summary>(path`/campaigns/${name}/summary` + query({ night }), signal),
    [name, state, night],
  );
  const { value, problem } = summary;
  const isBehind = night === '' && value !== undefined && value.figures.leads.done < progress.done;
  return (
    <section class="stack" aria-labelledby="figures">
      <div class="row between">
        <h2 id="figures">In numbers</h2>
        <div class="row tight">
          {isBehind && (
            <button class="button quiet small" type="button" onClick={summary.reload}>
              More have ended: count again
            </button>
          )}
          {(items.length > 1 || night !== '') && (
            <SelectField
              label="Night"
              value={night}
              onChange={(value) => {
                choose({ night: value });
              }}
              choices={[
                { value: '', text: 'all nights' },
                ...new Set([...items.map((item) => item.night), ...(night === '' ? [] : [night])]),
              ].map((one) =>
                typeof one === 'string' ? { value: one, text: nightName(one) } : one,
              )}
            />
          )}
        </div>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the figures" />}
      {value !== undefined && <FiguresOf summary={value} />}
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
