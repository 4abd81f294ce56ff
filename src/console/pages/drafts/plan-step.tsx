import { useState } from 'preact/hooks';

import type { ProblemBody } from '../../contract/common.ts';
import type { Planned } from '../../contract/drafts.ts';
import { useJob } from '../api/jobs.ts';
import { Icon } from '../parts/icon.tsx';
import { JobPanel } from '../parts/job-panel.tsx';
import { Loading, ProblemNotice } from '../parts/notice.tsx';
import { limitOf, StartLimit } from '../parts/start-limit.tsx';
import { PlanView } from './plan-view.tsx';
import { NoList, stepPath } from './steps.tsx';
import { useDraftJob, type StepProps } from './use-draft.tsx';

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
export function PlanStep({ shown, sent, jobs }: StepProps) {
  const { name, version, timezone } = shown.campaign;
  const { job, problem } = useDraftJob(shown.campaign, 'plan');
  const { begin } = jobs;
  const isRunning = (...kinds: string[]) => jobs.found.some(({ kind }) => kinds.includes(kind));
  const newest = jobs.found.findLast(({ kind }) => kind === 'call' || kind === 'import');
  const last = useJob(newest?.id);
  const isStarting = last !== undefined && last.endedAt === null;
  const isAboutLimit = begin.problem?.field === 'limit';
  if (sent.value?.lists.length === 0) return <NoList name={name} />;
  const planned = job?.state === 'done' ? (job.result as Planned) : undefined;
  return (
    <div class="stack wide">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problem === undefined && job === undefined && <Loading what="the plan" />}
      {job !== undefined && planned === undefined && <JobPanel job={job} isQuiet />}
      {job !== undefined && job.problem !== null && (
        <p>
          <a href={stepPath(name, 'settings')}>Change the settings</a>, or{' '}
          <a href={stepPath(name, 'columns')}>the columns</a>.
        </p>
      )}
      {planned !== undefined && <PlanView planned={planned} zone={timezone} />}
      {begin.problem !== undefined && !isAboutLimit && <ProblemNotice problem={begin.problem} />}
      {planned !== undefined && (
        <StartButtons
          planned={planned}
          isBusy={begin.isBusy || isStarting}
          isRehearsing={isRunning('rehearse')}
          wasCalledBefore={last?.problem?.code === 'LIST_CALLED_BEFORE'}
          problem={isAboutLimit ? begin.problem : undefined}
          onRehearse={() => void begin.run('rehearse', {})}
          onStart={({ start, ...order }) =>
            void (start
              ? begin.run('start', { ifVersion: version, ...order })
              : begin.run('import', {}))
          }
        />
      )}
    </div>
  );
}
