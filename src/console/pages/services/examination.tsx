import { useState } from 'preact/hooks';
import type { ProblemBody } from '../../contract/common.ts';
import type { Job } from '../../contract/jobs.ts';
import type { Examination } from '../../contract/services.ts';
import { useAction } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { useJob } from '../api/jobs.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { Said } from '../parts/said.tsx';

interface State {
  isBusy: boolean;
  begin: () => void;
  /** Undefined: nothing was examined. */
  job: Job | undefined;
  problem: ProblemBody | undefined;
}

/** Asks a service what `callsheet doctor` asks; nobody is called. */
export function useExamination(service: string): State {
  const [id, setId] = useState<string>();
  const job = useJob(id);
  const start = useAction(async () => {
    const { id: begun } = await send<Job>('POST', path`/services/${service}/check`, {});
    setId(begun);
  });
  const isUnderWay = id !== undefined && (job === undefined || job.endedAt === null);
  return {
    job,
    problem: start.problem ?? job?.problem ?? undefined,
    isBusy: start.isBusy || isUnderWay,
    begin: () => void start.run(),
  };
}

const STATES = {
  ok: { text: 'in order', tone: 'good' },
  warn: { text: 'look at it', tone: 'warn' },
  problem: { text: 'problem', tone: 'bad' },
} as const;

/** What was found. */
export function Findings({ isBusy, job, problem }: State) {
  const findings = (job?.result as Examination | null | undefined)?.findings;
  return (
    <div role="status" class="stack tight">
      {isBusy && <p class="soft">The service is being asked...</p>}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {findings !== undefined && (
        <>
          <h3>What was found</h3>
          <ul role="list" class="findings">
            {findings.map(({ what, state, detail, next }) => (
              <li key={what}>
                <span class={`badge ${STATES[state].tone}`}>{STATES[state].text}</span>
                <span class="what">{what}</span>
                <span class="break">
                  <Said text={detail} />
                  {next !== null && (
                    <span class="next">
                      {' '}
                      Next: <Said text={next} />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
