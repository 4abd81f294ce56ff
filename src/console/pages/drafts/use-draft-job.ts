import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProblemBody } from '../../contract/common.ts';
import type { Draft } from '../../contract/drafts.ts';
import type { Job } from '../../contract/jobs.ts';
import { path } from '../api/addresses.ts';
import { get, send } from '../api/client.ts';
import { stopJob, useJob } from '../api/jobs.ts';
import { problemOf } from '../api/loaded.ts';

/**
 * What a survey or plan of a draft has come to. One that was begun since the draft was changed last is taken up, else
 * one is begun; another one follows when what it depends on has changed.
 */
export function useDraftJob(
  draft: Draft,
  kind: 'survey' | 'plan',
): { job: Job | undefined; problem: ProblemBody | undefined } {
  const [id, setId] = useState<string>();
  const [problem, setProblem] = useState<ProblemBody>();
  const running = useRef<string>();
  const { uploads, lists, service, agent, settings, name } = draft;
  const key = JSON.stringify([uploads, lists, service, agent, settings, name]);
  useEffect(() => {
    const over = new AbortController();
    const before = running.current;
    setId(undefined);
    setProblem(undefined);
    void (async () => {
      try {
        if (before !== undefined) await stopJob(before).catch(() => undefined);
        const { id: found } = (await jobSince(draft, kind)) ?? (await begin(draft, kind));
        if (over.signal.aborted) return;
        running.current = found;
        setId(found);
      } catch (error) {
        if (!over.signal.aborted) setProblem(problemOf(error));
      }
    })();
    return () => {
      over.abort();
    };
  }, [key]);
  return { job: useJob(id), problem };
}

async function jobSince({ id, changedAt }: Draft, kind: string): Promise<Job | undefined> {
  const { items } = await get<{ items: Job[] }>('/jobs');
  return items.find(
    (job) =>
      job.about === id && job.kind === kind && job.startedAt >= changedAt && job.state !== 'failed',
  );
}

function begin({ id }: Draft, kind: 'survey' | 'plan'): Promise<Job> {
  return send<Job>('POST', `${path`/drafts/${id}`}/${kind}`, {});
}
