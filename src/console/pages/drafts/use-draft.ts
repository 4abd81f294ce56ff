import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { Draft, draftChange } from '../../contract/drafts.ts';
import { useAction, type Action } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { get, Refusal, send } from '../api/client.ts';
import { useLoaded, type Loaded } from '../api/loaded.ts';

export type DraftChange = Omit<z.input<typeof draftChange>, 'ifVersion'>;

export interface DraftState {
  loaded: Loaded<Draft>;
  /** Changes the draft that is shown; refused where somebody else has changed it, see `overtaken`. */
  change: Action<[change: DraftChange]>;
  /** A change that was not made, since the draft is another one now. */
  overtaken: { wanted: DraftChange; now: Draft } | undefined;
  /** Makes that change all the same, or gives it up; either way the draft as it is now is shown. */
  settle: (isWanted: boolean) => void;
}

/** A draft, and changes of it that overwrite nobody else's. */
export function useDraft(id: string): DraftState {
  const loaded = useLoaded((signal) => get<Draft>(path`/drafts/${id}`, signal), [id]);
  const [overtaken, setOvertaken] = useState<DraftState['overtaken']>();
  const ask = (change: DraftChange, ifVersion: number | undefined) =>
    send<Draft>('PATCH', path`/drafts/${id}`, { ...change, ifVersion });
  const change = useAction(async (wanted: DraftChange) => {
    try {
      loaded.set(await ask(wanted, loaded.value?.version));
    } catch (error) {
      const now = error instanceof Refusal ? (error.problem.now as Draft | undefined) : undefined;
      if (now === undefined) throw error;
      setOvertaken({ wanted, now });
    }
  });
  const again = useAction(async (wanted: DraftChange, now: Draft) => {
    loaded.set(await ask(wanted, now.version));
  });
  return {
    loaded,
    change: { ...change, problem: change.problem ?? again.problem },
    overtaken,
    settle: (isWanted) => {
      if (overtaken === undefined) return;
      setOvertaken(undefined);
      loaded.set(overtaken.now);
      if (isWanted) void again.run(overtaken.wanted, overtaken.now);
    },
  };
}
