import type { Database } from 'better-sqlite3';
import type { PhoneFacts, SuppressionStore } from '../../port.ts';
import { whyOf, type SuppressionTable } from '../tables/suppression.ts';

/** What is known of numbers before their rows come in: suppression, the campaign's own leads, other campaigns. */
export function phoneFactStatements(db: Database, suppression: SuppressionTable) {
  const selectHolder = db.prepare<[string, string], { line: number; list: string; sha256: string }>(
    `SELECT leads.line, lists.path AS list, lists.sha256 FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.campaign_id = ? AND leads.phone = ?`,
  );
  const selectOthers = db.prepare<[string], Other>(
    `SELECT id, name FROM campaigns
     WHERE kind = 'list' AND state IN ('draft', 'running', 'paused') AND id <> ? ORDER BY created_at`,
  );

  return function lookUp({
    campaignId,
    phones,
    now,
  }: Parameters<SuppressionStore['lookUpPhones']>[0]): PhoneFacts[] {
    const entryOf = suppression.at(now);
    const others = selectOthers.all(campaignId ?? '');
    return phones.map((phone) => {
      const entry = entryOf(phone);
      const known = campaignId === null ? undefined : selectHolder.get(campaignId, phone);
      return {
        suppressed: entry === undefined ? null : whyOf(entry),
        known: known ?? null,
        elsewhere: findElsewhere(others, phone),
      };
    });
  };

  function findElsewhere(others: Other[], phone: string): PhoneFacts['elsewhere'] {
    for (const { id, name } of others) {
      const found = selectHolder.get(id, phone);
      if (found !== undefined) return { campaign: name, line: found.line, list: found.list };
    }
    return null;
  }
}

interface Other {
  id: string;
  name: string;
}
