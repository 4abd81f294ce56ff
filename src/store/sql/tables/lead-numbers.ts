import type { ListMapping } from '../../../domain/lists/list-mapping.ts';
import type { E164 } from '../../../domain/phone.ts';
import { atMost, type Methods, type Sql } from '../sql.ts';
import { ATTEMPTS_BY_PHONE, MAY_HAVE_RUNG } from './attempt-rows.ts';
import type { SuppressionTable } from './suppression.ts';

/** The table `lead_numbers`, and which number of a lead is dialled next: `coalesce(dial_phone, phone)`. */
export function leadNumberTable(sql: Sql, suppression: SuppressionTable) {
  // Left out are numbers that ring, or have rung, through another lead of the campaign.
  const selectFurther = sql.rows<[row: number], FurtherNumber>(
    `SELECT further.phone, further.zone_key AS zoneKey FROM leads CROSS JOIN lead_numbers AS further ON true
     WHERE leads.row = ? AND further.lead_row = leads.row
       AND further.ordinal > coalesce((SELECT ordinal FROM lead_numbers AS current
         WHERE current.lead_row = leads.row AND current.phone = leads.dial_phone), 0)
       AND NOT EXISTS (SELECT 1 FROM leads AS other
         WHERE other.campaign_id = leads.campaign_id AND other.phone = further.phone)
       AND NOT EXISTS (SELECT 1 FROM lead_numbers AS theirs CROSS JOIN leads AS other ON other.row = theirs.lead_row
         WHERE theirs.phone = further.phone AND theirs.lead_row <> leads.row
           AND other.campaign_id = leads.campaign_id AND other.dial_phone = further.phone)
       AND NOT EXISTS (SELECT 1 FROM ${ATTEMPTS_BY_PHONE} AND attempts.phone = further.phone
         WHERE attempts.campaign_id = leads.campaign_id AND attempts.lead_row <> leads.row AND ${MAY_HAVE_RUNG})
     ORDER BY further.ordinal`,
  );
  const update = sql.run<[phone: E164, zoneKey: string, row: number]>(
    'UPDATE leads SET dial_phone = ?, zone_key = ? WHERE row = ?',
  );
  // The lead for which it rang first keeps the number; `selectOtherCall` stops the other one. Where it rang for both,
  // this lead gives it up.
  const rangFor = (lead: 'leads' | 'other') =>
    `EXISTS (SELECT 1 FROM attempts WHERE attempts.lead_row = ${lead}.row
       AND attempts.phone = @dial AND attempts.seq IS DISTINCT FROM @seq AND ${MAY_HAVE_RUNG})`;
  const selectTaken = sql.value<[{ row: number; dial: E164; seq: number | null }], number>(
    `SELECT 1 FROM leads CROSS JOIN leads AS other
       ON other.campaign_id = leads.campaign_id AND other.phone = @dial
     WHERE leads.row = @row AND (NOT ${rangFor('leads')} OR ${rangFor('other')})`,
  );

  // Only as a second number of theirs: another lead's own number is found by `selectTaken`.
  const selectOtherCall = sql.value<[{ row: number; dial: E164 }], 0 | 1 | null>(
    `SELECT min(attempts.state = 'intent' OR attempts.state = 'unknown')
     FROM lead_numbers AS theirs INDEXED BY lead_numbers_by_phone CROSS JOIN leads AS other ON other.row = theirs.lead_row
       CROSS JOIN attempts ON attempts.lead_row = other.row AND attempts.phone = theirs.phone
     WHERE theirs.phone = @dial AND theirs.lead_row <> @row
       AND other.campaign_id = (SELECT campaign_id FROM leads WHERE row = @row) AND ${MAY_HAVE_RUNG}`,
  );

  function further(row: number, now: number): FurtherNumber[] {
    return selectFurther(row).filter(({ phone }) => suppression.find(phone, now) === undefined);
  }

  return {
    /** The next numbers that are not suppressed and no other lead's, in their order. */
    further,
    /** Switches to the lead's next number and its place. @returns false: there is none */
    moveOn: (row: number, now: number): boolean => {
      const [next] = further(row, now);
      return next !== undefined && update(next.phone, next.zoneKey, row) === 1;
    },
    /**
     * True when another lead of the campaign now has this number as its own, unless it rang for this lead (by another
     * attempt than `seq`) and not for that one.
     */
    isTaken: (row: number, dial: E164, seq: number | null = null): boolean =>
      selectTaken({ row, dial, seq }) !== undefined,
    /**
     * Whether a call for another lead of the campaign rang this number, or may have. `open`: perhaps it did not. Null:
     * no such call.
     */
    otherCall: (row: number, dial: E164): 'rung' | 'open' | null => {
      const isOpen = selectOtherCall({ row, dial }) ?? null;
      if (isOpen === null) return null;
      return isOpen === 1 ? 'open' : 'rung';
    },
  };
}

export type LeadNumberTable = ReturnType<typeof leadNumberTable>;

interface FurtherNumber {
  phone: E164;
  zoneKey: string;
}

/** Waiting leads without a place. */
export function leadPlaces(sql: Sql) {
  // `+ 0`: see claim/intents.ts.
  const selectWithout = sql.rows<
    [campaignId: string, limit: number],
    { phone: E164; cells: string[]; list: string }
  >(
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
