import type { CampaignFilters, PeopleTable } from '../../app/watch/people.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { LeadResult, LeadState } from '../../domain/lead.ts';
import type { Filters, People } from '../contract/people.ts';
import type { Shown } from './shown.ts';

/** A page of people, as somebody may see it. */
export function peopleBody(page: PeopleTable, { phone, text }: Shown): People {
  const { rows, columns, total, next } = page;
  const items = rows.map((row) => {
    const { list, line, state, result, attempts, sentiment, durationSeconds, lastAttemptAt } = row;
    return {
      id: `${list}-${line}`,
      phone: phone(row.phone),
      name: row.name === null ? null : text(row.name),
      cells: row.cells.map(text),
      ...{ list, line, state, result, attempts, sentiment, durationSeconds, lastAttemptAt },
      reason: row.reason === null ? null : text(row.reason),
      zones: [...placeOf(row.zoneKey).zones],
      nextAttemptAt: state === 'waiting' && row.notBefore > 0 ? row.notBefore : null,
    };
  });
  return { items, columns, total, next };
}

export function filtersBody(found: CampaignFilters, { name }: Shown): Filters {
  const { total, lists, byState, byResult, zones } = found;
  return {
    total,
    lists: lists.map((list) => ({ ...list, path: name(list.path) })),
    states: Object.entries(byState).map(([state, people]) => ({
      state: state as LeadState,
      people,
    })),
    results: Object.entries(byResult).map(([result, people]) => ({
      result: result as LeadResult,
      people,
    })),
    zones: zones.map(({ zoneKey, people }) => {
      return { key: zoneKey, zones: [...placeOf(zoneKey).zones], people };
    }),
  };
}
