import type { Delivery } from '../../contract/inbox.ts';
import { path, query } from '../api/addresses.ts';
import { counted } from '../parts/amounts.ts';
import { Time } from '../parts/times.tsx';
import { Table } from '../parts/tables/table.tsx';
import { params } from '../shell/navigation.ts';
import { DeliveryBadge } from './delivery-state.tsx';
import { Dash } from '../people/row-cells.tsx';

/** Deliveries, the newest first; each opens beside the table. */
export function DeliveryTable({ deliveries }: { deliveries: readonly Delivery[] }) {
  const filters = Object.fromEntries(params.value);
  return (
    <Table
      label="Deliveries"
      heads={['Received', 'Service', 'State', 'Type', 'Number', 'Campaign', 'Why']}
    >
      {deliveries.map(
        ({ id, receivedAt, service, state, type, phone, campaign, reason, times }) => (
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
            <td class="nowrap number-like">{phone ?? <Dash />}</td>
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
