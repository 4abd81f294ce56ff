import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { PersonCells, HeadCells, columnCount } from './row-cells.tsx';
import type { PeopleNow, PeoplePages, PersonRow } from './people-pages.ts';
import { heightOf } from './scroll-map.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** Height of the heads of the columns, as in people.css. */
const HEAD_HEIGHT = 36;

/**
 * A table of any number of people: it draws the rows that are seen. The arrows, Page Up and Down, Home and End select one,
 * Enter opens it.
 */
export function PeopleTable({
  pages,
  now,
  zone,
  opened,
  onOpen,
}: {
  pages: PeoplePages;
  now: PeopleNow;
  zone: string;
  /** The id of the person who is shown beside it. */
  opened: string | null;
  onOpen: (person: PersonRow) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<number>();
  const count = now.count ?? 0;
  const { columns } = now;
  const virtual = useVirtualRows(box, count, HEAD_HEIGHT);
  const { first, end } = virtual;
  useEffect(() => {
    pages.see(first, end);
  }, [pages, first, end]);

  const open = (n: number) => {
    const person = now.row(n);
    if (person === undefined) return;
    setSelected(n);
    onOpen(person);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' && selected !== undefined) {
      event.preventDefault();
      open(selected);
    }
    const next = rowAfter(event.key, selected, count, virtual.perScreen);
    if (next === undefined) return;
    event.preventDefault();
    setSelected(next);
    virtual.show(next);
  };

  const rows = Array.from({ length: end - first }, (_, i) => first + i);
  const isDrawn = selected !== undefined && selected >= first && selected < end;
  return (
    <div
      ref={box}
      class="people-table"
      role="grid"
      aria-label="People"
      aria-rowcount={now.hasMore ? -1 : count + 1}
      aria-colcount={columnCount(columns)}
      aria-activedescendant={isDrawn ? `${id}-${selected}` : undefined}
      tabIndex={0}
      style={{ '--own': Math.max(1, columns.length) }}
      onScroll={virtual.onScroll}
      onKeyDown={onKeyDown}
    >
      <div class="people-row head" role="row" aria-rowindex={1}>
        <HeadCells columns={columns} />
      </div>
      <div class="people-rows" role="rowgroup" style={{ height: `${heightOf(count)}px` }}>
        {rows.map((n) => {
          const person = now.row(n);
          return (
            <div
              key={n}
              id={`${id}-${n}`}
              class={`people-row ${person !== undefined && person.id === opened ? 'opened' : ''}`}
              role="row"
              aria-rowindex={n + 2}
              aria-selected={n === selected}
              aria-busy={person === undefined}
              style={{ transform: `translateY(${virtual.offsetOf(n)}px)` }}
              onClick={() => {
                // Whoever marks a number to copy it does not want to open anything.
                if (getSelection()?.isCollapsed !== false) open(n);
              }}
            >
              <PersonCells person={person} columns={columns} zone={zone} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The row that a key leads to; undefined: it is no such key, or there are no rows. */
function rowAfter(
  key: string,
  selected: number | undefined,
  count: number,
  perScreen: number,
): number | undefined {
  const from = selected ?? -1;
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + perScreen,
    PageUp: from - perScreen,
    Home: 0,
    End: count - 1,
  }[key];
  if (to === undefined || count === 0) return undefined;
  return Math.min(Math.max(0, to), count - 1);
}
