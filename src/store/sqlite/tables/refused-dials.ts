import {
  afterRefusal,
  MOST_REFUSALS,
  restAfter,
  type Refusals,
} from '../../../domain/refused-dials.ts';
import type { Sql } from '../sql.ts';
import { slotCounter } from './attempt-conditions.ts';
import type { AttemptRow } from './attempt-rows.ts';
import type { CampaignTable } from './campaigns.ts';
import type { LeadTable } from './leads.ts';

/** A service's refusal of a dial, or of a call that it had accepted. */
interface Refusal {
  at: number;
  detail: string;
  /** The service's words without parts that differ from one answer to the next. */
  refusal?: string;
  /** The lead is not called sooner, epoch ms. */
  notBefore: number;
}

/** The table `refusals`: leads that the service refuses again and again (domain/refused-dials.ts decides). */
export function refusalTable(
  sql: Sql,
  { campaigns, leads }: { campaigns: CampaignTable; leads: LeadTable },
) {
  const select = sql.row<[leadRow: number, ordinal: number, service: string], RefusalRow>(
    'SELECT * FROM refusals WHERE lead_row = ? AND ordinal = ? AND service = ?',
  );
  const put = sql.run<[RefusalRow]>(
    `INSERT OR REPLACE INTO refusals (lead_row, service, reason, ordinal, times, own, since, seq, held)
     VALUES (@lead_row, @service, @reason, @ordinal, @times, @own, @since, @seq, @held)`,
  );
  const slotsAtService = slotCounter(sql, 'service');
  const countOthers = (which: string) =>
    sql.value<[Pick<RefusalRow, 'service' | 'reason' | 'seq' | 'lead_row'>], number>(
      `SELECT count(*) FROM refusals INDEXED BY refusals_by_reason
         WHERE service = @service AND ${which} AND seq > @seq AND lead_row <> @lead_row`,
    );
  const countOfReason = countOthers(`reason IN (@reason, '${ANY}')`);
  const countOfAny = countOthers('@reason IS NOT NULL');
  const isAny = sql.value<[], number>('SELECT 1 FROM refusals LIMIT 1');
  const remove = sql.run<[leadRow: number]>('DELETE FROM refusals WHERE lead_row = ?');
  // `held < ?`: the count of calls in progress includes this call, so before it there was one less.
  const explain = sql.run<[service: string, held: number]>(
    `UPDATE refusals SET other_taken = 1 WHERE service = ? AND other_taken = 0 AND held < ?`,
  );

  return {
    /** Call after the service has refused this attempt and its lead waits: the lead waits longer, or ends. */
    add: (attempt: AttemptRow, { at, detail, refusal = ANY, notBefore }: Refusal): void => {
      const { seq, lead_row, ordinal, service, campaign_id } = attempt;
      const last = select(lead_row, ordinal, service);
      const held = slotsAtService(service, at);
      const reason = last === undefined || last.reason === refusal ? refusal : ANY;
      const others = reason === ANY ? countOfAny : countOfReason;
      const othersRefused = others({ service, reason, seq: last?.seq ?? seq, lead_row }) ?? 0;
      const facts = { held, wasOtherTaken: last?.other_taken === 1, othersRefused };
      const counted = afterRefusal(last ?? null, facts, at);
      const { times, own, since } = counted ?? last ?? { times: 0, own: 0, since: at };
      put({ lead_row, ordinal, service, reason, times, own, since, seq, held, other_taken: 0 });
      if (counted === null) return;
      const { settings } = campaigns.get(campaign_id);
      const restMs = restAfter(counted, settings.refusals ?? MOST_REFUSALS, at);
      if (restMs !== null) {
        leads.rest(Math.max(notBefore, at + restMs), lead_row);
        return;
      }
      remove(lead_row);
      leads.giveUp(`refused ${times} times in a row: ${detail}`, lead_row);
    },
    /** The service accepted this dial, so refusals while fewer or as many calls were in progress had another reason. */
    taken: ({ service }: AttemptRow, at: number): void => {
      if (isAny() === undefined) return;
      explain(service, slotsAtService(service, at));
    },
  };
}

/** The reason of a lead that was refused for different ones: any other lead's may be the same. */
const ANY = '';

interface RefusalRow extends Refusals {
  lead_row: number;
  ordinal: number;
  service: string;
  reason: string;
  seq: number;
  held: number;
  other_taken: 0 | 1;
}
