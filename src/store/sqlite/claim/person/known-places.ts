import { everyPlace, hasZone } from '../../../../domain/calling/zone-key.ts';
import type { E164 } from '../../../../domain/phone.ts';
import type { Sql } from '../../sql.ts';

/**
 * Finds where the lists of all campaigns say that a number is. Lists differ when somebody has moved or one of them is
 * wrong, so that hours and rules of all of these places have to allow a call. Rehearsals and real campaigns are apart.
 */
export function knownPlaces(sql: Sql) {
  const select = sql.values<[{ phone: E164; simulated: 0 | 1 }], string>(
    `SELECT leads.zone_key FROM campaigns CROSS JOIN leads ON leads.campaign_id = campaigns.id AND leads.phone = @phone
     WHERE campaigns.simulated = @simulated AND coalesce(leads.dial_phone, leads.phone) = @phone
     UNION ALL SELECT numbers.zone_key FROM lead_numbers AS numbers INDEXED BY lead_numbers_by_phone
       CROSS JOIN leads ON leads.row = numbers.lead_row CROSS JOIN campaigns ON campaigns.id = leads.campaign_id
     WHERE numbers.phone = @phone AND campaigns.simulated = @simulated`,
  );

  /** @returns a function that finds the key of a number's place, which is the lead's own where no list differs */
  return ({ simulated }: { simulated: boolean }) =>
    (phone: E164, own: string): string => {
      const known = select({ phone, simulated: simulated ? 1 : 0 }).filter(hasZone);
      return known.length === 0 ? own : everyPlace([own, ...known]);
    };
}
