import type { Database } from 'better-sqlite3';
import type { PhoneFacts, SuppressionStore } from '../../port.ts';
import { whyOf, type SuppressionTable } from '../tables/suppression.ts';

/** What is known of numbers before their rows come in: suppression, the campaign's own leads, other campaigns. */
export function phoneFactStatements(db: Database, suppression: SuppressionTable) {
  const selectHolder = db.prepare<[string, string], { line: number; list: string; sha256: string }>(
    `SELECT leads.line, lists.path AS list, lists.sha256 FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.campaign_id = ? AND leads.phone = ?`,
  );
  const selectOthers = db.prepare<[string], { id: string; name: string }>(
    `SELECT id, name FROM campaigns
     WHERE kind = 'list' AND state IN ('draft', 'running', 'paused') AND id <> ? ORDER BY created_at`,
  );

  return function lookUp({
    campaignId,
    phones,
    now,
  }: Parameters<SuppressionStore['lookUpPhones']>[0]): PhoneFacts[] {
    const isHeld = !suppression.isEmpty();
    const others = selectOthers.all(campaignId ?? '');
    return phones.map((phone) => {
      const held = isHeld ? suppression.find(phone, now) : undefined;
      const known = campaignId === null ? undefined : selectHolder.get(campaignId, phone);
      let elsewhere: PhoneFacts['elsewhere'] = null;
      for (const { id, name } of others) {
        const found = selectHolder.get(id, phone);
        if (found === undefined) continue;
        elsewhere = { campaign: name, line: found.line, list: found.list };
        break;
      }
      return {
        suppressed: held === undefined ? null : whyOf(held),
        known: known ?? null,
        elsewhere,
      };
    });
  };
}
