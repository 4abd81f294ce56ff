import { useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { ProblemBody } from '../../contract/common.ts';
import type { Draft, draftChange } from '../../contract/drafts.ts';
import { path } from '../api/addresses.ts';
import { get, Refusal, send } from '../api/client.ts';
import { problemOf, useLoaded, type Loaded } from '../api/loaded.ts';

/** What is to be changed, by how the draft is when its turn comes. */
export type DraftChange = (
  now: Draft,
) => Omit<z.input<typeof draftChange>, 'ifVersion' | 'lists'> & Partial<Pick<Draft, 'lists'>>;

export interface DraftState {
  loaded: Loaded<Draft>;
  /**
   * Changes the draft that is shown. Changes wait for each other, so that none of two that come quickly is lost;
   * refused where somebody else has changed it, see `overtaken`.
   */
  change: (change: DraftChange) => void;
  isBusy: boolean;
  problem: ProblemBody | undefined;
  /** A change that was not made, since somebody else has changed the draft; it is told how the draft is now. */
  overtaken: { wanted: DraftChange; now: Draft } | undefined;
  /** Makes that change all the same, or gives it up; either way the draft as it is now is shown. */
  settle: (isWanted: boolean) => void;
}

/** What each step is given. */
export interface StepProps {
  draft: Draft;
  state: DraftState;
}

/** A draft, and changes of it that overwrite nobody else's. */
export function useDraft(id: string): DraftState {
  const loaded = useLoaded((signal) => get<Draft>(path`/drafts/${id}`, signal), [id]);
  const newest = useRef<Draft>();
  const changes = useRef(Promise.resolve());
  const [waiting, setWaiting] = useState(0);
  const [problem, setProblem] = useState<ProblemBody>();
  const [overtaken, setOvertaken] = useState<DraftState['overtaken']>();
  if (loaded.value !== undefined && loaded.value.version >= (newest.current?.version ?? 0))
    newest.current = loaded.value;

  const show = (draft: Draft) => {
    newest.current = draft;
    loaded.set(draft);
  };
  const make = async (wanted: DraftChange) => {
    const now = newest.current;
    if (now === undefined) return;
    setProblem(undefined);
    const body = { ...wanted(now), ifVersion: now.version };
    try {
      show(await send<Draft>('PATCH', path`/drafts/${id}`, body));
    } catch (error) {
      const other = error instanceof Refusal ? error.problem.now : undefined;
      if (other === undefined) setProblem(problemOf(error));
      else setOvertaken({ wanted, now: other as Draft });
    }
  };
  const change = (wanted: DraftChange) => {
    setWaiting((n) => n + 1);
    changes.current = changes.current
      .then(() => make(wanted))
      .finally(() => {
        setWaiting((n) => n - 1);
      });
  };
  return {
    loaded,
    change,
    isBusy: waiting > 0,
    problem,
    overtaken,
    settle: (isWanted) => {
      if (overtaken === undefined) return;
      setOvertaken(undefined);
      show(overtaken.now);
      if (isWanted) change(overtaken.wanted);
    },
  };
}
