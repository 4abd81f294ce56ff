import type { LeadState } from '../../../domain/lead.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { CallableAgain } from '../../../domain/calling/retry.ts';
import type { CalledSince, RetriedLead, RetryQuery } from '../../port.ts';
import { atMost, type Methods, type Sql } from '../sql.ts';
import {
  attemptId,
  ATTEMPTS_BY_PHONE,
  MAY_HAVE_RUNG,
  MAY_TURN_OUT,
  seqOf,
} from './attempt-rows.ts';
import { NOT_HELD, WAITING_AGAIN, WITHDRAWN } from './people/corrections.ts';
import type { Tables } from './tables.ts';

/** The numbers of the lead `@row`. */
const NUMBERS_OF_LEAD = `SELECT phone FROM leads WHERE row = @row
  UNION ALL SELECT phone FROM lead_numbers WHERE lead_row = @row`;

/** The lead was cancelled because it left a list, and nothing else that a list says keeps it out. */
const HAS_LEFT = `result = 'cancelled' AND reason = 'left_list' AND coalesce(stopped_by, 'left_list') = 'left_list'`;

/** At most this many of the people who were called since are named. */
const NAMED = 5;

/** Takes people out of a campaign, undoes that, and lets people be called again whom nobody has reached. */
export function withdrawalStatements(
  sql: Sql,
  { attempts, campaigns, leads, suppression }: Tables,
) {
  const selectLeft = sql.values<[campaignId: string, after: string, limit: number], E164>(
    `SELECT phone FROM leads INDEXED BY leads_that_left
       WHERE campaign_id = ? AND phone > ? AND ${HAS_LEFT}
       ORDER BY phone LIMIT ? + 0`,
  );
  const updateReturned = sql.run<[campaignId: string, phone: E164]>(
    `UPDATE leads SET ${WAITING_AGAIN}, reason = NULL, stopped = NULL, stopped_by = NULL
     WHERE campaign_id = ? AND phone = ? AND ${HAS_LEFT}
       AND NOT EXISTS (SELECT 1 FROM attempts WHERE lead_row = leads.row AND ${MAY_HAVE_RUNG})`,
  );
  /** Waiting leads of the campaign that a call since may be about; `selectCallSince` says whether it is. */
  const selectMaybeCalled = sql.rows<[{ campaignId: string; seq: number }], CalledLead>(
    `SELECT leads.row, leads.phone FROM leads WHERE leads.state = 'waiting' AND leads.row IN
       (SELECT theirs.row FROM attempts JOIN leads AS called ON called.row = attempts.lead_row
          CROSS JOIN leads AS theirs ON theirs.campaign_id = @campaignId AND theirs.phone IN (attempts.phone, called.phone)
        WHERE attempts.seq > @seq
        UNION SELECT numbers.lead_row FROM attempts CROSS JOIN lead_numbers AS numbers INDEXED BY lead_numbers_by_phone
          ON numbers.phone = attempts.phone WHERE attempts.seq > @seq)
       AND leads.campaign_id = @campaignId ORDER BY leads.position`,
  );
  const updateUndone = sql.run(
    `UPDATE campaigns SET state = 'paused', pause_reason = 'operator', pause_detail = ?, cancelled_after = NULL,
       version = version + 1
     WHERE id = ? AND state = 'cancelled'`,
  );
  const selectWithdrawn = sql.row<[campaignId: string, phone: E164], WithdrawnLead>(
    `SELECT row, state, cancelled_after AS after, found_seq AS found, stopped_by AS stoppedBy,
       coalesce(stopped, CASE WHEN result = 'cancelled' AND reason = 'left_list' THEN reason END) AS why,
       state = 'done' AND reason IS NOT DISTINCT FROM '${WITHDRAWN}' AS isOut,
       result IS NOT DISTINCT FROM 'cancelled' AND reason IS NOT DISTINCT FROM 'left_list' OR stopped IS NOT NULL AND reason IS NOT DISTINCT FROM stopped AS isOutByList,
       state = 'done' AND result <> 'cancelled' AND result <> 'suppressed' AND ${MAY_TURN_OUT} AS isDoubted
     FROM leads WHERE campaign_id = ? AND phone = ?`,
    { flags: ['isOut', 'isOutByList', 'isDoubted'] },
  );
  /** The newest call since to one of the lead's numbers, or to its person; rehearsals and real calls are apart. */
  const selectCallSince = sql.row<[CalledLead & { seq: number }], CalledSince>(
    `SELECT attempts.phone, campaigns.name AS campaign, attempts.intent_at AS at FROM attempts
     JOIN campaigns ON campaigns.id = attempts.campaign_id
     WHERE attempts.seq IN (SELECT attempts.seq FROM ${ATTEMPTS_BY_PHONE} AND attempts.phone IN (${NUMBERS_OF_LEAD})
         UNION SELECT attempts.seq FROM leads JOIN attempts ON attempts.lead_row = leads.row
           WHERE leads.campaign_id IN (SELECT id FROM campaigns) AND leads.phone = @phone)
       AND campaigns.simulated = (SELECT simulated FROM campaigns AS own JOIN leads ON leads.campaign_id = own.id WHERE row = @row)
       AND attempts.seq > @seq AND ${MAY_HAVE_RUNG} ORDER BY attempts.seq DESC LIMIT 1`,
  );
  // The mark of the operator, also for those who are done: what turns out about a call must not let them wait again.
  const updateWithdrawn = sql.run<[leadRow: number]>(
    `UPDATE leads SET cancelled_after = coalesce(cancelled_after, (SELECT coalesce(max(seq), 0) FROM attempts)) WHERE row = ?`,
  );
  // Those who wait, or whom a list has taken out: what it said of them is kept beside the withdrawal.
  const updateOut = sql.run<[leadRow: number]>(
    `UPDATE leads SET state = 'done', result = 'cancelled', result_source = 'callsheet', reason = '${WITHDRAWN}',
       stopped = coalesce(stopped, CASE WHEN reason = 'left_list' THEN reason END),
       stopped_by = coalesce(stopped_by, CASE WHEN reason = 'left_list' THEN reason END)
     WHERE row = ? AND (state = 'waiting' OR result = 'cancelled' AND (reason = 'left_list' OR reason = stopped))`,
  );
  const updateBack = sql.run<[leadRow: number]>(
    `UPDATE leads SET ${WAITING_AGAIN}, reason = NULL, found_seq = NULL WHERE row = ?`,
  );
  const updateNotWithdrawn = sql.run<[leadRow: number]>(
    'UPDATE leads SET cancelled_after = NULL WHERE row = ?',
  );
  const selectDone = sql.row<[campaignId: string, phone: E164], DoneLead>(
    `SELECT row, phone, coalesce(dial_phone, phone) AS dial, result, cancelled_after IS NOT NULL AS isWithdrawn,
       stopped IS NOT NULL AS isStopped, (SELECT max(seq) FROM attempts WHERE lead_row = leads.row) AS lastSeq,
       EXISTS (SELECT 1 FROM attempts WHERE lead_row = leads.row AND (attempts.state = 'no_result'
         OR attempts.state = 'unconfirmed' AND attempts.resolution IS DISTINCT FROM 'not_placed')) AS isDoubted,
       EXISTS (SELECT 1 FROM attempts WHERE lead_row = leads.row AND attempts.result = 'invalid_number'
         AND seq = (SELECT max(seq) FROM attempts WHERE lead_row = leads.row))
         AND NOT EXISTS (SELECT 1 FROM lead_numbers AS further WHERE further.lead_row = leads.row
           AND further.ordinal > coalesce((SELECT ordinal FROM lead_numbers AS current
             WHERE current.lead_row = leads.row AND current.phone = leads.dial_phone), 0)) AS hasNoNumber
     FROM leads WHERE campaign_id = ? AND phone = ? AND state = 'done'`,
    { flags: ['isWithdrawn', 'isStopped', 'isDoubted', 'hasNoNumber'] },
  );
  const selectNewest = sql.value<[], number | null>('SELECT max(seq) FROM attempts');
  const updateRetried = sql.run<[notBefore: number, after: number, row: number]>(
    `UPDATE leads SET ${WAITING_AGAIN}, reason = NULL, ${NOT_HELD}, callback_at = NULL, not_before = ?, retried_after = ?
     WHERE row = ? AND state = 'done'`,
  );

  function doneLeads(campaignId: string, phones: readonly E164[], query: RetryQuery) {
    const { results, upTo, now } = query;
    const entryOf = suppression.at(now);
    const notOf = (lead: DoneLead): RetriedLead['not'] => {
      if ((entryOf(lead.phone) ?? entryOf(lead.dial)) !== undefined) return 'suppressed';
      if (lead.isStopped) return 'stopped';
      if (lead.isDoubted) return 'in_doubt';
      if (lead.hasNoNumber) return 'no_number';
      if (lead.isWithdrawn) return 'withdrawn';
      return upTo !== null && (lead.lastSeq ?? 0) > seqOf(upTo) ? 'called_since' : null;
    };
    return phones.flatMap((phone) => {
      const lead = selectDone(campaignId, phone);
      if (lead === undefined || !results.includes(lead.result)) return [];
      return { ...lead, not: notOf(lead) };
    });
  }

  const shown = ({ phone, result, not }: RetriedLead): RetriedLead => ({ phone, result, not });

  return {
    reads: {
      leftPhones: (campaignId, after, limit) => selectLeft(campaignId, after ?? '', limit),
      mayRetry: (campaignId, phones, query) => {
        const newest = selectNewest() ?? null;
        const leads = doneLeads(campaignId, atMost(phones, 'mayRetry'), query).map(shown);
        return { leads, newest: newest === null ? null : attemptId(newest) };
      },
    } satisfies Partial<Methods>,

    writes: {
      /** Lets leads wait again that left a list, were not called and are not suppressed. */
      waitAgain: (campaignId, phones, now) => {
        const entryOf = suppression.at(now);
        return atMost(phones, 'waitAgain').filter(
          (phone) => entryOf(phone) === undefined && updateReturned(campaignId, phone) === 1,
        ).length;
      },

      cancelLead: (campaignId, phone, entry) => {
        const lead = selectWithdrawn(campaignId, phone);
        if (lead === undefined) return 'not_found';
        const { row, state, after, isDoubted } = lead;
        updateWithdrawn(row);
        const isOut = updateOut(row) === 1;
        if (state === 'done' && !isOut && !isDoubted) return 'done';
        if (isOut || after === null) campaigns.addHistory(campaignId, entry);
        if (isOut) return 'cancelled';
        return state === 'calling' ? 'calling' : 'done_in_doubt';
      },

      undoCancelLead: (campaignId, phone, entry) => {
        const lead = selectWithdrawn(campaignId, phone);
        if (lead === undefined) return { kind: 'not_found' };
        const { row, state, after, found, isOut, why, stoppedBy } = lead;
        const mayReturn = state !== 'done' || lead.isDoubted || lead.isOutByList;
        if (!isOut && (after === null || !mayReturn)) return { kind: 'not_cancelled' };
        const since = selectCallSince({ row, phone, seq: after ?? 0 });
        if (since !== undefined) return { kind: 'called', since };
        if (suppression.find(phone, entry.at) !== undefined) return { kind: 'suppressed' };
        updateNotWithdrawn(row);
        if (isOut) {
          updateBack(row);
          // What has turned out about their calls since, and what a list says of them.
          attempts.stand(row, found, { at: entry.at, detail: null });
          if (why !== null) leads.stop(campaignId, stoppedBy ?? '', { phone, why });
        }
        campaigns.addHistory(campaignId, entry);
        return { kind: 'undone', why, state: leads.find(campaignId, phone)?.state ?? state };
      },

      retryLeads: (campaignId, phones, query) => {
        const found = doneLeads(campaignId, atMost(phones, 'retryLeads'), query);
        for (const { row, lastSeq, not } of found)
          if (not === null) updateRetried(query.now, lastSeq ?? 0, row);
        return found.map(shown);
      },

      undoCancel: (campaignId, entry) => {
        const campaign = campaigns.get(campaignId);
        if (campaign.state !== 'cancelled') return { kind: 'not_cancelled' };
        const seq = campaign.cancelledAfter ?? 0;
        const since = selectMaybeCalled({ campaignId, seq }).flatMap(
          (lead) => selectCallSince({ ...lead, seq }) ?? [],
        );
        if (since.length > 0)
          return { kind: 'called', people: since.length, since: since.slice(0, NAMED) };
        updateUndone(`cancel undone by ${entry.who}`, campaignId);
        campaigns.addHistory(campaignId, entry);
        return { kind: 'undone' };
      },
    } satisfies Partial<Methods>,
  };
}

interface CalledLead {
  row: number;
  phone: E164;
}

interface DoneLead {
  row: number;
  phone: E164;
  /** The number that would be dialled. */
  dial: E164;
  result: CallableAgain;
  isWithdrawn: boolean;
  isStopped: boolean;
  /** Of one of its calls it is not known whether somebody was reached. */
  isDoubted: boolean;
  /** The last one does not exist, and no further one is left. */
  hasNoNumber: boolean;
  lastSeq: number | null;
}

interface WithdrawnLead {
  row: number;
  state: LeadState;
  /** The newest attempt of all campaigns when the operator withdrew the lead; null: they did not. */
  after: number | null;
  /** The last call that was found since; null: none was. */
  found: number | null;
  /** Why a list does not let it be called; null: it does. */
  why: string | null;
  stoppedBy: string | null;
  /** The withdrawal has ended it, at once or in the claim that came after a call. */
  isOut: boolean;
  isOutByList: boolean;
  /** It is done, and something may turn out about a call. */
  isDoubted: boolean;
}
