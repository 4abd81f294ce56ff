import type { PhoneFacts } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { whyOf, type SuppressionTable } from '../tables/suppression.ts';

/** What is known of numbers before their rows come in: suppression, the campaign's own leads, other campaigns. */
export function phoneFactStatements(sql: Sql, suppression: SuppressionTable) {
  const selectHolder = sql.row<
    [campaignId: string, phone: string],
    { line: number; list: string; sha256: string }
  >(
    `SELECT leads.line, lists.path AS list, lists.sha256 FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.campaign_id = ? AND leads.phone = ?`,
  );
  const selectOthers = sql.rows<[campaignId: string], Other>(
    `SELECT id, name FROM campaigns
     WHERE kind = 'list' AND state IN ('draft', 'running', 'paused') AND id <> ? ORDER BY created_at`,
  );

  const lookUpPhones: Methods['lookUpPhones'] = ({ campaignId, phones, now }) => {
    const entryOf = suppression.at(now);
    const others = selectOthers(campaignId ?? '');
    return phones.map((phone) => {
      const entry = entryOf(phone);
      const known = campaignId === null ? undefined : selectHolder(campaignId, phone);
      return {
        suppressed: entry === undefined ? null : whyOf(entry),
        known: known ?? null,
        elsewhere: findElsewhere(others, phone),
      };
    });
  };
  return { lookUpPhones };

  function findElsewhere(others: Other[], phone: string): PhoneFacts['elsewhere'] {
    for (const { id, name } of others) {
      const found = selectHolder(id, phone);
      if (found !== undefined) return { campaign: name, line: found.line, list: found.list };
    }
    return null;
  }
}

interface Other {
  id: string;
  name: string;
}
