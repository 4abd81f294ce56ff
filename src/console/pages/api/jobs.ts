import { useMemo } from 'preact/hooks';
import type { Job } from '../../contract/jobs.ts';
import { path } from './addresses.ts';
import { get, send } from './client.ts';
import { useLoaded } from './loaded.ts';

const LOOK_EVERY_MS = 400;

/**
 * Follows a job until it has ended: what it tells, asks, and has come to. One that the console does not know any more,
 * as it was ended or killed meanwhile, has failed.
 *
 * @param id undefined: there is none
 */
export function useJob(id: string | undefined): Job | undefined {
  const { value, problem } = useLoaded<Job | undefined>(
    async (signal, before) =>
      id === undefined ? undefined : get<Job>(path`/jobs/${id}`, signal, before),
    [id],
    (now) => {
      const isOver = now.problem?.status === 404 || (now.value?.endedAt ?? null) !== null;
      return id === undefined || isOver ? null : LOOK_EVERY_MS;
    },
  );
  return useMemo(() => {
    if (value === undefined || problem?.status !== 404) return value;
    return { ...value, ...FORGOTTEN, endedAt: Date.now(), problem };
  }, [value, problem]);
}

const FORGOTTEN = { state: 'failed', progress: null, question: null } as const;

/** @param text what was typed; null: no */
export function answerJob({ id, question }: Job, text: string | null): Promise<Job> {
  return send('POST', path`/jobs/${id}/answer`, { question: question?.id, answer: text });
}

/** Ends a job as Ctrl-C does: mildly the first time, at once the second. */
export function stopJob(id: string): Promise<Job> {
  return send('POST', path`/jobs/${id}/stop`, {});
}
