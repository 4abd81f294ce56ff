import type { Database } from 'better-sqlite3';
import type { E164 } from '../../../domain/phone.ts';
import type { CalledSince, HistoryEntry, Undone, UndoneLead } from '../../port.ts';
import { MAY_HAVE_RUNG } from './attempt-conditions.ts';
import type { CampaignTable } from './campaigns.ts';
import { WAITING_AGAIN, type LeadTable } from './leads.ts';
import type { SuppressionTable } from './suppression.ts';

/** At most so many of the people who were called since are named. */
const NAMED = 5;

/** Who is taken out of a campaign, and how that is undone. */
export function withdrawalStatements(
  db: Database,
  tables: { campaigns: CampaignTable; leads: LeadTable; suppression: SuppressionTable },
) {
  const { campaigns, leads, suppression } = tables;
  const selectLeft = db
    .prepare<[string, string, number], E164>(
      `SELECT phone FROM leads INDEXED BY leads_that_left
       WHERE campaign_id = ? AND phone > ? AND result = 'cancelled' AND reason = 'left_list'
       ORDER BY phone LIMIT ? + 0`,
    )
    .pluck();
  const updateReturned = db.prepare(
    `UPDATE leads SET ${WAITING_AGAIN}, reason = NULL
     WHERE campaign_id = ? AND phone = ? AND state = 'done' AND result = 'cancelled' AND reason = 'left_list'
       AND NOT EXISTS (SELECT 1 FROM attempts WHERE lead_row = leads.row AND ${MAY_HAVE_RUNG})`,
  );
  const selectCalledSince = db.prepare<[string, number], CalledSince>(
    `SELECT DISTINCT attempts.phone, campaigns.name AS campaign, attempts.intent_at AS at FROM attempts
     CROSS JOIN leads ON leads.campaign_id = ? AND leads.phone = attempts.phone AND leads.state = 'waiting'
     JOIN campaigns ON campaigns.id = attempts.campaign_id
     WHERE attempts.seq > ? AND ${MAY_HAVE_RUNG} ORDER BY attempts.seq`,
  );
  const updateUndone = db.prepare(
    `UPDATE campaigns SET state = 'paused', pause_reason = 'operator', pause_detail = ?, cancelled_after = NULL
     WHERE id = ? AND state = 'cancelled'`,
  );
  const selectWithdrawn = db.prepare<[string, string], WithdrawnLead>(
    'SELECT row, state, result, reason, cancelled_after FROM leads WHERE campaign_id = ? AND phone = ?',
  );
  const selectCallSince = db.prepare<[E164, number], CalledSince>(
    `SELECT attempts.phone, campaigns.name AS campaign, attempts.intent_at AS at FROM attempts
     JOIN campaigns ON campaigns.id = attempts.campaign_id
     WHERE attempts.phone = ? AND attempts.seq > ? AND ${MAY_HAVE_RUNG} ORDER BY attempts.seq LIMIT 1`,
  );
  const updateWithdrawn = db.prepare(
    `UPDATE leads SET cancelled_after = (SELECT coalesce(max(seq), 0) FROM attempts) WHERE row = ?`,
  );
  const updateBack = db.prepare(
    `UPDATE leads SET ${WAITING_AGAIN}, reason = NULL, cancelled_after = NULL WHERE row = ?`,
  );

  return {
    leftPhones: (campaignId: string, after: E164 | null, limit: number): E164[] =>
      selectLeft.all(campaignId, after ?? '', limit),

    /** Those of them who left a list, were not called and may be: they wait again. */
    waitAgain: (campaignId: string, phones: readonly E164[], now: number): number => {
      const entryOf = suppression.at(now);
      return phones.filter(
        (phone) =>
          entryOf(phone) === undefined && updateReturned.run(campaignId, phone).changes === 1,
      ).length;
    },

    writes: {
      cancelLead: (campaignId: string, phone: E164, entry: HistoryEntry) => {
        const lead = leads.find(campaignId, phone);
        if (lead === undefined) return 'not_found';
        if (lead.state !== 'waiting') return lead.state;
        leads.markDone(lead.row, 'cancelled', 'callsheet', WITHDRAWN);
        updateWithdrawn.run(lead.row);
        campaigns.addHistory(campaignId, entry);
        return 'cancelled';
      },

      undoCancelLead: (campaignId: string, phone: E164, entry: HistoryEntry): UndoneLead => {
        const lead = selectWithdrawn.get(campaignId, phone);
        if (lead === undefined) return { kind: 'not_found' };
        if (lead.result !== 'cancelled' || lead.reason !== WITHDRAWN)
          return { kind: 'not_cancelled' };
        const since = selectCallSince.get(phone, lead.cancelled_after ?? 0);
        if (since !== undefined) return { kind: 'called', since };
        if (suppression.find(phone, entry.at) !== undefined) return { kind: 'suppressed' };
        updateBack.run(lead.row);
        campaigns.addHistory(campaignId, entry);
        return { kind: 'undone' };
      },

      undoCancel: (campaignId: string, entry: HistoryEntry): Undone => {
        const campaign = campaigns.get(campaignId);
        if (campaign.state !== 'cancelled') return { kind: 'not_cancelled' };
        const since = selectCalledSince.all(campaignId, campaign.cancelled_after ?? 0);
        const people = new Map(since.map((one) => [one.phone, one]));
        if (people.size > 0) {
          return {
            kind: 'called',
            people: people.size,
            since: [...people.values()].slice(0, NAMED),
          };
        }
        updateUndone.run(`cancel undone by ${entry.who}`, campaignId);
        campaigns.addHistory(campaignId, entry);
        return { kind: 'undone' };
      },
    },
  };
}

const WITHDRAWN = 'withdrawn by the operator';

interface WithdrawnLead {
  row: number;
  state: string;
  result: string | null;
  reason: string | null;
  cancelled_after: number | null;
}
