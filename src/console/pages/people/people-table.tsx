import { useId, useRef, useState } from 'preact/hooks';
import type { PersonRow } from '../../contract/people.ts';
import { HeadCells, PersonCells } from './row-cells.tsx';

/** Height of a row in CSS pixels, as in people.css. */
const ROW_HEIGHT = 44;

/** A table of people. The arrows, Page Up and Down, Home and End select one, Enter opens it. */
export function PeopleTable({
  people,
  columns,
  zone,
  opened,
  onOpen,
}: {
  people: readonly PersonRow[];
  columns: readonly string[];
  zone: string;
  /** The id of the person who is shown beside it. */
  opened: string | null;
  onOpen: (id: string) => void;
}) {
  const table = useId();
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const selected = people.findIndex(({ id }) => id === chosen);
  const rowId = (id: string) => `${table}-${id}`;

  const open = (id: string) => {
    setChosen(id);
    onOpen(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' && chosen !== undefined && selected >= 0) {
      event.preventDefault();
      open(chosen);
    }
    // The head is about as high as a row.
    const perScreen = Math.floor((box.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1;
    const to = rowAfter(event.key, selected, people.length, Math.max(1, perScreen));
    const next = to === undefined ? undefined : people[to]?.id;
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    document.getElementById(rowId(next))?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div
      ref={box}
      class="people-table"
      role="grid"
      aria-label="People"
      aria-activedescendant={chosen !== undefined && selected >= 0 ? rowId(chosen) : undefined}
      tabIndex={0}
      style={{ '--own': Math.max(1, columns.length) }}
      onKeyDown={onKeyDown}
    >
      <div class="people-row head" role="row">
        <HeadCells columns={columns} />
      </div>
      <div role="rowgroup">
        {people.map((person) => (
          <div
            key={person.id}
            id={rowId(person.id)}
            class={`people-row ${person.id === opened ? 'opened' : ''}`}
            role="row"
            aria-selected={person.id === chosen}
            onClick={() => {
              // Marking a number to copy it does not open anything.
              if (getSelection()?.isCollapsed !== false) open(person.id);
            }}
          >
            <PersonCells person={person} columns={columns} zone={zone} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The row that a key leads to; undefined: another key. @param selected -1: none */
function rowAfter(
  key: string,
  selected: number,
  count: number,
  perScreen: number,
): number | undefined {
  const to = {
    ArrowDown: selected + 1,
    ArrowUp: selected - 1,
    PageDown: selected + perScreen,
    PageUp: selected - perScreen,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? undefined : Math.min(Math.max(0, to), count - 1);
}
