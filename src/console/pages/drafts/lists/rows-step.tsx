import type { ProblemBody } from '../../../contract/common.ts';
import type { Surveyed } from '../../../contract/drafts.ts';
import type { Job } from '../../../contract/jobs.ts';
import { amount, counted } from '../../parts/amounts.ts';
import { Empty } from '../../parts/empty.tsx';
import { JobPanel } from '../../parts/job-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { NextStep, stepPath } from '../steps.tsx';
import { useDraftJob } from '../use-draft-job.ts';
import type { ShownDraft } from '../use-draft.tsx';
import { CountryForm } from './country-form.tsx';
import { DropZone } from '../../parts/forms/drop-zone.tsx';
import { ListSurvey } from './list-survey.tsx';
import { SendingList } from './sending-list.tsx';
import { useSending } from './use-sending.ts';

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
