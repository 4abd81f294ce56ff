import { calledBeforeReason } from '../../../domain/called-before.ts';
import type { E164 } from '../../../domain/phone.ts';
import { shortHash } from '../../../runtime/ids.ts';
import type { Claim, ClaimRequest, Intent } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { attemptId } from '../tables/attempt-rows.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import { reasonOf } from '../tables/suppression.ts';
import type { Tables } from '../tables/tables.ts';
import { earlierCallOf } from './earlier-calls.ts';
import { leadCellsStatement } from './lead-cells.ts';
import type { JournalEntry } from '../journal/journal-lines.ts';

/** One claim ends at most this many leads that must not be called, so that it never blocks other writers for long. */
const MOST_ENDED_AT_ONCE = 1_000;

/** A claim whose intents are committed, with the lines that the dial journal gets for them. */
export interface CommittedClaim extends Claim {
  journal: JournalEntry[];
}

/** What a claim knows once its campaign may be dialled. */
export interface OpenClaim {
  request: ClaimRequest;
  campaign: CampaignRow;
  /** The service must not be dialled before this, epoch ms; null: it may be dialled now. */
  backoffUntil: number | null;
}

/** A waiting lead, with the counts that go into the idempotency key of its next attempt. */
export type DueLead = [row: number, phone: E164, spent: number, notCalled: number];

/** Finds the leads of a campaign that wait or may be called now, and writes intents for them. */
export function intentStatements(sql: Sql, { leads, suppression }: Tables) {
  // `+ 0`: with a bare parameter as its limit SQLite compiles the statement again at every use, at ten times the cost.
  const selectDue = sql.tuples<[campaignId: string, now: number, limit: number], DueLead>(
    `SELECT row, coalesce(dial_phone, phone), spent, not_called FROM leads
       WHERE campaign_id = ? AND state = 'waiting' AND not_before <= ?
       ORDER BY not_before, position LIMIT ? + 0`,
  );
  const selectNextDue = sql.value<[campaignId: string], number>(
    `SELECT not_before FROM leads WHERE campaign_id = ? AND state = 'waiting'
       ORDER BY not_before LIMIT 1`,
  );
  const insertIntent = sql.db.prepare(
    `INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
       holds_until, slot_until, owner_host, owner_boot, owner_pid)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'intent', ?, ?, ?, ?, ?, ?)`,
  );
  const cellsOf = leadCellsStatement(sql);
  const findEarlierCall = earlierCallOf(sql);

  function commitOne(
    [row, phone, spent, notCalled]: DueLead,
    { campaignId, now, owner, service }: ClaimRequest,
    { settings: { agent, longestCallMs } }: CampaignRow,
  ): JournalEntry & { phone: E164 } {
    if (!leads.markClaimed(row)) throw new Error(`lead ${row} was not waiting`);
    const ordinal = spent + 1;
    const key = keyOf(campaignId, phone, spent, notCalled);
    const until = now + longestCallMs;
    const { host, boot, pid } = owner;
    const ids = [key, campaignId, row, phone, service, agent, ordinal];
    const { lastInsertRowid } = insertIntent.run(...ids, now, until, until, host, boot, pid);
    const seq = Number(lastInsertRowid);
    return { seq, campaignId, key, ordinal, phone, service, agent, intentAt: now };
  }

  /** @returns a function that ends a lead if it is suppressed or another campaign has called it; true if it did */
  function leadEndings(campaign: CampaignRow, now: number) {
    const { skipCalled } = campaign.settings;
    const entryOf = suppression.at(now);
    return ([row, phone]: DueLead): boolean => {
      const entry = entryOf(phone);
      if (entry !== undefined) {
        leads.markDone('suppressed', 'callsheet', reasonOf(entry), row);
        return true;
      }
      if (skipCalled === undefined) return false;
      const call = findEarlierCall(campaign, phone, skipCalled, now);
      if (call === undefined) return false;
      leads.markDone('cancelled', 'callsheet', calledBeforeReason(call), row);
      return true;
    };
  }

  return {
    /** When the first lead that waits may be called (epoch ms, perhaps in the past); null: nobody waits. */
    nextDueAt: (campaignId: string): number | null => selectNextDue(campaignId) ?? null,

    /** Leads that are due and may be called. Leads that must not be called end here, and the next ones replace them. */
    whoMayBeCalled: (campaign: CampaignRow, now: number, want: number): DueLead[] => {
      let due = selectDue(campaign.id, now, want);
      const endIfForbidden = leadEndings(campaign, now);
      for (let ended = 0; ended < MOST_ENDED_AT_ONCE;) {
        const forbidden = due.filter(endIfForbidden);
        if (forbidden.length === 0) return due;
        ended += forbidden.length;
        due = selectDue(campaign.id, now, want);
      }
      return due.filter((lead) => !endIfForbidden(lead));
    },

    /** Writes an intent for each lead. @returns the intents, and their lines for the dial journal */
    commit: (due: readonly DueLead[], request: ClaimRequest, campaign: CampaignRow) => {
      const journal = due.map((lead) => commitOne(lead, request, campaign));
      const intents = journal.map(({ seq, key, phone, agent, ordinal, intentAt }, i): Intent => ({
        attemptId: attemptId(seq),
        key,
        phone,
        agent,
        ordinal,
        intentAt,
        ...(request.withVariables === true && cellsOf(due[i]?.[0] ?? 0)),
      }));
      return { intents, journal };
    },
  };
}

/** The idempotency key of a lead's next attempt. */
export function keyOf(campaignId: string, phone: E164, spent: number, notCalled: number): string {
  // A service that accepted a call and did not make it knows that key, so the next dial needs another key.
  const again = notCalled === 0 ? [] : [notCalled];
  return shortHash([campaignId, phone, spent + 1, ...again]);
}
