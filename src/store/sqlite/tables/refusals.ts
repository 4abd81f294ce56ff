import type { Database } from 'better-sqlite3';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import { afterRefusal, MOST_REFUSALS, restAfter, type Refusals } from '../../../domain/refusals.ts';
import { slotCounter } from './attempt-conditions.ts';
import type { AttemptRow } from './attempt-rows.ts';
import type { CampaignTable } from './campaigns.ts';
import type { LeadTable } from './leads.ts';

/** A service's refusal of a dial, or of a call that it had taken. */
interface Refusal {
  at: number;
  detail: string;
  /** Its words without what differs from one answer to the next. */
  refusal?: string;
  /** The lead is not called sooner, epoch ms. */
  notBefore: number;
}

/** The table `refusals`: leads that the service refuses again and again (domain/refusals.ts decides). */
export function refusalTable(
  db: Database,
  { campaigns, leads }: { campaigns: CampaignTable; leads: LeadTable },
) {
  const select = db.prepare<[number, number, string, string], RefusalRow>(
    'SELECT * FROM refusals WHERE lead_row = ? AND ordinal = ? AND service = ? AND reason = ?',
  );
  const put = db.prepare<[RefusalRow]>(
    `INSERT OR REPLACE INTO refusals (lead_row, service, reason, ordinal, times, own, since, seq, held)
     VALUES (@lead_row, @service, @reason, @ordinal, @times, @own, @since, @seq, @held)`,
  );
  const slotsAtService = slotCounter(db, 'service');
  const countOthers = db
    .prepare<[string, string, number, number], number>(
      `SELECT count(*) FROM refusals INDEXED BY refusals_by_reason
       WHERE service = ? AND reason = ? AND seq > ? AND lead_row <> ?`,
    )
    .pluck();
  const isAny = db.prepare<[], number>('SELECT 1 FROM refusals LIMIT 1').pluck();
  const remove = db.prepare('DELETE FROM refusals WHERE lead_row = ?');
  // `held < ?`: this call is among those in progress, so before it there was one less.
  const explain = db.prepare<[string, number]>(
    `UPDATE refusals SET other_taken = 1 WHERE service = ? AND other_taken = 0 AND held < ?`,
  );

  return {
    /** The service refused this attempt; it holds no slot any more and its lead waits. The lead rests, or ends. */
    add: (attempt: AttemptRow, { at, detail, refusal: reason = '', notBefore }: Refusal): void => {
      const { seq, lead_row, ordinal, service, campaign_id } = attempt;
      const last = select.get(lead_row, ordinal, service, reason);
      const held = slotsAtService(service, at);
      const othersRefused = countOthers.get(service, reason, last?.seq ?? seq, lead_row) ?? 0;
      const facts = { held, wasOtherTaken: last?.other_taken === 1, othersRefused };
      const counted = afterRefusal(last ?? null, facts, at);
      const { times, own, since } = counted ?? last ?? { times: 0, own: 0, since: at };
      put.run({ lead_row, ordinal, service, reason, times, own, since, seq, held, other_taken: 0 });
      if (counted === null) return;
      const settings = JSON.parse(campaigns.get(campaign_id).settings) as CampaignSettings;
      const restMs = restAfter(counted, settings.refusals ?? MOST_REFUSALS, at);
      if (restMs !== null) {
        leads.rest(lead_row, Math.max(notBefore, at + restMs));
        return;
      }
      remove.run(lead_row);
      leads.giveUp(lead_row, `refused ${times} times in a row: ${detail}`);
    },
    /** The service took this dial: what it refused with no more calls in progress was not for lack of room. */
    taken: ({ service }: AttemptRow, at: number): void => {
      if (isAny.get() === undefined) return;
      explain.run(service, slotsAtService(service, at));
    },
  };
}

export type RefusalTable = ReturnType<typeof refusalTable>;

interface RefusalRow extends Refusals {
  lead_row: number;
  ordinal: number;
  service: string;
  reason: string;
  seq: number;
  held: number;
  other_taken: 0 | 1;
}
