import type { ComponentChildren } from 'preact';

import { durationText } from '../../../text/amounts.ts';
import type { Filters, PersonRow } from '../../../views/people.ts';
import type { Problem } from '../../../views/fields.ts';
import { amount, Time } from '../parts/values.tsx';
import { ResultBadge, wordOf } from '../parts/badge.tsx';
import { SelectField } from '../parts/field.tsx';
import { SearchField } from '../parts/forms/controls.tsx';
import { setsParam } from '../shell/navigation.ts';
import { seesAll } from '../shell/session.ts';

const NAMES = ['text', 'state', 'result', 'list', 'zone', 'sentiment'] as const;

/** Who is shown; as it stands in the address and is asked of the API. */
export type PeopleFilter = Partial<Record<(typeof NAMES)[number], string>>;

/** For `setParams`: none of it. */
export const NO_FILTER = Object.fromEntries(NAMES.map((name) => [name, null]));

export function filterIn(params: URLSearchParams): PeopleFilter {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = params.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** `result answered`, `"ann" in the number or a cell`: one for each choice that is made. */
export function filterWords(filter: PeopleFilter, choices: Filters | undefined): string[] {
  const { text, state, result, list, zone, sentiment } = filter;
  return [
    text !== undefined && `“${text}” in the number or a cell`,
    state !== undefined && `state ${wordOf(state)}`,
    result !== undefined && `result ${wordOf(result)}`,
    list !== undefined && `list ${list}`,
    zone !== undefined && `zone ${zoneText(zone, choices)}`,
    sentiment !== undefined && `sentiment ${sentiment}`,
  ].filter((words) => words !== false);
}

/** The zones of a place; `America/Chicago or America/New_York` where a person may be in either. */
export function zonesText(zones: readonly string[]): string {
  return zones.length === 0 ? 'not known' : zones.join(' or ');
}

/** A place as its choice is called, with the states whose rules hold there. @param key as in `Filters` */
function zoneText(key: string, choices: Filters | undefined): string {
  const zones = choices?.zones.find((one) => one.key === key)?.zones;
  const [, regions = ''] = key.split(';');
  const more = regions === '' ? '' : ` (${regions.replaceAll(',', ', ')})`;
  return zones === undefined ? key : `${zonesText(zones)}${more}`;
}

/** A list is kept with its whole path; its name tells it from others. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** The usual words; a service may have others. */
const SENTIMENTS = ['positive', 'neutral', 'negative'];
/** The API looks for no longer one. */
const LONGEST_WORD = 200;

/**
 * What the table can be searched and chosen by. All of it is kept in the address.
 *
 * @param people who are shown: their sentiments may be words of the service's own
 */
export function PeopleFilters({
  filter,
  choices,
  people,
  problem,
}: {
  filter: PeopleFilter;
  choices: Filters | undefined;
  people: readonly PersonRow[];
  /** Why the text cannot be searched for. */
  problem: Problem | undefined;
}) {
  const lists = choices?.lists ?? [];
  const met = people.flatMap((person) => person.sentiment ?? []);
  const words = [...new Set([...SENTIMENTS, ...met])].filter((word) => word.length <= LONGEST_WORD);
  const menu = (
    name: (typeof NAMES)[number],
    label: string,
    all: Parameters<typeof SelectField>[0]['choices'],
  ) => (
    <SelectField
      label={label}
      value={filter[name] ?? ''}
      onChange={setsParam(name)}
      any="Any"
      choices={all}
    />
  );
  const counted = (value: string, text: string, people: number) => {
    return { value, text: `${text} (${amount(people)})` };
  };
  const { states = [], results = [], zones = [] } = choices ?? {};
  return (
    <div class="people-bar" role="group" aria-label="People of this campaign">
      <SearchField
        placeholder={seesAll.value ? 'Number, name or any cell' : 'Name or any cell'}
        problem={problem}
      />
      {menu(
        'state',
        'State',
        states.map((one) => counted(one.state, wordOf(one.state), one.people)),
      )}
      {menu(
        'result',
        'Result',
        results.map((one) => counted(one.result, wordOf(one.result), one.people)),
      )}
      {(lists.length > 1 || filter.list !== undefined) &&
        menu(
          'list',
          'List',
          lists.map(({ number, path, people }) =>
            counted(String(number), `${number}: ${fileName(path)}`, people),
          ),
        )}
      {menu(
        'zone',
        'Zone',
        zones.map((one) => counted(one.key, zoneText(one.key, choices), one.people)),
      )}
      {menu('sentiment', 'Sentiment', words)}
    </div>
  );
}

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

/** A column of the lists, and its place in the cells of a person. */
export interface OwnColumn {
  text: string;
  place: number;
}

export function HeadCells({ columns }: { columns: readonly OwnColumn[] }) {
  return (
    <>
      {HEADS.map(({ text, of }) => (
        <div key={text} class={of} role="columnheader">
          {text}
        </div>
      ))}
      {columns.map(({ text, place }) => (
        <div key={place} class="wide" role="columnheader">
          {shortened(text)}
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
  columns: readonly OwnColumn[];
  zone: string;
}) {
  const { phone, name, state, result, attempts, zones, sentiment, durationSeconds } = person;
  const { lastResult } = person;
  return (
    <>
      <div class="name" role="rowheader">
        <span>{name === null ? <span class="soft">no name</span> : shortened(name)}</span>
        <span class="narrow soft number">{phone}</span>
      </div>
      <Cell of="wide number-like">{phone}</Cell>
      <Cell of="">
        <ResultBadge result={result} state={state} />
        {state === 'waiting' && lastResult !== null && (
          <span class="soft"> last: {wordOf(lastResult)}</span>
        )}
      </Cell>
      <Cell of="wide number">{attempts === 0 ? <Dash /> : attempts}</Cell>
      <Cell of="wide">{zonesText(zones)}</Cell>
      <Cell of="wide">{sentiment === null ? <Dash /> : shortened(sentiment)}</Cell>
      <Cell of="wide number">
        {durationSeconds === null ? <Dash /> : durationText(durationSeconds * 1_000)}
      </Cell>
      <Cell of="wide">
        <LastOrNext person={person} zone={zone} />
      </Cell>
      <Cell of="wide number">
        {person.list}:{person.line}
      </Cell>
      {columns.map(({ place }) => (
        <Cell key={place} of="wide">
          {shortened(person.cells[place] ?? '')}
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
      <span class="soft">not before </span>
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
