import type { InboxPage } from '../../contract/inbox.ts';
import { query } from '../api/addresses.ts';
import { amount } from '../parts/amounts.ts';
import { SelectField } from '../parts/field.tsx';
import { setParams } from '../shell/navigation.ts';
import { DELIVERY_WORDS } from './delivery-state.tsx';

type Counts = InboxPage['counts'];

/** By service, and by state with how many there are. */
export function InboxFilters({
  service,
  state,
  counts,
}: {
  service: string;
  state: string;
  counts: Counts;
}) {
  const services = [...new Set([...counts.map((each) => each.service), service])]
    .filter((name) => name !== '')
    .toSorted();
  const ofService = counts.filter((each) => service === '' || each.service === service);
  const states = Object.entries(DELIVERY_WORDS)
    .map(([key, { text, means }]) => ({ key, text, means, count: countOf(ofService, key) }))
    .filter(({ key, count }) => count > 0 || key === state);
  const all = ofService.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="inbox-filters">
      <SelectField
        label="Service"
        value={service}
        choices={[
          { value: '', text: 'All services' },
          ...services.map((name) => ({ value: name, text: name })),
        ]}
        onChange={(chosen) => {
          setParams({ service: chosen });
        }}
      />
      <nav class="chips" aria-label="Deliveries by state">
        {[{ key: '', text: 'all', means: 'Whatever became of them.', count: all }, ...states].map(
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
export function countOf(counts: Counts, state: string): number {
  return counts.reduce((sum, each) => (each.state === state ? sum + each.count : sum), 0);
}
