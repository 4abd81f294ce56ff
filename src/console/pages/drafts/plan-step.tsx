import { useEffect, useState } from 'preact/hooks';
import type { Rehearsal } from '../../contract/campaigns.ts';
import type { Planned, StartedDraft } from '../../contract/drafts.ts';
import type { Job } from '../../contract/jobs.ts';
import { useAction } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { useJob } from '../api/jobs.ts';
import { Icon } from '../parts/icon.tsx';
import { JobPanel } from '../parts/job-panel.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { RehearsalReport } from '../parts/rehearsal-report.tsx';
import { machineZone } from '../parts/times.tsx';
import { go } from '../shell/navigation.ts';
import { PlanView } from './plan-view.tsx';
import type { StepProps } from './use-draft.ts';

/** What would happen, a rehearsal of it, and the start. */
export function PlanStep({ draft }: StepProps) {
  const planning = useDraftJob(draft.id, 'plan');
  const rehearsal = useDraftJob(draft.id, 'rehearse');
  const start = useDraftJob(draft.id, 'start');
  const inputs = JSON.stringify([
    draft.uploads,
    draft.lists,
    draft.service,
    draft.agent,
    draft.settings,
    draft.name,
  ]);
  useEffect(() => void planning.begin.run({}), [draft.id, inputs]);
  const plan = planning.job?.state === 'done' ? (planning.job.result as Planned | null) : null;
  const made = (start.job?.result as StartedDraft | null | undefined)?.campaign;
  useEffect(() => {
    if (made !== undefined) go(path`/campaigns/${made}`);
  }, [made]);
  const isStarting = start.begin.isBusy || (start.job !== undefined && start.job.endedAt === null);
  const canStart = plan !== null && plan.missing.length === 0 && !isStarting;
  return (
    <section class="stack">
      {planning.begin.problem !== undefined && <ProblemNotice problem={planning.begin.problem} />}
      {planning.job !== undefined && plan === null && (
        <div class="card padded">
          <h2>Making the plan</h2>
          <JobPanel job={planning.job} />
        </div>
      )}
      {plan !== null && (
        <>
          <PlanView plan={plan} draft={draft} />
          <div class="card padded">
            <h2>{plan.live ? 'Call real people' : 'Start'}</h2>
            <p class="soft">
              {plan.live
                ? 'Before the first call you are asked to type a word, as in the terminal.'
                : plan.simulated
                  ? 'The embedded service calls nobody.'
                  : 'This service is on this machine.'}{' '}
              A rehearsal plays all nights in seconds against the embedded service.
            </p>
            <div class="row tight">
              <button
                class="button primary"
                type="button"
                disabled={!canStart}
                onClick={() => void start.begin.run({ start: true })}
              >
                <Icon name="play" />
                Start
              </button>
              <button
                class="button"
                type="button"
                disabled={rehearsal.begin.isBusy}
                onClick={() => void rehearsal.begin.run({})}
              >
                Rehearse
              </button>
              <button
                class="button quiet"
                type="button"
                disabled={!canStart}
                onClick={() => void start.begin.run({ start: false })}
              >
                Only import
              </button>
            </div>
            {start.begin.problem !== undefined && <ProblemNotice problem={start.begin.problem} />}
            {start.job !== undefined && <JobPanel job={start.job} />}
          </div>
        </>
      )}
      {rehearsal.begin.problem !== undefined && <ProblemNotice problem={rehearsal.begin.problem} />}
      {rehearsal.job !== undefined && (
        <div class="card padded">
          <h2>Rehearsal</h2>
          {rehearsal.job.state === 'done' ? (
            <RehearsalReport
              report={rehearsal.job.result as Rehearsal}
              zone={draft.settings['timezone'] ?? machineZone.value}
            />
          ) : (
            <JobPanel job={rehearsal.job} />
          )}
        </div>
      )}
    </section>
  );
}

/** Begins a job of a draft and follows it. */
function useDraftJob(draft: string, order: 'plan' | 'rehearse' | 'start') {
  const [id, setId] = useState<string>();
  const begin = useAction(async (body: object) => {
    setId((await send<Job>('POST', path`/drafts/${draft}/${order}`, body)).id);
  });
  return { begin, job: useJob(id) };
}
