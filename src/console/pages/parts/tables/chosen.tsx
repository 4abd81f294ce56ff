import { useState } from 'preact/hooks';

import { CheckField } from '../field.tsx';
import { amount } from '../values.tsx';

/** Rows of a table that are chosen by check boxes. */
export interface Chosen {
  ids: readonly string[];
  has: (id: string) => boolean;
  choose: (ids: readonly string[], isNow: boolean) => void;
}

/** @param shown ids of the rows that are there: others are not chosen */
export function useChosen(shown: readonly string[]): Chosen {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  return {
    ids: shown.filter((id) => marked.has(id)),
    has: (id) => marked.has(id),
    choose: (ids, isNow) => {
      const changed = new Set(ids);
      const others = [...marked].filter((id) => !changed.has(id));
      setMarked(new Set(isNow ? [...others, ...ids] : others));
    },
  };
}

/** The check box of all rows that are there, and how many of them are chosen. */
export function ChooseAll({ shown, chosen }: { shown: readonly string[]; chosen: Chosen }) {
  const { ids, choose } = chosen;
  return (
    <div class="row">
      <CheckField checked={ids.length === shown.length} onChange={(isAll) => choose(shown, isAll)}>
        All
      </CheckField>
      <span role="status" class="soft small-text">
        {amount(ids.length)} of {amount(shown.length)} chosen
      </span>
    </div>
  );
}

/** The check box of one row. @param what for a reader of the screen; `isInGrid`: the grid has the keyboard, the box not */
export function Choose({
  id,
  what,
  chosen,
  isInGrid = false,
}: {
  id: string;
  what: string;
  chosen: Chosen;
  isInGrid?: boolean;
}) {
  return (
    <CheckField
      checked={chosen.has(id)}
      onChange={(isNow) => chosen.choose([id], isNow)}
      tabIndex={isInGrid ? -1 : 0}
    >
      <span class="visually-hidden">Choose {what}</span>
    </CheckField>
  );
}
