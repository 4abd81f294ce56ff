import type { ComponentChildren } from 'preact';
import type { PersonRow } from '../../../views/people.ts';
import { ResultBadge } from '../parts/badge.tsx';
import { lengthText, Time } from '../parts/times.tsx';
import { zonesText } from './people-filters.tsx';

/** Heads of the columns that every list has; in a narrow table only the first of them and the result are shown. */
const HEADS = [
  { text: 'Name', of: 'name' },
  { text: 'Number', of: 'wide' },
  { text: 'Result', of: '' },
  { text: 'Calls', of: 'wide number' },
  { text: 'Zone', of: 'wide' },
  { text: 'Sentiment', of: 'wide' },
  { text: 'Length', of: 'wide number' },
  { text: 'Last or next call', of: 'wide' },
  { text: 'Line', of: 'wide number' },
] as const;

/** A cell of a list may hold a whole page; all of it is in the person's drawer. */
const LONGEST = 200;

export function HeadCells({ columns }: { columns: readonly string[] }) {
  return (
    <>
      {HEADS.map(({ text, of }) => (
        <div key={text} class={of} role="columnheader">
          {text}
        </div>
      ))}
      {columns.map((column, i) => (
        <div key={i} class="wide" role="columnheader">
          {shortened(column)}
        </div>
      ))}
    </>
  );
}

export function PersonCells({
  person,
  columns,
  zone,
}: {
  person: PersonRow;
  columns: readonly string[];
  zone: string;
}) {
  const { phone, name, state, result, attempts, zones, sentiment, durationSeconds } = person;
  return (
    <>
      <div class="name" role="rowheader">
        <span>{name === null ? <span class="soft">no name</span> : shortened(name)}</span>
        <span class="narrow soft number">{phone}</span>
      </div>
      <Cell of="wide number-like">{phone}</Cell>
      <Cell of="">
        <ResultBadge result={result} state={state} />
      </Cell>
      <Cell of="wide number">{attempts === 0 ? <Dash /> : attempts}</Cell>
      <Cell of="wide">{zonesText(zones)}</Cell>
      <Cell of="wide">{sentiment === null ? <Dash /> : shortened(sentiment)}</Cell>
      <Cell of="wide number">
        {durationSeconds === null ? <Dash /> : lengthText(durationSeconds * 1_000)}
      </Cell>
      <Cell of="wide">
        <LastOrNext person={person} zone={zone} />
      </Cell>
      <Cell of="wide number">
        {person.list}:{person.line}
      </Cell>
      {columns.map((_, i) => (
        <Cell key={i} of="wide">
          {shortened(person.cells[i] ?? '')}
        </Cell>
      ))}
    </>
  );
}

function LastOrNext({ person, zone }: { person: PersonRow; zone: string }) {
  const { nextAttemptAt, lastAttemptAt } = person;
  if (nextAttemptAt === null) return <Time at={lastAttemptAt} zone={zone} />;
  return (
    <>
      <span class="soft">next </span>
      <Time at={nextAttemptAt} zone={zone} />
    </>
  );
}

function Cell({ of, children }: { of: string; children: ComponentChildren }) {
  return (
    <div class={of} role="gridcell">
      {children}
    </div>
  );
}

export function Dash() {
  return <span class="soft">–</span>;
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
