import { heldBy, type Hold } from '../../../domain/calling/policy.ts';
import type { E164 } from '../../../domain/phone.ts';
import {
  afterRefusal,
  MOST_REFUSALS,
  restAfter,
  type Refusals,
} from '../../../domain/refused-dials.ts';
import type { HeldBack } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import { slotCounter, type AttemptRow } from './attempt-rows.ts';
import { attemptTable } from './attempts.ts';
import { campaignTable, type CampaignTable } from './campaigns.ts';
import { leadNumberTable } from './lead-numbers.ts';
import { leadTable, type LeadTable } from './leads.ts';
import { nightTable } from './nights/nights.ts';
import { suppressionTable } from './suppression.ts';

/** The tables that several parts of the store use. */
export function tablesOf(sql: Sql) {
  const campaigns = campaignTable(sql);
  const suppression = suppressionTable(sql);
  const leads = leadTable(sql, suppression);
  const nights = nightTable(sql);
  const numbers = leadNumberTable(sql, suppression);
  return {
    campaigns,
    suppression,
    leads,
    holds: holdTable(sql),
    nights,
    numbers,
    attempts: attemptTable(sql, { campaigns, leads, nights, numbers }),
    refusals: refusalTable(sql, { campaigns, leads }),
    services: serviceTables(sql),
  };
}

export type Tables = ReturnType<typeof tablesOf>;

/** A service's refusal of a dial, or of a call that it had accepted. */
interface Refusal {
  at: number;
  detail: string;
  /** The service's words without parts that differ from one answer to the next. */
  refusal?: string;
  /** The lead is not called sooner, epoch ms. */
  notBefore: number;
}

/** The table `refusals`: leads that the service refuses repeatedly (domain/refused-dials.ts decides). */
function refusalTable(
  sql: Sql,
  { campaigns, leads }: { campaigns: CampaignTable; leads: LeadTable },
) {
  const select = sql.row<[leadRow: number, ordinal: number, service: string], RefusalRow>(
    'SELECT * FROM refusals WHERE lead_row = ? AND ordinal = ? AND service = ?',
  );
  const put = sql.run<[RefusalRow]>(
    `INSERT INTO refusals (lead_row, service, reason, ordinal, times, own, since, seq, held)
     VALUES (@lead_row, @service, @reason, @ordinal, @times, @own, @since, @seq, @held)
     ON CONFLICT (lead_row) DO UPDATE SET service = excluded.service, reason = excluded.reason,
       ordinal = excluded.ordinal, times = excluded.times, own = excluded.own, since = excluded.since,
       seq = excluded.seq, held = excluded.held, other_taken = 0`,
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
  const explain = sql.run<[service: string, held: number, leadRow: number]>(
    `UPDATE refusals SET other_taken = 1
       WHERE service = ? AND other_taken = 0 AND held < ? AND lead_row <> ?`,
  );

  return {
    /** After a refusal: the lead waits longer, or ends. */
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
    isAny,
    /** The service accepted a dial, so refusals of others with as many or fewer calls in progress had another reason. */
    taken: ({ service, lead_row }: AttemptRow, at: number): void => {
      if (isAny() === undefined) return;
      explain(service, slotsAtService(service, at), lead_row);
    },
  };
}

/** Stands for different reasons: it counts as the same as any other lead's. */
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

/** Longest backoff of one answer, ms. */
const LONGEST_MS = 3_600_000;

/**
 * The tables `proven_services` (fingerprints of services that have answered one dial as their profile expects) and
 * `service_holds` (services that asked for no dials until a time, by Retry-After).
 */
function serviceTables(sql: Sql) {
  const insertProven = sql.later<[fingerprint: string, at: number]>(
    'INSERT INTO proven_services VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const selectProven = sql.value<[fingerprint: string], 1>(
    'SELECT 1 FROM proven_services WHERE fingerprint = ?',
  );
  const selectBackoff = sql.row<[service: string], { until: number; forMs: number }>(
    'SELECT until, for_ms AS forMs FROM service_holds WHERE service = ?',
  );
  const putBackoff = sql.later<[service: string, until: number, forMs: number]>(
    `INSERT INTO service_holds VALUES (?, ?, ?)
     ON CONFLICT (service) DO UPDATE SET until = excluded.until, for_ms = excluded.for_ms`,
  );

  /** When `service` may be dialled again, epoch ms; null: now. */
  function backoffEnd(service: string, now: number): number | null {
    const backoff = selectBackoff(service);
    if (backoff === undefined || backoff.until <= now) return null;
    // Never longer than the service asked, also after the wall clock was set back.
    return Math.min(backoff.until, now + backoff.forMs);
  }

  /** As `backoffEnd`, for the claim. Call it only in a write transaction. */
  function backoffUntil(service: string, now: number): number | null {
    const end = backoffEnd(service, now);
    const backoff = end === null ? undefined : selectBackoff(service);
    // The wall clock was set back. The new end is stored, because each claim would otherwise move the end further.
    if (end !== null && backoff !== undefined && end < backoff.until)
      putBackoff(service, end, backoff.forMs);
    return end;
  }

  return {
    isProven: (fingerprint: string): boolean => selectProven(fingerprint) === 1,
    prove: insertProven,
    backoffEnd,
    backoffUntil,
    /** Of two backoffs the one that ends later counts. */
    backOff: (service: string, now: number, askedMs: number): void => {
      const forMs = Math.min(Math.round(askedMs), LONGEST_MS);
      if (now + forMs > (backoffUntil(service, now) ?? 0)) putBackoff(service, now + forMs, forMs);
    },
  };
}

/** The table `holds`: each time a rule, a cap or a gap held a person back. */
function holdTable(sql: Sql) {
  const insert = sql.later<[{ row: number; at: number } & Hold]>(
    `INSERT INTO holds (lead_row, at, until, decided_by, why)
     SELECT @row, @at, @until, @by, @why WHERE NOT EXISTS (SELECT 1 FROM holds
       WHERE lead_row = @row AND until IS NOT DISTINCT FROM @until AND decided_by = @by AND why = @why)`,
  );
  const countBlank = sql.value<[campaignId: string], number>(
    `SELECT count(*) FROM leads INDEXED BY leads_held WHERE campaign_id = ? AND held_under IS NOT NULL
       AND state = 'waiting' AND reason LIKE '${heldBy({ by: 'variables', why: '' })}%'`,
  );
  return {
    /** Records a hold of a lead, unless the same one is there already. */
    add: (row: number, at: number, { until, by, why }: Hold): void => {
      insert({ row, at, until, by, why });
    },
    /** The hold of a lead that ends at this moment, epoch ms. */
    until: sql.row<[row: number, until: number], Hold>(
      `SELECT until, decided_by AS by, why FROM holds WHERE lead_row = ? AND until = ?
       ORDER BY at DESC LIMIT 1`,
    ),
    reads: {
      holdsOf: sql.rows<[campaignId: string, phone: E164], HeldBack>(
        `SELECT at, until, decided_by AS by, why FROM holds WHERE lead_row =
           (SELECT row FROM leads WHERE campaign_id = ? AND phone = ?) ORDER BY at, seq`,
      ),
      blankPeople: (campaignId) => countBlank(campaignId) ?? 0,
    } satisfies Partial<Methods>,
  };
}
