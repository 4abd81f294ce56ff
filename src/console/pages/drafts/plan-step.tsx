import { useState } from 'preact/hooks';

import type { Problem } from '../../../views/fields.ts';
import type { PlanView as Planned } from '../../../views/plan.ts';
import { useJob } from '../api/jobs.ts';
import { Button } from '../parts/button.tsx';
import { ProblemNotice, Reading } from '../parts/notice.tsx';
import { limitOf, StartLimit } from '../parts/field.tsx';
import { PlanSheet } from './plan-sheet.tsx';
import { NoList } from './steps.tsx';
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
  planned: { missing, callNow, callLater, begins, service },
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
  problem: Problem | undefined;
  onRehearse: () => void;
  onStart: (order: StartOrder) => void;
}) {
  const isComplete = missing.length === 0;
  const [limit, setLimit] = useState('');
  return (
    <div class="row between step-end">
      <p class="soft">
        {whoIsCalled({ service, isComplete, begins })} Rehearse plays all its nights on the
        simulated service and shows what each brings.
      </p>
      <div class="row tight">
        <Button
          kind="quiet"
          disabled={!isComplete}
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) onStart({ start: false });
          }}
        >
          Keep it for later
        </Button>
        <Button
          icon="replay"
          disabled={!isComplete}
          aria-disabled={isBusy || isRehearsing}
          onClick={() => {
            if (!isBusy && !isRehearsing) onRehearse();
          }}
        >
          Rehearse
        </Button>
        <Button
          kind="primary"
          icon="play"
          disabled={!isComplete || callNow + callLater === 0}
          aria-disabled={isBusy}
          onClick={() => {
            const order = { start: true, limit: limitOf(limit) };
            if (!isBusy) onStart({ ...order, ...(wasCalledBefore && { again: true }) });
          }}
        >
          {wasCalledBefore ? 'Call this list again' : `Start ${begins?.when ?? ''}`}
        </Button>
        <StartLimit value={limit} problem={problem} onChange={setLimit} />
      </div>
    </div>
  );
}

function whoIsCalled({
  service,
  isComplete,
  begins,
}: Pick<Planned, 'service' | 'begins'> & { isComplete: boolean }): string {
  if (!isComplete) return 'It can be started when nothing is missing.';
  const when = begins === null ? '' : ` ${begins.text}`;
  if (service?.live === true)
    return `Real people are called; you are asked to type a word first.${when}`;
  return `${service?.simulated === true ? 'The simulated service answers: nobody is called.' : ''}${when}`;
}

/** What would happen; rehearsed, started, or only imported from here. */
export function PlanStep({ shown, sent, jobs }: StepProps) {
  const { name, version, timezone } = shown.campaign;
  const { job, ...planning } = useDraftJob(shown.campaign, 'plan');
  const problem = planning.problem ?? sent.problem;
  const { begin } = jobs;
  const isRunning = (...kinds: string[]) => jobs.found.some(({ kind }) => kinds.includes(kind));
  const newest = jobs.found.findLast(({ kind }) => kind === 'call' || kind === 'import');
  const last = useJob(newest?.id);
  const isStarting = last !== undefined && last.endedAt === null;
  // What was refused of other lists says nothing of these.
  const isRefusedAsIs = last !== undefined && jobs.orderOf(last.id)?.['ifVersion'] === version;
  const isAboutLimit = begin.problem?.field === 'limit';
  if (sent.value?.lists.length === 0) return <NoList name={name} />;
  const planned = (job?.kind === 'plan' && job.result) || undefined;
  return (
    <div class="stack wide">
      <Reading
        of={{ value: planned, problem: problem ?? job?.problem ?? undefined }}
        does="Working out"
        what="the plan"
      />
      {planned !== undefined && <PlanSheet planned={planned} zone={timezone} />}
      {begin.problem !== undefined && !isAboutLimit && <ProblemNotice problem={begin.problem} />}
      {planned !== undefined && (
        <StartButtons
          planned={planned}
          isBusy={begin.isBusy || isStarting || sent.isBusy}
          isRehearsing={isRunning('rehearse')}
          wasCalledBefore={isRefusedAsIs && last.problem?.code === 'LIST_CALLED_BEFORE'}
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
