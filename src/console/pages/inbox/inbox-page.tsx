import { DELIVERY_MEANINGS, DELIVERY_STATES } from '../../../domain/same-call.ts';
import type { Deliveries, Delivery, Replayed } from '../../../views/calls.ts';
import type { Done } from '../../../views/fields.ts';
import { useAction, useListed } from '../api/action.ts';
import { get, path, query, send } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { amount, counted, Time, Who } from '../parts/values.tsx';
import { Confirm, useOver } from '../parts/dialog.tsx';
import { Empty, Reading, toast } from '../parts/notice.tsx';
import { SelectField } from '../parts/field.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { More, Table } from '../parts/tables/table.tsx';
import { Dash } from '../people/people-filters.tsx';
import { params, setsParam } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { DeliveryBadge, DeliveryDrawer, deliveryWord } from './delivery-drawer.tsx';
import './inbox.css';

type Counts = Deliveries['counts'];

/** By service, and by state with how many there are. */
function InboxFilters({
  service,
  state,
  counts,
}: {
  service: string;
  state: string;
  counts: Counts;
}) {
  const services = [...new Set(counts.map((each) => each.service))].toSorted();
  const ofService = counts.filter((each) => service === '' || each.service === service);
  const states = DELIVERY_STATES.map((key) => {
    const count = countOf(ofService, key);
    return { key, text: deliveryWord(key), means: DELIVERY_MEANINGS[key], count };
  }).filter(({ key, count }) => count > 0 || key === state);
  const all = ofService.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="inbox-filters">
      <SelectField
        label="Service"
        value={service}
        any="All services"
        choices={services}
        onChange={setsParam('service')}
      />
      <nav class="chips" aria-label="Deliveries by state">
        {[{ key: '', text: 'all', means: 'In every state.', count: all }, ...states].map(
          ({ key, text, means, count }) => (
            <a
              key={key}
              class="chip"
              href={`/inbox${query({ service, state: key })}`}
              title={means}
              aria-current={key === state ? 'page' : undefined}
            >
              {text} <span class="number">{amount(count)}</span>
            </a>
          ),
        )}
      </nav>
    </div>
  );
}

/** How many deliveries are in a state, over all of these services. */
function countOf(counts: Counts, state: string): number {
  return counts.reduce((sum, each) => (each.state === state ? sum + each.count : sum), 0);
}

/** Looks at all deliveries of the chosen state again, whatever service they came from. */
function ReplayAll({
  state,
  counts,
  onReplayed,
}: {
  /** Empty: none is chosen. */
  state: string;
  counts: Deliveries['counts'];
  onReplayed: () => void;
}) {
  const { over: isAsked, opens, close } = useOver();
  const action = useAction(async () => {
    const answer = await send<Done & Replayed>('POST', '/inbox/replay', { state });
    toast(`${counted(answer.count, 'delivery', 'deliveries')} looked at again.`);
    close();
    onReplayed();
    return answer;
  });
  const count = countOf(counts, state);
  if (!may('operator') || count === 0) return null;
  const those = `${counted(count, 'delivery', 'deliveries')} (${deliveryWord(state)})`;
  return (
    <>
      <Button
        onClick={() => {
          action.forget();
          opens(true)();
        }}
      >
        Replay all {those}
      </Button>
      {isAsked && (
        <Confirm
          title={`Look at ${those} again?`}
          does="Replay them"
          action={action}
          onClose={close}
        >
          <p>
            They are read as if they had just come, of all services: worth it after a profile was
            mended or a missing call became known. Nobody is called, and nothing counts twice.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** Deliveries, the newest first; each opens beside the table. */
function DeliveryTable({ deliveries }: { deliveries: readonly Delivery[] }) {
  const filters = Object.fromEntries(params.value);
  return (
    <Table
      label="Deliveries"
      heads={['Received', 'Service', 'State', 'Type', 'Number', 'Campaign', 'Why']}
    >
      {deliveries.map(
        ({ id, receivedAt, service, state, type, phone, name, campaign, reason, times }) => (
          <tr key={id} aria-current={filters['delivery'] === id ? 'true' : undefined}>
            <th scope="row">
              <a href={`/inbox${query({ ...filters, delivery: id })}`}>
                <Time at={receivedAt} />
              </a>
              {times > 1 && <div class="soft">sent {counted(times, 'time')}</div>}
            </th>
            <td>{service}</td>
            <td>
              <DeliveryBadge state={state} />
            </td>
            <td class="break">{type ?? <Dash />}</td>
            <td>{phone === null ? <Dash /> : <Who name={name} phone={phone} />}</td>
            <td class="break">
              {campaign === null ? <Dash /> : <a href={path`/campaigns/${campaign}`}>{campaign}</a>}
            </td>
            <td class="break long">{reason ?? <Dash />}</td>
          </tr>
        ),
      )}
    </Table>
  );
}

/** What services have sent about calls, and its state. */
export default function InboxPage() {
  const service = params.value.get('service') ?? '';
  const state = params.value.get('state') ?? '';
  const shown = params.value.get('delivery');
  const listed = useListed<Deliveries>(
    (after, signal) => get(`/inbox${query({ service, state, after })}`, signal),
    [service, state],
  );
  const { value, reload, isLoading } = listed;
  return (
    <>
      <PageHead
        title="Inbox"
        about="For who looks after a service: what it has sent about calls, and whether callsheet could use it."
      >
        <ReplayAll state={state} counts={value?.counts ?? []} onReplayed={reload} />
        <Button icon="replay" aria-disabled={isLoading} onClick={reload}>
          Read again
        </Button>
      </PageHead>
      <Reading of={listed} what="the deliveries" />
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
        What a service sends about calls comes here, once it knows an address of callsheet. Until
        then, results are read from the service.
      </p>
    </Empty>
  );
}
