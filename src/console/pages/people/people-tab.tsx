import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { CampaignDetail } from '../../../views/campaigns.ts';
import type { Filters, People, PersonRow } from '../../../views/people.ts';
import { get, isConnected, isSignedOut, nextPoll, path, query } from '../api/client.ts';
import { useListed, type Listed } from '../api/action.ts';
import { asItCan, LONGEST_REST_MS, useRead } from '../api/loaded.ts';
import type { CampaignJobs } from '../campaign/campaign-jobs.tsx';
import { amount, counted } from '../parts/values.tsx';
import { Button } from '../parts/button.tsx';
import { Empty, Loading, ProblemNotice } from '../parts/notice.tsx';
import { Choose, ChooseAll, useChosen, type Chosen } from '../parts/tables/chosen.tsx';
import { More } from '../parts/tables/table.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may, seesAll } from '../shell/session.ts';
import {
  filterIn,
  filterWords,
  HeadCells,
  NO_FILTER,
  PeopleFilters,
  PersonCells,
  type PeopleFilter,
} from './people-filters.tsx';
import './people.css';
import { ManyActions } from './person-actions.tsx';
import { PersonDrawer } from './person-drawer.tsx';

const POLL_EVERY_MS = 1_000;
/** People are read by themselves for at most a twentieth of the time, so that calls are not kept waiting. */
const REST = 20;

/** Counts the times at which people may have changed: every second while calls are made and the page is visible, and at the end. */
function useTicks({ state, ...counts }: CampaignDetail): number {
  const { waiting, calling, done } = counts;
  const [ticks, setTicks] = useState(0);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) setTicks((n) => n + 1);
    isFirst.current = false;
    if (state !== 'running') return undefined;
    const over = new AbortController();
    const tick = async () => {
      for (;;) {
        await nextPoll(POLL_EVERY_MS, over.signal);
        if (over.signal.aborted) return;
        if (isConnected.value && !isSignedOut.value) setTicks((n) => n + 1);
      }
    };
    void tick();
    return () => over.abort();
  }, [state === 'running' ? state : `${state} ${waiting} ${calling} ${done}`]);
  return ticks;
}

/** The people who match. @param ticks when it changes, what is shown is read again; see useTicks */
function usePeople(campaign: string, filter: PeopleFilter, ticks: number): Listed<People> {
  const tookMs = useRef(0);
  const restsUntil = useRef(0);
  const readAt = useRef(0);
  const listed = useListed<People>(
    async (after, signal) => {
      const began = performance.now();
      const address = `${path`/campaigns/${campaign}/people`}${query({ ...filter, after })}`;
      const people = await get<People>(address, signal);
      const now = performance.now();
      // All pages that are shown are read again together.
      tookMs.current = now - began + (after === null ? 0 : tookMs.current);
      restsUntil.current = now + Math.min(REST * tookMs.current, LONGEST_REST_MS);
      return people;
    },
    [campaign, filter],
  );
  useEffect(() => {
    // Many pages may take longer than the time between two ticks: begun again each time, they would never be there.
    // What was refused is not asked again: it would take the keyboard to the field each time.
    const isRefused = listed.problem !== undefined && listed.problem.status < 500;
    if (ticks === readAt.current || listed.isLoading || isRefused) return undefined;
    const over = new AbortController();
    const rest = restsUntil.current - performance.now();
    void (rest > 0 ? nextPoll(rest, over.signal) : Promise.resolve()).then(() => {
      if (over.signal.aborted) return;
      readAt.current = ticks;
      listed.reload();
    });
    return () => over.abort();
  }, [ticks, listed.isLoading]);
  return listed;
}

/** Height of a row in CSS pixels, as in people.css. */
const ROW_HEIGHT = 44;

/** A table of people. The arrows, Page Up and Down, Home and End select one, Enter opens it, Space chooses it. */
function PeopleTable({
  people,
  columns: all,
  zone,
  opened,
  onOpen,
  chosen,
}: {
  people: readonly PersonRow[];
  columns: readonly string[];
  zone: string;
  /** The id of the person who is shown beside it. */
  opened: string | null;
  onOpen: (id: string) => void;
  /** Undefined: there are no check boxes. */
  chosen: Chosen | undefined;
}) {
  const table = useId();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  // A column that only repeats the names is not shown again.
  const columns = all.flatMap((text, place) =>
    people.every(({ name, cells }) => cells[place]?.trim() === name) ? [] : { text, place },
  );
  const selected = people.findIndex(({ id }) => id === current);
  const rowId = (id: string) => `${table}-${id}`;

  const open = (id: string) => {
    setCurrent(id);
    onOpen(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (current !== undefined && selected >= 0) {
      // A box that has the keyboard, after a click, is changed by the browser.
      const isSpace = event.key === ' ' && event.target === box.current;
      if (isSpace || event.key === 'Enter') event.preventDefault();
      if (event.key === 'Enter') open(current);
      if (isSpace) chosen?.choose([current], !chosen.has(current));
    }
    // The head is about as high as a row.
    const perScreen = Math.floor((box.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1;
    const to = rowAfter(event.key, selected, people.length, Math.max(1, perScreen));
    const next = to === undefined ? undefined : people[to]?.id;
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    document.getElementById(rowId(next))?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div
      ref={box}
      class={`people-table ${chosen === undefined ? '' : 'with-boxes'}`}
      role="grid"
      aria-label="People"
      aria-activedescendant={current !== undefined && selected >= 0 ? rowId(current) : undefined}
      tabIndex={0}
      style={{ '--own': Math.max(1, columns.length) }}
      onKeyDown={onKeyDown}
    >
      <div class="people-row head" role="row">
        {chosen !== undefined && (
          <div role="columnheader">
            <span class="visually-hidden">Choose</span>
          </div>
        )}
        <HeadCells columns={columns} />
      </div>
      <div role="rowgroup">
        {people.map((person) => (
          <div
            key={person.id}
            id={rowId(person.id)}
            class={`people-row ${person.id === opened ? 'opened' : ''}`}
            role="row"
            aria-selected={person.id === current}
            onClick={() => {
              // Marking a number to copy it does not open anything.
              if (getSelection()?.isCollapsed !== false) open(person.id);
            }}
          >
            {chosen !== undefined && (
              <div role="gridcell" onClick={(event) => event.stopPropagation()}>
                <Choose
                  isInGrid
                  id={person.id}
                  what={person.name ?? person.phone}
                  chosen={chosen}
                />
              </div>
            )}
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

/** The people of a campaign: a table that is searched and chosen from, and one of them beside it (`?person=1-17`). */
export default function PeopleTab({
  campaign,
  jobs,
}: {
  campaign: CampaignDetail;
  jobs: CampaignJobs;
}) {
  const { name, timezone } = campaign;
  const filter = filterIn(params.value);
  const opened = params.value.get('person');
  const ticks = useTicks(campaign);
  const { value, problem, reload, more } = usePeople(name, filter, ticks);
  const choices = useRead<Filters>(path`/campaigns/${name}/filters`, asItCan);

  const shownIds = value?.items.map(({ id }) => id) ?? [];
  const chosen = useChosen(shownIds, JSON.stringify(filter));
  const isOfText = problem?.code === 'NOT_ALLOWED' && filter.text !== undefined;
  return (
    <section class="stack" aria-labelledby="people-heading">
      <h2 id="people-heading" class="visually-hidden">
        People
      </h2>
      <PeopleFilters
        filter={filter}
        choices={choices.value}
        people={value?.items ?? []}
        problem={isOfText ? problem : undefined}
      />
      {problem !== undefined && !isOfText && (
        <ProblemNotice
          problem={problem}
          action={
            <Button kind="small" onClick={reload}>
              Try again
            </Button>
          }
        />
      )}
      <CountLine people={value} all={choices.value?.total} />
      {value !== undefined && value.items.length > 0 && (
        <div class="row between">
          <ManyActions campaign={name} filter={filter} chosen={chosen.all} jobs={jobs} />
          {may('operator') && <ChooseAll shown={shownIds} chosen={chosen} />}
        </div>
      )}
      {value === undefined && problem === undefined && <Loading what="the people" />}
      {value?.items.length === 0 && (
        <Nobody campaign={name} words={filterWords(filter, choices.value)} />
      )}
      {value !== undefined && value.items.length > 0 && (
        <PeopleTable
          people={value.items}
          columns={value.columns}
          zone={timezone}
          opened={opened}
          onOpen={(person) => setParams({ person }, { replace: false })}
          chosen={may('operator') ? chosen : undefined}
        />
      )}
      {value !== undefined && (
        <More next={value.next} more={more}>
          Show more
        </More>
      )}
      {opened !== null && (
        <PersonDrawer
          key={opened}
          campaign={campaign}
          id={opened}
          onChanged={() => {
            reload();
            choices.reload();
          }}
        />
      )}
    </section>
  );
}

/** How many match, of how many, and how many of them are shown; read out when it changes. */
function CountLine({ people, all }: { people: People | undefined; all: number | undefined }) {
  return (
    <p class="soft small-text row between">
      <span role="status">{people !== undefined && countText(people, all)}</span>
      {!seesAll.value && <span>Numbers are masked for your role.</span>}
    </p>
  );
}

function countText({ items, next, total }: People, all: number | undefined): string {
  const shown = amount(items.length);
  const found = next === null ? items.length : total;
  const of = all === undefined || found === all ? '' : ` of ${amount(all)}`;
  if (found === null) return `The first ${shown} who match${of}`;
  const people = `${counted(found, 'person', 'people')}${of}`;
  return next === null ? people : `${people}; the first ${shown} are shown`;
}

function Nobody({ campaign, words }: { campaign: string; words: readonly string[] }) {
  if (words.length === 0) {
    return (
      <Empty title="Nobody is in this campaign yet">
        <p>
          Its first list is on its way: the people are here when it has been read. A further list is
          added with <code>callsheet import {campaign} FILE</code>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Nobody matches">
      <p class="break">Shown are people with: {words.join('; ')}.</p>
      <Button
        onClick={() => {
          setParams(NO_FILTER);
          // The button goes; the keyboard is to go on from what it belonged to.
          document.querySelector<HTMLElement>('.people-bar input')?.focus();
        }}
      >
        Show everybody
      </Button>
    </Empty>
  );
}
