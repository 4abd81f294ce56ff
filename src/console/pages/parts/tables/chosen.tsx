import { useState } from 'preact/hooks';

import { CheckField } from '../field.tsx';
import { amount } from '../values.tsx';

/** Rows of a table that are chosen by check boxes. */
export interface Chosen {
  ids: readonly string[];
  /** Also those whose rows have gone meanwhile: what is done with some must never be done with all instead. */
  all: readonly string[];
  has: (id: string) => boolean;
  choose: (ids: readonly string[], isNow: boolean) => void;
}

/** @param shown ids of the rows that are there; `of` what they are found by: with another one, none is chosen */
export function useChosen(shown: readonly string[], of = ''): Chosen {
  const [state, setState] = useState<{ of: string; ids: readonly string[] }>({ of, ids: [] });
  const marked = new Set(state.of === of ? state.ids : []);
  return {
    ids: shown.filter((id) => marked.has(id)),
    all: [...marked],
    has: (id) => marked.has(id),
    choose: (ids, isNow) => {
      const changed = new Set(ids);
      const others = [...marked].filter((id) => !changed.has(id));
      setState({ of, ids: isNow ? [...others, ...ids] : others });
    },
  };
}

/** The check box of all rows that are there, and how many of them are chosen. */
export function ChooseAll({ shown, chosen }: { shown: readonly string[]; chosen: Chosen }) {
  const { ids, all, choose } = chosen;
  const gone = all.length - ids.length;
  return (
    <div class="row">
      <CheckField
        checked={ids.length === shown.length}
        onChange={(isAll) => choose(isAll ? shown : all, isAll)}
      >
        All
      </CheckField>
      <span role="status" class="soft small-text">
        {amount(ids.length)} of {amount(shown.length)} chosen
        {gone > 0 && `, ${amount(gone)} no longer here`}
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
