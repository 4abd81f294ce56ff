import type { E164 } from '../../../../domain/phone.ts';
import type { Sql } from '../../sql.ts';
import {
  IN_FORCE,
  type SuppressionEntry,
  type SuppressionTable,
} from '../../tables/suppression.ts';
import type { LeadPerson } from './persons.ts';

/**
 * Finds what a person has said at another of their numbers. A file, such as a registry's, is about numbers; all other
 * entries are about people. Rehearsals and real campaigns are apart.
 */
export function wishStatements(sql: Sql, suppression: SuppressionTable) {
  // A phone that people share tells nothing about the other phones of one of them.
  const selectShared = sql.value<[SharedBy], number>(
    `SELECT 1 FROM lead_numbers AS numbers INDEXED BY lead_numbers_by_phone
       CROSS JOIN leads ON leads.row = numbers.lead_row CROSS JOIN campaigns ON campaigns.id = leads.campaign_id
     WHERE numbers.phone = @phone AND simulated = @simulated AND leads.phone NOT IN (SELECT value FROM json_each(@own))
     UNION ALL SELECT 1 FROM campaigns CROSS JOIN leads ON leads.campaign_id = campaigns.id AND leads.phone = @phone
     WHERE simulated = @simulated LIMIT 1`,
  );
  const selectWish = sql.row<[{ phone: E164; now: number }], SuppressionEntry>(
    `SELECT source, at, note, expires_at AS expiresAt FROM suppression AS entry
     WHERE phone = @phone AND ${IN_FORCE} AND source <> 'file' ORDER BY seq LIMIT 1`,
  );

  return (campaign: { simulated: boolean }, now: number) => {
    const entryOf = suppression.at(now);
    const simulated = campaign.simulated ? 1 : 0;
    return ({ own, phones }: LeadPerson, phone: E164): SuppressionEntry | undefined => {
      for (const other of phones) {
        const first = other === phone ? undefined : entryOf(other);
        const entry = first?.source === 'file' ? selectWish({ phone: other, now }) : first;
        if (entry === undefined) continue;
        const isTheirs =
          own.has(other) ||
          selectShared({ phone: other, own: JSON.stringify([...own]), simulated }) === undefined;
        if (isTheirs) return entry;
      }
      return undefined;
    };
  };
}

interface SharedBy {
  phone: E164;
  /** JSON: the first numbers of the person's own leads. */
  own: string;
  simulated: 0 | 1;
}
