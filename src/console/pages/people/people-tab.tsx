import { useEffect } from 'preact/hooks';
import './people.css';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import type { Filters, People } from '../../contract/people.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { amount, counted } from '../parts/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { More } from '../parts/tables/more.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { seesAll } from '../shell/session.ts';
import { filterIn, filterWords, NO_FILTER } from './filter.ts';
import { PeopleFilters } from './people-filters.tsx';
import { PeopleTable } from './people-table.tsx';
import { PersonDrawer } from './person-drawer.tsx';
import { usePeople, useTicks } from './use-people.ts';

/** The people of a campaign: a table that is searched and chosen from, and one of them beside it (`?person=1-17`). */
export default function PeopleTab({ campaign }: { campaign: CampaignDetail }) {
  const { name, timezone } = campaign;
  const filter = filterIn(params.value);
  const opened = params.value.get('person');
  const ticks = useTicks(campaign);
  const { value, problem, reload, more } = usePeople(name, filter, ticks);
  const choices = useLoaded(
    (signal) => get<Filters>(path`/campaigns/${name}/filters`, signal),
    [name],
  );
  useEffect(() => {
    if (ticks > 0) choices.reload();
  }, [ticks]);

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
            <button class="button small" type="button" onClick={reload}>
              Try again
            </button>
          }
        />
      )}
      <CountLine people={value} all={choices.value?.total} />
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
          onOpen={(person) => {
            setParams({ person }, { replace: false });
          }}
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
          ticks={ticks}
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
      <button
        class="button"
        type="button"
        onClick={() => {
          setParams(NO_FILTER);
          // The button goes; the keyboard is to go on from what it belonged to.
          document.querySelector<HTMLElement>('.people-bar input')?.focus();
        }}
      >
        Show everybody
      </button>
    </Empty>
  );
}
