import type { Database } from 'better-sqlite3';
import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import { admit } from '../../../domain/pace.ts';
import { MOST_REPLAYS, oldestReplayable, replayDueAt } from '../../../domain/replay-schedule.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { ClaimRequest, Intent } from '../../port.ts';
import { attemptId, seqOf } from '../tables/attempt-rows.ts';
import type { CampaignTable } from '../tables/campaigns.ts';
import type { CommittedClaim } from './claim.ts';
import type { ServiceBackoffTable } from '../tables/service-backoffs.ts';
import type { LeadTable } from '../tables/leads.ts';
import { forwardClock } from './forward-clock.ts';
import type { SuppressionTable } from '../tables/suppression.ts';
import { leadCellsStatement } from '../tables/variables.ts';

interface Tables {
  campaigns: CampaignTable;
  leads: LeadTable;
  holds: ServiceBackoffTable;
  suppression: SuppressionTable;
}

/**
 * The table `repeatable_dials`, and the claim of a dial that is to be sent again: the same attempt under the same
 * key, with every check of a first dial but the free slot, which it holds already. It stays `unknown` meanwhile.
 */
export function replayTable(db: Database, tables: Tables) {
  const steadyAt = forwardClock(db);
  const insert = db.prepare<[number, string, number]>(
    'INSERT INTO repeatable_dials (attempt_seq, account, sent_at) VALUES (?, ?, ?)',
  );
  // One whose slot is free again would be a call too many, should it be the first to arrive.
  const selectLost = db.prepare<[LostQuery], LostRow>(
    `SELECT seq, key, lead_row, phone, service, agent, ordinal, intent_at, unknown_at, repeats, due_at
     FROM attempts INDEXED BY attempts_holding JOIN repeatable_dials ON attempt_seq = seq
     WHERE campaign_id = @campaignId AND service = @service AND account = @account
       AND slot_until > @now AND sent_at >= @oldest
       AND state = 'unknown' AND unknown_at IS NOT NULL AND repeats < ${MOST_REPLAYS}`,
  );
  const selectProof = db
    .prepare<[string], number>('SELECT 1 FROM proven_services WHERE fingerprint = ?')
    .pluck();
  const cellsOf = leadCellsStatement(db);
  // A call that this one places is on the line from now on, not from the first try on.
  const extendHold = db.prepare<{ seq: number; until: number }>(
    `UPDATE attempts SET holds_until = max(holds_until, @until), slot_until = max(slot_until, @until)
     WHERE seq = @seq AND state = 'unknown'`,
  );
  const countRepeat = db.prepare<[number, number]>(
    'UPDATE repeatable_dials SET repeats = repeats + 1, due_at = ? WHERE attempt_seq = ?',
  );
  const selectRepeats = db
    .prepare<[number], number>('SELECT repeats FROM repeatable_dials WHERE attempt_seq = ?')
    .pluck();
  const updateRepeats = db.prepare<[number, number | null, number]>(
    'UPDATE repeatable_dials SET repeats = ?, due_at = ? WHERE attempt_seq = ?',
  );

  /** Dials to send again now, and when the next one is due. */
  function take(
    request: ClaimRequest,
    { account, oldest }: { account: string; oldest: number },
  ): { claim: CommittedClaim | null; nextAt: number | null } {
    const { campaignId, service, now } = request;
    const campaign = tables.campaigns.get(campaignId);
    if (campaign.state !== 'running' || tables.leads.hasUnfinishedList(campaignId)) return NOTHING;
    const mayBeHeld = !tables.suppression.isEmpty();
    const lost = selectLost
      .all({ campaignId, service, account, now, oldest })
      .filter(({ phone }) => !mayBeHeld || tables.suppression.find(phone, now) === undefined)
      .map((row) => ({ row, dueAt: dueAtOf(row, now) }))
      .toSorted((a, b) => a.dueAt - b.dueAt);
    const [first] = lost;
    if (first === undefined || selectProof.get(request.fingerprint) === undefined) return NOTHING;
    if (first.dueAt > now) return { claim: null, nextAt: first.dueAt };

    const heldUntil = tables.holds.until(service, now);
    if (heldUntil !== null) return { claim: null, nextAt: heldUntil };
    const settings = JSON.parse(campaign.settings) as CampaignSettings;
    let due = lost.filter(({ dueAt }) => dueAt <= now).slice(0, request.want);
    if (settings.pace !== null) {
      const pace = admit(settings.pace, campaign.pace_due_at, now, due.length);
      if (pace.admitted === 0) return { claim: null, nextAt: pace.askAgainAt };
      tables.campaigns.setPaceDue(campaignId, pace.nextDueAt);
      due = due.slice(0, pace.admitted);
    }
    const intents = due.map(({ row }) => sendAgain(row, request, settings));
    const journal = due.map(({ row }) => ({
      seq: row.seq,
      campaignId,
      key: row.key,
      ordinal: row.ordinal,
      phone: row.phone,
      service,
      agent: row.agent,
      intentAt: now,
    }));
    return { claim: { intents, shortfall: null, askAgainAt: null, journal }, nextAt: null };
  }

  function sendAgain(row: LostRow, request: ClaimRequest, settings: CampaignSettings): Intent {
    const { now, withVariables } = request;
    const until = now + settings.longestCallMs;
    if (extendHold.run({ seq: row.seq, until }).changes !== 1) {
      throw new Error(`attempt ${row.seq} was not unknown any more`);
    }
    // Until its answer is kept nobody else sends it, and should its sender die, nobody does for so long.
    countRepeat.run(now + INTENT_LIMIT_MS, row.seq);
    return {
      attemptId: attemptId(row.seq),
      key: row.key,
      phone: row.phone,
      agent: row.agent,
      ordinal: row.ordinal,
      intentAt: row.intent_at,
      replayed: true,
      // The same as the first time: a service may refuse a key that comes with another body.
      ...(withVariables === true && cellsOf(row.lead_row)),
    };
  }

  return {
    /** The claim with what has to be sent again first. It costs nothing where nothing may be. */
    around(claimNew: (request: ClaimRequest) => CommittedClaim) {
      return (request: ClaimRequest): CommittedClaim => {
        const { replay } = request;
        if (replay === undefined) return claimNew(request);
        const { forMs, account, monotonic } = replay;
        const steady = steadyAt(request.now, monotonic);
        const oldest = oldestReplayable(forMs, steady);
        const { claim, nextAt } = take(request, { account, oldest });
        if (claim !== null) return claim;
        const fresh = claimNew(request);
        for (const { seq } of fresh.journal) insert.run(seq, account, steady);
        return nextAt === null ? fresh : stayingUntil(nextAt, fresh);
      };
    },
    /**
     * A dial that was sent again came to nothing.
     *
     * @param spent false when the service has surely not looked at the key: the try does not count
     */
    failed(id: string, at: number, spent: boolean): void {
      const seq = seqOf(id);
      const made = selectRepeats.get(seq);
      if (made === undefined) return;
      const repeats = spent ? made : Math.max(0, made - 1);
      updateRepeats.run(repeats, replayDueAt(repeats, at), seq);
    },
  };
}

export type ReplayTable = ReturnType<typeof replayTable>;

const NOTHING = { claim: null, nextAt: null };

interface LostQuery {
  campaignId: string;
  service: string;
  account: string;
  oldest: number;
  now: number;
}

interface LostRow {
  seq: number;
  key: string;
  lead_row: number;
  phone: E164;
  agent: string;
  ordinal: number;
  intent_at: number;
  unknown_at: number;
  repeats: number;
  due_at: number | null;
}

/** A wall clock that was set back does not put it off for longer than a sender that died would. */
function dueAtOf(row: LostRow, now: number): number {
  const dueAt = row.due_at ?? replayDueAt(row.repeats, row.unknown_at) ?? now;
  return Math.min(dueAt, now + INTENT_LIMIT_MS);
}

/** Nobody new is called, but somebody is in doubt whose dial is sent again soon. */
function stayingUntil(nextAt: number, claim: CommittedClaim): CommittedClaim {
  if (claim.shortfall === 'none_waiting')
    return { ...claim, shortfall: 'not_yet_due', askAgainAt: nextAt };
  if (claim.shortfall !== 'not_yet_due') return claim;
  return { ...claim, askAgainAt: Math.min(claim.askAgainAt ?? nextAt, nextAt) };
}
