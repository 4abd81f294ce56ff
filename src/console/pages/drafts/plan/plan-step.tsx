import { useEffect, useState } from 'preact/hooks';

import type { Rehearsal } from '../../../contract/campaigns.ts';
import type { Job, ProblemBody } from '../../../contract/common.ts';
import type { Planned, StartedDraft } from '../../../contract/drafts.ts';
import { path } from '../../api/addresses.ts';
import { stopJob, useJob, useRunningJobs } from '../../api/jobs.ts';
import { Empty, Loading, ProblemNotice } from '../../parts/notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { JobPanel } from '../../parts/job-panel.tsx';
import { RehearsalReport } from '../../parts/rehearsal-report.tsx';
import { limitOf, StartLimit } from '../../parts/start-limit.tsx';
import { machineZone } from '../../parts/times.tsx';
import { go } from '../../shell/navigation.ts';
import { stepPath } from '../steps.tsx';
import { useDraftJob, type ShownDraft } from '../use-draft.tsx';
import { PlanView } from './plan-view.tsx';

interface StartOrder {
  /** False: only import. */
  start: boolean;
  /** A list that another campaign has called is called again. */
  again?: boolean;
  /** Calls at most, see `limitOf`. */
  limit?: number | string | null;
}

/** What can be done with a plan. Real people are called only after a word was typed, which the console asks for. */
function StartButtons({
  planned: { missing, callNow, callLater, schedule, live, simulated },
  isBusy,
  isRehearsing,
  wasCalledBefore,
  problem,
  onRehearse,
  onStart,
}: {
  planned: Planned;
  isBusy: boolean;
  isRehearsing: boolean;
  wasCalledBefore: boolean;
  /** What is wrong with the limit. */
  problem: ProblemBody | undefined;
  onRehearse: () => void;
  onStart: (order: StartOrder) => void;
}) {
  const isComplete = missing.length === 0;
  const [limit, setLimit] = useState('');
  return (
    <div class="row between step-end">
      <p class="soft">{whoIsCalled({ live, simulated, isComplete, schedule })}</p>
      <div class="row tight">
        <button
          class="button quiet"
          type="button"
          disabled={isBusy || !isComplete}
          title="The campaign is made with its lists; it is started from its page"
          onClick={() => {
            onStart({ start: false });
          }}
        >
          Only import
        </button>
        <button
          class="button"
          type="button"
          disabled={isBusy || isRehearsing || !isComplete}
          title="All its nights against the embedded service: nobody is called"
          onClick={onRehearse}
        >
          <Icon name="replay" />
          Rehearse
        </button>
        <StartLimit value={limit} problem={problem} onChange={setLimit} />
        <button
          class="button primary"
          type="button"
          disabled={isBusy || !isComplete || callNow + callLater === 0}
          onClick={() => {
            const order = { start: true, limit: limitOf(limit) };
            onStart({ ...order, ...(wasCalledBefore && { again: true }) });
          }}
        >
          <Icon name="play" />
          {wasCalledBefore ? 'Call this list again' : 'Start'}
        </button>
      </div>
    </div>
  );
}

function whoIsCalled({
  live,
  simulated,
  isComplete,
  schedule,
}: Pick<Planned, 'live' | 'simulated' | 'schedule'> & { isComplete: boolean }): string {
  if (!isComplete) return 'It can be started when nothing is missing.';
  const when = schedule === null ? '' : ` Calls begin at its schedule, ${schedule}.`;
  if (live) return `Real people are called; you are asked to type a word first.${when}`;
  return `${simulated ? 'The embedded service answers: nobody is called.' : ''}${when}`;
}

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
