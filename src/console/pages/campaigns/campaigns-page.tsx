import { useState } from 'preact/hooks';
import type { Campaign } from '../../contract/campaigns.ts';
import { query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { useLoaded } from '../api/loaded.ts';
import { counted } from '../parts/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { params } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { CampaignTable } from './campaign-table.tsx';
import { DraftList } from './draft-list.tsx';
import './campaigns.css';

/** The first page: every campaign with how far it is, and those that are still being filled in. */
export default function CampaignsPage() {
  const archived = params.value.get('archived') === 'true';
  const loaded = useLoaded(
    (signal) =>
      get<{ items: Campaign[]; hidden: number }>(
        `/campaigns${query({ archived: archived || null })}`,
        signal,
      ),
    [archived],
  );
  const [live, setLive] = useState<Campaign[]>();
  useLive(null, { campaigns: setLive });
  const newest = new Map(live?.map((campaign) => [campaign.name, campaign]));
  const known = loaded.value?.items ?? [];
  const others = (live ?? []).filter(({ name }) => !known.some((one) => one.name === name));
  const campaigns = [...others, ...known.map((one) => newest.get(one.name) ?? one)];
  return (
    <>
      <PageHead title="Campaigns">
        {may('operator') && (
          <a class="button primary" href="/new">
            <Icon name="plus" />
            New campaign
          </a>
        )}
      </PageHead>
      {may('operator') && <DraftList />}
      {loaded.problem !== undefined && <ProblemNotice problem={loaded.problem} />}
      {loaded.value === undefined && loaded.isLoading && <Loading what="the campaigns" />}
      {loaded.value !== undefined && campaigns.length === 0 && (
        <div class="card">
          <Empty title="No campaign yet">
            <p>
              A list of phone numbers and the ID of a voice agent become one. The service{' '}
              <code>simulated</code> is built in and calls nobody, so it can be tried out first.
            </p>
            {may('operator') && (
              <a class="button primary" href="/new">
                Upload a list
              </a>
            )}
          </Empty>
        </div>
      )}
      {campaigns.length > 0 && <CampaignTable campaigns={campaigns} />}
      {loaded.value !== undefined && (archived || loaded.value.hidden > 0) && (
        <p class="small-text">
          {archived ? (
            <a href="/">Leave out those that were put away</a>
          ) : (
            <a href="/?archived=true">
              Show {counted(loaded.value.hidden, 'campaign')} that{' '}
              {loaded.value.hidden === 1 ? 'was' : 'were'} put away
            </a>
          )}
        </p>
      )}
    </>
  );
}
