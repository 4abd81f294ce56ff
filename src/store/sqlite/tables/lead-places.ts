import type { ListMapping } from '../../../domain/lists/list-mapping.ts';
import type { E164 } from '../../../domain/phone.ts';
import { atMost, type Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';

/** Finds waiting leads whose place was never worked out, and keeps it. */
export function leadPlaces(sql: Sql) {
  // `+ 0`: see claim/intents.ts.
  const selectWithout = sql.rows<[campaignId: string, limit: number], Row>(
    `SELECT phone, cells, list_id AS list FROM leads INDEXED BY leads_waiting
       WHERE campaign_id = ? AND zone_key = '' AND state = 'waiting' ORDER BY not_before, position LIMIT ? + 0`,
    { json: ['cells'] },
  );
  const selectMapping = sql.value<[listId: string], string | null>(
    'SELECT mapping FROM lists WHERE id = ?',
  );
  const updatePlace = sql.run<[zoneKey: string, disagree: number, campaignId: string, phone: E164]>(
    `UPDATE leads SET zone_key = ?, zones_disagree = ? WHERE campaign_id = ? AND phone = ? AND zone_key = ''`,
  );

  function mappingOf(list: string): ListMapping | null {
    const mapping = selectMapping(list);
    return mapping == null ? null : (JSON.parse(mapping) as ListMapping);
  }

  return {
    reads: {
      leadsWithoutPlace: (campaignId, limit) => {
        const mappings = new Map<string, ListMapping | null>();
        return selectWithout(campaignId, limit).map(({ phone, cells, list }) => {
          const mapping = mappings.get(list) ?? mappingOf(list);
          mappings.set(list, mapping);
          return { phone, cells, mapping };
        });
      },
    } satisfies Partial<Methods>,
    writes: {
      keepPlaces: (campaignId, places) => {
        for (const { phone, zoneKey, disagree } of atMost(places, 'keepPlaces'))
          updatePlace(zoneKey, disagree ? 1 : 0, campaignId, phone);
      },
    } satisfies Partial<Methods>,
  };
}

interface Row {
  phone: E164;
  cells: string[];
  list: string;
}
