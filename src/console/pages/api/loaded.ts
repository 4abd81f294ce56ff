import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProblemBody } from '../../contract/common.ts';
import { reconnections, Refusal } from './client.ts';

/** What was read of the console, and how it stands with that. */
export interface Loaded<T> {
  /** The newest; stays while it is read again. Undefined: not there yet. */
  value: T | undefined;
  problem: ProblemBody | undefined;
  isLoading: boolean;
  /** Reads it again. */
  reload: () => void;
  /** Puts in place what an answer to a change has told. */
  set: (value: T) => void;
}

/**
 * Reads something when a component is shown, again when one of `inputs` changes, and when the connection is back.
 *
 * @param inputs compared by their text
 */
export function useLoaded<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<Pick<Loaded<T>, 'value' | 'problem' | 'isLoading'>>({
    value: undefined,
    problem: undefined,
    isLoading: true,
  });
  const [times, setTimes] = useState(0);
  const key = JSON.stringify(inputs);
  const keyOfValue = useRef(key);

  useEffect(() => {
    const over = new AbortController();
    // What belongs to other inputs must not stand under these.
    const isOther = keyOfValue.current !== key;
    keyOfValue.current = key;
    setState(({ value }) => ({
      value: isOther ? undefined : value,
      problem: undefined,
      isLoading: true,
    }));
    read(over.signal).then(
      (value) => {
        if (!over.signal.aborted) setState({ value, problem: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (over.signal.aborted) return;
        setState(({ value }) => ({ value, problem: problemOf(error), isLoading: false }));
      },
    );
    return () => {
      over.abort();
    };
  }, [key, times, reconnections.value]);

  return {
    ...state,
    reload: () => {
      setTimes((n) => n + 1);
    },
    set: (value) => {
      setState({ value, problem: undefined, isLoading: false });
    },
  };
}

/** What went wrong as a problem; a defect of the page is one too, and is shown to the browser's console. */
export function problemOf(error: unknown): ProblemBody {
  if (error instanceof Refusal) return error.problem;
  reportError(error);
  return {
    type: 'urn:callsheet:DEFECT',
    title: 'defect',
    status: 0,
    code: 'DEFECT',
    detail: `Something went wrong in this page (${String(error)}).`,
    hint: 'reload it; please report it if it comes back',
  };
}
