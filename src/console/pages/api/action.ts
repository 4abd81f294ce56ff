import { useRef, useState } from 'preact/hooks';

import type { Problem, Told } from '../../../views/fields.ts';
import { toast } from '../parts/notice.tsx';
import { problemOf, useLoaded, type Loaded } from './loaded.ts';

/** Something that a person sets off: a button or a form. */
export interface Action<A extends unknown[]> {
  /** Does it; while it is being done, further calls do nothing. Resolves to whether it was done. */
  run: (...given: A) => Promise<boolean>;
  isBusy: boolean;
  /** Why it was refused the last time. */
  problem: Problem | undefined;
  forget: () => void;
}

/**
 * @param act what is done; sentences in its answer's `messages` are shown for a moment
 */
export function useAction<A extends unknown[]>(act: (...given: A) => Promise<unknown>): Action<A> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  return {
    isBusy,
    problem,
    forget: () => setProblem(undefined),
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
        // Broken off by the person who began it.
        if ((error as Error).name === 'AbortError') return false;
        const refused = problemOf(error);
        // The sign-in now lies over the page, and says so.
        if (refused.code !== 'NOT_SIGNED_IN') setProblem(refused);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

interface Page {
  items: readonly unknown[];
  next: string | null;
}

/** A list that is read page by page; its `value` is one page with all items that were read. */
export interface Listed<P extends Page> extends Loaded<P> {
  /** Reads the next page; only where `value.next` is not null. */
  more: Action<[]>;
}

/**
 * Reads a list by its cursor. When it is read again, as many pages are as were shown, so that nobody loses their place.
 *
 * @param read one page; `after` is the `next` of the page before, null for the first
 * @param inputs compared by their text; other ones begin with the first page
 */
export function useListed<P extends Page>(
  read: (after: string | null, signal?: AbortSignal) => Promise<P>,
  inputs: readonly unknown[],
): Listed<P> {
  const key = JSON.stringify(inputs);
  const shown = useRef({ key, pages: 1 });
  if (shown.current.key !== key) shown.current = { key, pages: 1 };
  const loaded = useLoaded(async (signal) => {
    const asked = shown.current;
    let all = await read(null, signal);
    // Meanwhile `more` may have read another one.
    for (let n = 1; n < asked.pages && all.next !== null; n += 1)
      all = joined(all, await read(all.next, signal));
    return all;
  }, inputs);
  const more = useAction(async () => {
    const before = loaded.value;
    if (before === undefined || before.next === null) return;
    const page = await read(before.next);
    // Other filters were chosen meanwhile.
    if (shown.current.key !== key) return;
    shown.current.pages += 1;
    const now = loaded.newest();
    if (now?.next === before.next) loaded.extend(joined(now, page));
    else loaded.reload();
  });
  return { ...loaded, more };
}

function joined<P extends Page>(before: P, page: P): P {
  return { ...page, items: [...before.items, ...page.items] };
}
