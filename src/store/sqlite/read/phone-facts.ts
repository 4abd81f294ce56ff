import type { PhoneFacts } from '../../port.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { whyOf } from '../tables/suppression.ts';
import type { Tables } from '../tables/tables.ts';

/** Looks up numbers before their rows are imported: suppression, leads of the campaign and of other campaigns. */
export function phoneFactStatements(sql: Sql, { leads, suppression }: Tables) {
  const selectOthers = sql.tuples<[campaignId: string], [id: string, name: string]>(
    `SELECT id, name FROM campaigns
     WHERE kind = 'list' AND state IN ('draft', 'running', 'paused') AND id <> ? ORDER BY created_at`,
  );

  function findElsewhere(others: [string, string][], phone: E164): PhoneFacts['elsewhere'] {
    for (const [id, campaign] of others) {
      const found = leads.holderOf(id, phone);
      if (found !== undefined) return { campaign, line: found.line, list: found.list };
    }
    return null;
  }

  return {
    lookUpPhones: ({ campaignId, phones, now }) => {
      const entryOf = suppression.at(now);
      const others = selectOthers(campaignId ?? '');
      return phones.map((phone) => {
        const entry = entryOf(phone);
        return {
          suppressed: entry === undefined ? null : whyOf(entry),
          known: (campaignId === null ? undefined : leads.holderOf(campaignId, phone)) ?? null,
          elsewhere: findElsewhere(others, phone),
        };
      });
    },
  } satisfies Partial<Methods>;
}
