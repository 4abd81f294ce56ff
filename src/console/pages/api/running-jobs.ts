import { useEffect, useState } from 'preact/hooks';
import type { Job } from '../../contract/jobs.ts';
import { may } from '../shell/session.ts';
import { useAction, type Action } from './action.ts';
import { get, send } from './client.ts';
import { useLoaded } from './loaded.ts';

/** What was begun in this window, by the job's id: these are shown until they are dismissed. */
const begunHere = new Map<string, object>();

/** How far it is, `useJob` tells. */
type FoundJob = Pick<Job, 'id' | 'kind'>;

export interface RunningJobs {
  /** The newest of each kind; the one that was begun last comes last. */
  found: readonly FoundJob[];
  begin: Action<[address: string, order: object]>;
  /** What a job was begun with; empty: it was not begun here. */
  orderOf: (id: string) => object;
  /** Reads anew which are there. */
  reload: () => void;
  dismiss: (id: string) => void;
}

/**
 * The jobs of something that run, also after a reload of the page, and those begun here that have ended since.
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
    const jobs = listed.value?.items ?? [];
    const shown = jobs.filter(
      (job) => isOf(job) && (job.endedAt === null || begunHere.has(job.id)),
    );
    add(...shown.toReversed());
  }, [listed.value]);
  const begin = useAction(async (address: string, order: object) => {
    const job = await send<Job>('POST', address, order);
    begunHere.set(job.id, order);
    add(job);
  });
  return {
    found: found.filter(({ id, kind }) => found.findLast((one) => one.kind === kind)?.id === id),
    begin,
    orderOf: (id) => begunHere.get(id) ?? {},
    reload: listed.reload,
    dismiss: (id) => {
      const kind = found.find((one) => one.id === id)?.kind;
      const isOther = (one: FoundJob) => one.kind !== kind;
      for (const one of found) if (!isOther(one)) begunHere.delete(one.id);
      setFound((before) => before.filter(isOther));
      // An older one that still runs comes back.
      listed.reload();
    },
  };
}
