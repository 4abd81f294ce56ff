import type { Delivery } from '../../contract/inbox.ts';
import { path, query } from '../api/addresses.ts';
import { counted } from '../parts/amounts.ts';
import { Time } from '../parts/times.tsx';
import { params } from '../shell/navigation.ts';
import { DeliveryBadge } from './delivery-state.tsx';

/** Deliveries, the newest first; each opens beside the table. */
export function DeliveryTable({ deliveries }: { deliveries: readonly Delivery[] }) {
  const filters = Object.fromEntries(params.value);
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Deliveries">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">Service</th>
            <th scope="col">State</th>
            <th scope="col">Type</th>
            <th scope="col">Number</th>
            <th scope="col">Campaign</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
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
                <td class="break">{type ?? <None />}</td>
                <td class="nowrap number-like">{phone ?? <None />}</td>
                <td class="break">
                  {campaign === null ? (
                    <None />
                  ) : (
                    <a href={path`/campaigns/${campaign}`}>{campaign}</a>
                  )}
                </td>
                <td class="break inbox-why">{reason ?? <None />}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function None() {
  return <span class="soft">–</span>;
}
