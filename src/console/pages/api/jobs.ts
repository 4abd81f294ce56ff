import { useEffect, useState } from 'preact/hooks';
import type { Job } from '../../contract/jobs.ts';
import { path } from './addresses.ts';
import { get, Refusal, send } from './client.ts';

const LOOK_EVERY_MS = 400;

/**
 * Follows a job until it has ended: what it tells, asks, and has come to.
 *
 * @param id undefined: there is none
 */
export function useJob(id: string | undefined): Job | undefined {
  const [job, setJob] = useState<Job>();
  useEffect(() => {
    setJob(undefined);
    if (id === undefined) return undefined;
    const over = new AbortController();
    let next: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      get<Job>(path`/jobs/${id}`, over.signal)
        .then((now) => {
          setJob(now);
          return now.endedAt === null;
        })
        // A lost connection comes back; a job that is not known any more is over.
        .catch((error: unknown) => !(error instanceof Refusal && error.problem.status === 404))
        .then((goesOn) => {
          if (goesOn && !over.signal.aborted) next = setTimeout(look, LOOK_EVERY_MS);
        }, reportError);
    };
    look();
    return () => {
      over.abort();
      clearTimeout(next);
    };
  }, [id]);
  return job;
}

/** @param text what was typed; null: no */
export function answerJob({ id, question }: Job, text: string | null): Promise<Job> {
  return send('POST', path`/jobs/${id}/answer`, { question: question?.id, answer: text });
}

/** Ends a job as Ctrl-C does: mildly the first time, at once the second. */
export function stopJob(id: string): Promise<Job> {
  return send('POST', path`/jobs/${id}/stop`, {});
}
