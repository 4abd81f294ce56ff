import { useState } from 'preact/hooks';
import type { ProblemBody, Told } from '../../contract/common.ts';
import { toast } from '../parts/toasts.tsx';
import { problemOf } from './loaded.ts';

/** Something that a person sets off: a button or a form. */
export interface Action<A extends unknown[]> {
  /** Does it; while it is being done, further calls do nothing. Resolves to whether it was done. */
  run: (...given: A) => Promise<boolean>;
  isBusy: boolean;
  /** Why it was refused the last time. */
  problem: ProblemBody | undefined;
  forget: () => void;
}

/**
 * @param act what is done; sentences in its answer's `messages` are shown for a moment
 */
export function useAction<A extends unknown[]>(act: (...given: A) => Promise<unknown>): Action<A> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ProblemBody>();
  return {
    isBusy,
    problem,
    forget: () => {
      setProblem(undefined);
    },
    run: async (...given) => {
      if (isBusy) return false;
      setBusy(true);
      setProblem(undefined);
      try {
        const answer = (await act(...given)) as { messages?: Told[] } | undefined;
        const told = answer?.messages ?? [];
        const isWarning = told.some(({ kind }) => kind === 'problem');
        if (told.length > 0)
          toast(
            told.map(({ text }) => text),
            isWarning ? 'warn' : 'good',
          );
        return true;
      } catch (error) {
        const refused = problemOf(error);
        // The way in lies over the page by now, and says so.
        if (refused.code !== 'NOT_SIGNED_IN') setProblem(refused);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
