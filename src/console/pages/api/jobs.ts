import { useEffect, useMemo, useState } from 'preact/hooks';

import type { Job } from '../../../views/jobs.ts';
import { may } from '../shell/session.ts';
import { useAction, type Action } from './action.ts';
import { get, path, send } from './client.ts';
import { useLoaded } from './loaded.ts';

const LOOK_EVERY_MS = 400;

/**
 * Follows a job until it has ended: its messages, its questions and its outcome. One that the console does not know any more,
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
    return { ...value, ...FORGOTTEN, endedAt: new Date().toISOString(), problem };
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

/** What was begun in this window, by the job's id: these are shown until they are dismissed. */
const begunHere = new Map<string, Order>();

/** What is asked of the API with a job, by the names of its body. */
type Order = Readonly<Record<string, unknown>>;

/** How far it is, `useJob` tells. */
type FoundJob = Pick<Job, 'id' | 'kind'>;

export interface RunningJobs {
  /** The newest of each kind; the one that was begun last comes last. */
  found: readonly FoundJob[];
  begin: Action<[address: string, order: Order]>;
  /** What a job was begun with; undefined: not in this window, or before the page was loaded anew. */
  orderOf: (id: string) => Order | undefined;
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
  const [kept, setFound] = useState<readonly Job[]>([]);
  // What was found for another campaign before is none of this one's.
  const found = kept.filter(isOf);
  const add = (...more: readonly Job[]) =>
    setFound((before) => [
      ...before.map((one) => more.find(({ id }) => id === one.id) ?? one),
      ...more.filter(({ id }) => before.every((one) => one.id !== id)),
    ]);
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
  const begin = useAction(async (address: string, order: Order) => {
    const job = await send<Job>('POST', address, order);
    begunHere.set(job.id, order);
    add(job);
  });
  return {
    found: found.filter(({ id, kind }) => found.findLast((one) => one.kind === kind)?.id === id),
    begin,
    orderOf: (id) => begunHere.get(id),
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
