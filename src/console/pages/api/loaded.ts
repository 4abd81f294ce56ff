import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../../views/fields.ts';
import { get, isSignedOut, nextPoll, reconnections, Refusal } from './client.ts';

/** What was read of the console, and how it stands with that. */
export interface Loaded<T> {
  /** The newest; stays while it is read again. Undefined: not there yet. */
  value: T | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  /** Reads it again. */
  reload: () => void;
  /** Puts in place what an answer to a change has told; what was asked before that is older, and is dropped. */
  set: (value: T) => void;
  /** What is there now, whenever it is asked for. */
  newest: () => T | undefined;
  /** Shows more of the same, beside what is being read. */
  extend: (value: T) => void;
}

type Now<T> = Pick<Loaded<T>, 'value' | 'problem' | 'isLoading'>;
type Again<T> = (now: Now<T>, tookMs: number) => number | null;

/** For what changes by itself. */
export const everySecond = () => 1_000;
/**
 * Where an answer takes long, a page asks for at most a fifth of the time: the console calls people meanwhile. It waits for
 * half a minute at most, as an answer may have been slow because the machine slept.
 */
const REST = 4;
export const LONGEST_REST_MS = 30_000;
/** For what the console has to count: it is asked for at most a twentieth of the time. */
export const asItCan = (_: unknown, tookMs: number) =>
  Math.min(Math.max(1_000, 20 * tookMs), LONGEST_REST_MS);

/**
 * Reads something when a component is shown, again when one of `inputs` changes, and when the connection is back.
 *
 * @param read `before`: what it returned the last time; returned again, nothing has changed
 * @param inputs compared by their text
 * @param again how long after an answer that took `tookMs` it is read again while the page is visible, ms; null: not by
 *   itself. Nobody who is signed out asks again, nor who waits for the connection
 */
export function useLoaded<T>(
  read: (signal: AbortSignal, before?: T) => Promise<T>,
  inputs: readonly unknown[],
  again: Again<T> = () => null,
): Loaded<T> {
  const [state, setState] = useState<Now<T>>({
    value: undefined,
    problem: undefined,
    isLoading: true,
  });
  const newest = useRef(state);
  const keep = (now: Now<T>) => {
    newest.current = now;
    setState((before) => (isSame(before, now) ? before : now));
  };
  const changes = useRef(0);
  const [times, setTimes] = useState(0);
  const key = JSON.stringify(inputs);
  const keyOfValue = useRef(key);

  useEffect(() => {
    const over = new AbortController();
    // What belongs to other inputs must not stand under these.
    const isOther = keyOfValue.current !== key;
    keyOfValue.current = key;
    keep({
      value: isOther ? undefined : newest.current.value,
      problem: undefined,
      isLoading: true,
    });
    const look = async () => {
      const before = changes.current;
      const isOld = () => over.signal.aborted || changes.current !== before;
      try {
        const value = await read(over.signal, newest.current.value);
        if (!isOld()) keep({ value, problem: undefined, isLoading: false });
      } catch (error) {
        if (isOld()) return;
        keep({ value: newest.current.value, problem: problemOf(error), isLoading: false });
      }
    };
    const goOn = async () => {
      while (!over.signal.aborted) {
        const began = performance.now();
        await look();
        const isWaiting = [0, 401].includes(newest.current.problem?.status ?? 200);
        const tookMs = performance.now() - began;
        const rest = isWaiting ? null : again(newest.current, tookMs);
        if (rest === null) return;
        const slow = Math.min(REST * tookMs, LONGEST_REST_MS);
        await nextPoll(Math.max(rest, slow), over.signal);
        if (isSignedOut.value) return;
      }
    };
    void goOn();
    return () => over.abort();
  }, [key, times, reconnections.value]);

  return {
    ...state,
    reload: () => setTimes((n) => n + 1),
    set: (value) => {
      changes.current += 1;
      keep({ value, problem: undefined, isLoading: false });
    },
    newest: () => newest.current.value,
    extend: (value) => keep({ ...newest.current, value }),
  };
}

/** Reads an address of the API, as `useLoaded` does. */
export function useRead<T extends object>(address: string, again?: Again<T>): Loaded<T> {
  return useLoaded((signal, before?: T) => get(address, signal, before), [address], again);
}

function isSame<T>(a: Now<T>, b: Now<T>): boolean {
  return a.value === b.value && a.problem === b.problem && a.isLoading === b.isLoading;
}

/** What went wrong as a problem; a defect of the page is one too, and is shown to the browser's console. */
export function problemOf(error: unknown): Problem {
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
