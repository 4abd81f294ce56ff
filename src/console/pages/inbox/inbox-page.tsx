import type { InboxPage as Page } from '../../contract/inbox.ts';
import { query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useListed } from '../api/listed.ts';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { More } from '../parts/tables/more.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { params } from '../shell/navigation.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { ReplayAll } from './replay-all.tsx';
import './inbox.css';

/** What services have sent by webhook, and what became of it. */
export default function InboxPage() {
  const service = params.value.get('service') ?? '';
  const state = params.value.get('state') ?? '';
  const shown = params.value.get('delivery');
  const listed = useListed<Page>(
    (after, signal) => get(`/inbox${query({ service, state, after })}`, signal),
    [service, state],
  );
  const { value, problem, reload, isLoading } = listed;
  return (
    <>
      <PageHead title="Inbox" about="What services have sent by webhook, and what became of it.">
        <ReplayAll state={state} counts={value?.counts ?? []} onReplayed={reload} />
        <button class="button" type="button" disabled={isLoading} onClick={reload}>
          <Icon name="replay" />
          Read again
        </button>
      </PageHead>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the deliveries" />}
      {value !== undefined && (
        <>
          {value.counts.length > 0 && (
            <InboxFilters {...{ service, state }} counts={value.counts} />
          )}
          {value.items.length === 0 ? (
            <NothingThere isFiltered={service !== '' || state !== ''} />
          ) : (
            <DeliveryTable deliveries={value.items} />
          )}
          <More next={value.next} more={listed.more}>
            Show older deliveries
          </More>
        </>
      )}
      {shown !== null && <DeliveryDrawer key={shown} id={shown} onReplayed={reload} />}
    </>
  );
}

function NothingThere({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No delivery is like that">
        <a href="/inbox">Show all deliveries</a>
      </Empty>
    );
  }
  return (
    <Empty title="No service has sent anything yet">
      <p>
        Deliveries come here once <code>callsheet serve</code> listens for webhooks and a service
        knows its address. Without them, results are read from the service.
      </p>
    </Empty>
  );
}
