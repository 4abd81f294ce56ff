import { useEffect } from 'preact/hooks';
import type { Rehearsal } from '../../../contract/campaigns.ts';
import type { Planned, StartedDraft } from '../../../contract/drafts.ts';
import type { Job } from '../../../contract/jobs.ts';
import { path } from '../../api/addresses.ts';
import { stopJob, useJob } from '../../api/jobs.ts';
import { useRunningJobs } from '../../api/running-jobs.ts';
import { Empty } from '../../parts/empty.tsx';
import { JobPanel } from '../../parts/job-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { RehearsalReport } from '../../parts/rehearsal-report.tsx';
import { machineZone } from '../../parts/times.tsx';
import { go } from '../../shell/navigation.ts';
import { stepPath } from '../steps.tsx';
import { useDraftJob } from '../use-draft-job.ts';
import type { ShownDraft } from '../use-draft.tsx';
import { PlanView } from './plan-view.tsx';
import { StartButtons } from './start-buttons.tsx';

/** What would happen; rehearsed, started, or only imported from here. */
export function PlanStep({ shown: { draft } }: { shown: ShownDraft }) {
  const plan = useDraftJob(draft, 'plan');
  const { found, begin } = useRunningJobs(
    ({ kind, about, draft: of, endedAt }) =>
      endedAt === null && (of === draft.id || (kind === 'rehearse' && about === draft.id)),
    [draft.id],
  );
  const newest = (isRehearsal: boolean) =>
    found.findLast(({ kind }) => (kind === 'rehearse') === isRehearsal)?.id;
  const starting = useJob(newest(false));
  const rehearsal = useJob(newest(true));
  const at = path`/drafts/${draft.id}`;
  const isAboutLimit = begin.problem?.field === 'limit';
  const made = (starting?.result as StartedDraft | null | undefined)?.campaign;
  useEffect(() => {
    if (made !== undefined) go(path`/campaigns/${made}`, { replace: true });
  }, [made]);

  if (draft.files.length === 0) {
    return (
      <Empty title="No list yet">
        <a href={stepPath(draft.id, 'upload')}>Send one first</a>
      </Empty>
    );
  }
  const { job } = plan;
  const planned = job?.state === 'done' ? (job.result as Planned) : undefined;
  const zone = draft.settings['timezone'] ?? machineZone.value;
  const isStarting = starting !== undefined && starting.endedAt === null;
  return (
    <div class="stack wide">
      {plan.problem !== undefined && <ProblemNotice problem={plan.problem} />}
      {plan.problem === undefined && job === undefined && <Loading what="the plan" />}
      {job !== undefined && planned === undefined && <JobPanel job={job} isQuiet />}
      {job !== undefined && job.problem !== null && (
        <p>
          <a href={stepPath(draft.id, 'settings')}>Change the settings</a>, or{' '}
          <a href={stepPath(draft.id, 'columns')}>the columns</a>.
        </p>
      )}
      {planned !== undefined && <PlanView planned={planned} draft={draft} zone={zone} />}
      {rehearsal !== undefined && <Rehearsed job={rehearsal} zone={zone} />}
      {begin.problem !== undefined && !isAboutLimit && (
        <ProblemNotice
          problem={begin.problem}
          action={
            begin.problem.code === 'CAMPAIGN_EXISTS' && (
              <a class="button small" href={stepPath(draft.id, 'settings')}>
                Change the name
              </a>
            )
          }
        />
      )}
      {starting !== undefined && (
        <section class="card padded" aria-label="Starting">
          <header>
            <h2>{isStarting ? 'Starting' : 'Not started'}</h2>
            {isStarting && (
              <button
                class="button small"
                type="button"
                onClick={() => void stopJob(starting.id).catch(reportError)}
              >
                Stop
              </button>
            )}
          </header>
          <JobPanel job={starting} />
        </section>
      )}
      {planned !== undefined && (
        <StartButtons
          planned={planned}
          isBusy={begin.isBusy || isStarting}
          isRehearsing={rehearsal !== undefined && rehearsal.endedAt === null}
          wasCalledBefore={starting?.problem?.code === 'LIST_CALLED_BEFORE'}
          problem={isAboutLimit ? begin.problem : undefined}
          onRehearse={() => void begin.run(`${at}/rehearse`, {})}
          onStart={(order) => void begin.run(`${at}/start`, order)}
        />
      )}
    </div>
  );
}

function Rehearsed({ job, zone }: { job: Job; zone: string }) {
  return (
    <section class="card padded" aria-label="Rehearsal">
      <header>
        <h2>Rehearsal</h2>
        <span class="badge">nobody is called</span>
      </header>
      <JobPanel job={job} isQuiet={job.endedAt !== null} />
      {job.state === 'done' && <RehearsalReport report={job.result as Rehearsal} zone={zone} />}
    </section>
  );
}
