import type { ComponentChildren } from 'preact';

import type { Action } from '../../api/action.ts';
import { Button } from '../button.tsx';
import { ProblemNotice } from '../notice.tsx';

/** The heading of a column: its text, or more about it. */
export type Head = string | { text: string; isNumber?: true; isHidden?: true };

/** A table in a box, which scrolls by keyboard, too, where it is wider than the page. @param children its rows */
export function Table({
  label,
  heads,
  kind = '',
  foot,
  children,
}: {
  /** For a reader of the screen. */
  label: string;
  heads: readonly Head[];
  /** A class for the styles of its page. */
  kind?: string;
  /** Its last row. */
  foot?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={label}>
      <table class={`table ${kind}`}>
        <thead>
          <tr>
            {heads.map((head, i) => {
              const { text, isNumber, isHidden } = typeof head === 'string' ? { text: head } : head;
              return (
                <th key={i} scope="col" class={isNumber && 'number'}>
                  {isHidden ? <span class="visually-hidden">{text}</span> : text}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}

/** At the end of a list: reads what follows. @param next null: that is all */
export function More({
  next,
  more,
  children,
}: {
  next: string | null;
  more: Action<[]>;
  /** What the button says, e.g. "Older entries". */
  children: string;
}) {
  if (next === null) return null;
  return (
    <div class="stack tight">
      {more.problem !== undefined && <ProblemNotice problem={more.problem} />}
      <div>
        <Button action={more}>{children}</Button>
      </div>
    </div>
  );
}
