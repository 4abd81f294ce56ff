import { useEffect, useState } from 'preact/hooks';
import type { Job } from '../../contract/jobs.ts';
import { may } from '../shell/session.ts';
import { get } from './client.ts';
import { useLoaded } from './loaded.ts';

/** A job that was found, or begun here; how far it is, `useJob` tells. */
type FoundJob = Pick<Job, 'id' | 'kind'>;

export interface RunningJobs {
  /** The one that was begun last comes last. */
  found: readonly FoundJob[];
  add: (job: FoundJob) => void;
  /** Reads anew which are there. */
  reload: () => void;
  dismiss: (id: string) => void;
}

/**
 * The jobs of something that run, also after a reload of the page, and those that have ended since.
 *
 * @param isOf tells which jobs these are
 * @param inputs when one of them changes, it is read anew which are there
 */
export function useRunningJobs(
  isOf: (job: Job) => boolean,
  inputs: readonly unknown[],
): RunningJobs {
  const [found, setFound] = useState<readonly FoundJob[]>([]);
  const add = (...more: readonly FoundJob[]) => {
    setFound((before) => [
      ...before,
      ...more.filter(({ id }) => before.every((one) => one.id !== id)),
    ]);
  };
  const listed = useLoaded(
    async (signal) => (may('operator') ? await get<{ items: Job[] }>('/jobs', signal) : null),
    inputs,
  );
  useEffect(() => {
    const running = listed.value?.items.filter((job) => job.endedAt === null && isOf(job));
    add(...(running ?? []).toReversed());
  }, [listed.value]);
  return {
    found,
    add,
    reload: listed.reload,
    dismiss: (id) => {
      setFound((before) => before.filter((one) => one.id !== id));
    },
  };
}
