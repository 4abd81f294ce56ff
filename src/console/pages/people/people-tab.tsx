import { useEffect } from 'preact/hooks';
import './people.css';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import type { Filters } from '../../contract/people.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { problemOf, useLoaded } from '../api/loaded.ts';
import { amount, counted } from '../parts/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { seesAll } from '../shell/session.ts';
import { filterIn, filterWords, NO_FILTER } from './filter.ts';
import { PeopleFilters } from './people-filters.tsx';
import type { PeopleNow } from './people-pages.ts';
import { PeopleTable } from './people-table.tsx';
import { PersonDrawer } from './person-drawer.tsx';
import { usePeople, useTicks } from './use-people.ts';

/** The people of a campaign: a table that is searched and chosen from, and one of them beside it (`?person=1-17`). */
export default function PeopleTab({ campaign }: { campaign: CampaignDetail }) {
  const { name, timezone } = campaign;
  const filter = filterIn(params.value);
  const opened = params.value.get('person');
  const ticks = useTicks(campaign);
  const { pages, now, isLoading, sentiments } = usePeople(name, filter, ticks);
  const choices = useLoaded(
    (signal) => get<Filters>(path`/campaigns/${name}/filters`, signal),
    [name],
  );
  useEffect(() => {
    if (ticks > 0) choices.reload();
  }, [ticks]);

  const problem = now.failure === undefined ? undefined : problemOf(now.failure);
  const isOfText = problem?.code === 'NOT_ALLOWED' && filter.text !== undefined;
  const isFound = (now.count ?? 0) > 0 && !isOfText;
  return (
    <section class="stack" aria-labelledby="people-heading">
      <h2 id="people-heading" class="visually-hidden">
        People
      </h2>
      <PeopleFilters
        filter={filter}
        choices={choices.value}
        sentiments={sentiments}
        problem={isOfText ? problem : undefined}
      />
      {problem !== undefined && !isOfText && (
        <ProblemNotice
          problem={problem}
          action={
            <button class="button small" type="button" onClick={pages.refresh}>
              Try again
            </button>
          }
        />
      )}
      <CountLine now={now} all={choices.value?.total} isLoading={isLoading} />
      {now.count === undefined && problem === undefined && <Loading what="the people" />}
      {now.count === 0 && (
        <Nobody campaign={name} words={filterWords(filter, choices.value)} isLoading={isLoading} />
      )}
      {isFound && (
        <PeopleTable
          key={JSON.stringify(filter)}
          pages={pages}
          now={now}
          zone={timezone}
          opened={opened}
          onOpen={({ id }) => {
            setParams({ person: id }, { replace: false });
          }}
        />
      )}
      {now.hasMore && isFound && (
        <div class="row">
          <button class="button" type="button" onClick={pages.more}>
            Show more
          </button>
        </div>
      )}
      {opened !== null && (
        <PersonDrawer
          key={opened}
          campaign={campaign}
          id={opened}
          ticks={ticks}
          onChanged={() => {
            pages.refresh();
            choices.reload();
          }}
        />
      )}
    </section>
  );
}

/** How many are shown of how many; read out when it changes. */
function CountLine({
  now: { count = 0, total, hasMore },
  all,
  isLoading,
}: {
  now: PeopleNow;
  all: number | undefined;
  isLoading: boolean;
}) {
  const of = all === undefined || total === all ? '' : ` of ${amount(all)}`;
  const text = hasMore
    ? `The first ${amount(count)} who match${of}`
    : `${counted(count, 'person', 'people')}${of}`;
  return (
    <p class="soft small-text row between">
      <span role="status">{isLoading ? 'Looking...' : text}</span>
      {!seesAll.value && <span>Numbers are masked for your role.</span>}
    </p>
  );
}

function Nobody({
  campaign,
  words,
  isLoading,
}: {
  campaign: string;
  words: readonly string[];
  isLoading: boolean;
}) {
  if (isLoading) return null;
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
