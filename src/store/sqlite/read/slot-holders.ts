import type { SlotShare } from '../../port.ts';
import { ASKED_LATELY } from '../claim/gates/slot-shares.ts';
import type { Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT } from '../tables/attempt-conditions.ts';

/** Who holds the slots of a service, or was lately short of them; for people. */
export function slotHolders(sql: Sql): (service: string, now: number) => SlotShare[] {
  const selectHeld = sql.rows<[{ service: string; now: number }], Omit<SlotShare, 'share'>>(
    `SELECT campaigns.name AS campaign, coalesce(campaigns.settings ->> '$.weight', 1) AS weight,
       sum(held) AS held, sum(wants) AS wants
     FROM (SELECT campaign_id AS id, count(*) AS held, 0 AS wants FROM ${ATTEMPTS_WITH_SLOT}
         WHERE service = @service AND slot_until > @now GROUP BY campaign_id
       UNION ALL SELECT campaign_id, 0, wants FROM slot_shares
         WHERE service = @service AND wants > 0 AND ${ASKED_LATELY}) AS found
       CROSS JOIN campaigns ON campaigns.id = found.id
     GROUP BY campaigns.id ORDER BY campaigns.name`,
  );
  return (service, now) => {
    const found = selectHeld({ service, now });
    const sum = found.reduce((all, { weight }) => all + weight, 0);
    return found.map((each) => ({ ...each, share: each.weight / sum }));
  };
}
