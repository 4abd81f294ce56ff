import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { Job, ProblemBody } from '../../contract/common.ts';
import type { Draft, DraftChange } from '../../contract/drafts.ts';
import { path } from '../api/addresses.ts';
import { get, send } from '../api/client.ts';
import { stopJob, useJob } from '../api/jobs.ts';
import { problemOf, useLoaded } from '../api/loaded.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/notice.tsx';

/** What is changed, given the draft as it is when the change is sent. */
type Change = (now: Draft) => DraftChange;

/** A draft that is shown and filled in. */
export interface ShownDraft {
  draft: Draft;
  /** One change after the other. Resolves to whether it was made. */
  change: (change: Change) => Promise<boolean>;
  /** Why the last change was refused. */
  problem: ProblemBody | undefined;
  isSaving: boolean;
}

/**
 * @returns `shown` is undefined until it was read; `question` lies over the page when somebody else was faster;
 *   `times` counts how often their change was taken instead of what was typed here
 */
export function useDraft(id: string): {
  shown: ShownDraft | undefined;
  problem: ProblemBody | undefined;
  question: ComponentChildren;
  times: number;
} {
  const loaded = useLoaded((signal) => get<Draft>(path`/drafts/${id}`, signal), [id]);
  const newest = useRef<Draft>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const [waiting, setWaiting] = useState(0);
  const [problem, setProblem] = useState<ProblemBody>();
  const [overtaken, setOvertaken] = useState<{ problem: ProblemBody; change: Change }>();
  const [times, setTimes] = useState(0);
  const keep = (draft: Draft) => {
    newest.current = draft;
    loaded.set(draft);
  };
  if (loaded.value !== undefined && loaded.value.version > (newest.current?.version ?? 0))
    newest.current = loaded.value;

  const make = async (change: Change): Promise<boolean> => {
    const base = newest.current;
    if (base === undefined) return false;
    try {
      const body = { ...change(base), ifVersion: base.version };
      keep(await send<Draft>('PATCH', path`/drafts/${id}`, body));
      setProblem(undefined);
      return true;
    } catch (error) {
      const refused = problemOf(error);
      if (refused.code === 'DRAFT_CHANGED') {
        keep(refused.now as Draft);
        setOvertaken({ problem: refused, change });
      } else setProblem(refused);
      return false;
    }
  };
  const change = (wanted: Change): Promise<boolean> => {
    setWaiting((n) => n + 1);
    const made = before.current.then(() => make(wanted));
    before.current = made.finally(() => {
      setWaiting((n) => n - 1);
    });
    return made;
  };
  const isSaving = waiting > 0;
  const answer = (again: boolean) => {
    setOvertaken(undefined);
    if (!again) setTimes((n) => n + 1);
    else if (overtaken !== undefined) void change(overtaken.change);
  };
  return {
    shown: loaded.value && { draft: loaded.value, change, problem, isSaving },
    problem: loaded.problem,
    times,
    question: overtaken && (
      <Confirm
        title="Somebody else was faster"
        does="Make my change all the same"
        isBusy={isSaving}
        onYes={() => {
          answer(true);
        }}
        onNo={() => {
          answer(false);
        }}
      >
        <ProblemNotice problem={{ ...overtaken.problem, hint: null }} />
        <p>
          The page behind shows what they have made of it. Yours changes what you changed, and
          leaves the rest as they left it.
        </p>
      </Confirm>
    ),
  };
}

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
