import type { E164 } from '../../../domain/phone.ts';
import { shortHash } from '../../../runtime/random.ts';
import type { Claim, ClaimRequest, Intent, JournalEntry } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { attemptId } from '../tables/attempt-rows.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import { heldBy } from '../../../domain/calling/policy.ts';
import type { Tables } from '../tables/tables.ts';
import type { CallingTimes } from './calling-times.ts';
import type { DueLead, DueLeads } from './due-leads.ts';
import { evidenceStatements } from './evidence.ts';
import { leadCellsStatement } from './persons.ts';
import { firstObstacle, obstacleStatements, type Obstacle } from './obstacles.ts';

/** One claim ends or holds back at most this many leads, so that it never blocks other writers for long. */
const MOST_DECIDED_AT_ONCE = 1_000;

/** A claim whose intents are committed, with the lines that the dial journal gets for them. */
export interface CommittedClaim extends Claim {
  journal: JournalEntry[];
}

/** The same before it says what is set. */
export type Granted = Omit<CommittedClaim, 'settings'>;

/** What a claim knows once its campaign may be dialled. */
export interface OpenClaim {
  request: ClaimRequest;
  campaign: CampaignRow;
  times: CallingTimes;
  /** See `nightOf`. */
  night: string;
  /** The service must not be dialled before this, epoch ms; null: it may be dialled now. */
  backoffUntil: number | null;
}

/** Writes intents for the leads of a campaign that are due and may be called. */
export function intentStatements(sql: Sql, tables: Tables) {
  const { holds, leads, numbers } = tables;
  const insertIntent = sql.insertLater(
    `INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
       holds_until, slot_until, owner_host, owner_boot, owner_pid, night)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'intent', ?, ?, ?, ?, ?, ?, ?)`,
  );
  const cellsOf = leadCellsStatement(sql);
  const evidenceOf = evidenceStatements(sql);
  const checksOf = obstacleStatements(sql, tables);

  function commitOne(
    lead: DueLead,
    { request: { campaignId, now, owner, service }, campaign, night }: OpenClaim,
  ): { dialled: Omit<JournalEntry, 'seq'> & { phone: E164 }; numberOf: () => number } {
    const { agent, longestCallMs } = campaign.settings;
    const { row, dial: phone, spent } = lead;
    leads.markClaimed(row);
    const ordinal = spent + 1;
    const key = keyOf(campaignId, lead);
    const until = now + longestCallMs;
    const { host, boot, pid } = owner;
    const ids = [key, campaignId, row, phone, service, agent, ordinal];
    const numberOf = insertIntent(...ids, now, until, until, host, boot, pid, night);
    return {
      dialled: { campaignId, key, ordinal, phone, service, agent, intentAt: now },
      numberOf,
    };
  }

  /** A lead that must not be called ends, or waits until its hold ends. */
  function decide(
    { row, notBefore }: DueLead,
    obstacle: Obstacle,
    { now, version }: { now: number; version: number },
  ): void {
    switch (obstacle.kind) {
      case 'end':
        leads.end(row, { ...obstacle, source: 'callsheet' });
        return;
      case 'next_number':
        numbers.moveOn(row, now);
        leads.markWaiting(notBefore, `${obstacle.reason}: the next number is called`, row);
        return;
      case 'hold': {
        const { hold } = obstacle;
        leads.hold({ row, until: hold.until, reason: heldBy(hold), version });
        holds.add(row, now, hold);
      }
    }
  }

  /** Reads together what judging a lead reads. */
  function readAhead(lead: DueLead | undefined, { request: { now }, campaign, times }: OpenClaim) {
    if (lead === undefined) return;
    sql.ahead(() => {
      const { checks, knownOf } = checksOf(campaign, times, now);
      firstObstacle(checks, lead, now);
      knownOf(lead);
    });
  }

  return {
    /**
     * Judges due leads one after the other and commits an intent for each that may be called, so that the next one is
     * judged with that call; leads that must not be called make room for those behind them.
     *
     * @returns at most `want` intents, and their lines for the dial journal
     */
    commit: (due: DueLeads, want: number, open: OpenClaim) => {
      const { request, campaign, times } = open;
      const { now, withVariables } = request;
      sql.ahead(() => evidenceOf(campaign, times, now));
      const { checks, knownOf } = checksOf(campaign, times, now);
      let keepEvidence: ReturnType<typeof evidenceOf> | undefined;
      const journal: JournalEntry[] = [];
      const intents: Intent[] = [];
      for (let decided = 0; intents.length < want && decided < MOST_DECIDED_AT_ONCE;) {
        const lead = due.take();
        if (lead === undefined) break;
        readAhead(lead, open);
        const obstacle = firstObstacle(checks, lead, now);
        if (obstacle !== null) {
          decide(lead, obstacle, { now, version: campaign.policyVersion });
          decided += 1;
          continue;
        }
        const known = knownOf(lead);
        const { dialled, numberOf } = commitOne(lead, open);
        const keep = (keepEvidence ??= evidenceOf(campaign, times, now));
        // What follows goes out with the intent.
        sql.ahead(() => {
          if (withVariables === true) cellsOf(lead.row);
          keep(0, lead.row, known);
        });
        readAhead(due.first(), open);
        const seq = numberOf();
        keep(seq, lead.row, known);
        const { key, phone, agent, ordinal, intentAt } = dialled;
        journal.push({ seq, ...dialled });
        intents.push({
          attemptId: attemptId(seq),
          key,
          phone,
          agent,
          ordinal,
          intentAt,
          ...(withVariables === true && cellsOf(lead.row)),
        });
      }
      return { intents, journal };
    },
  };
}

/** What the idempotency key of a lead's next attempt is made of, besides its campaign. */
interface KeyParts extends Pick<DueLead, 'spent' | 'notCalled'> {
  phone: string;
  dial: string;
}

/** The idempotency key of a lead's next attempt. */
export function keyOf(campaignId: string, { phone, dial, spent, notCalled }: KeyParts): string {
  // A service that accepted a call and did not make it knows that key, so the next dial needs another key.
  const again = notCalled === 0 ? [] : [notCalled];
  // The same number may be one person's own and another's second one: their calls are not the same call.
  const own = dial === phone ? [] : [phone];
  return shortHash([campaignId, dial, spent + 1, ...again, ...own]);
}
