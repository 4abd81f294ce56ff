import type { Database } from 'better-sqlite3';
import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import { admit } from '../../../domain/pace.ts';
import type { E164 } from '../../../domain/phone.ts';
import { shortHash } from '../../../runtime/ids.ts';
import type { Claim, ClaimShortfall, ClaimRequest, Intent } from '../../port.ts';
import { attemptId, heldAtService } from '../tables/attempt-rows.ts';
import type { CampaignRow, CampaignTable } from '../tables/campaigns.ts';
import type { ServiceBackoffTable } from '../tables/service-backoffs.ts';
import type { JournalEntry } from './journal-lines.ts';
import { leadEndings } from '../tables/lead-endings.ts';
import type { LeadTable } from '../tables/leads.ts';
import type { SuppressionTable } from '../tables/suppression.ts';
import { leadCellsStatement } from '../tables/variables.ts';

/** So that a claim never holds up others for long; the next one goes on. */
const MOST_ENDED_AT_ONCE = 1_000;

/** A claim before it is journalled. */
export interface CommittedClaim extends Claim {
  journal: JournalEntry[];
}

/**
 * The only place where dials are allowed. It runs inside one IMMEDIATE transaction and checks, in this
 * order: campaign state, what waits and is due, the service's wish to be left alone, free slots, its first
 * good answer, pace, suppression, earlier calls of other campaigns.
 */
export function claimStatements(
  db: Database,
  tables: {
    campaigns: CampaignTable;
    leads: LeadTable;
    holds: ServiceBackoffTable;
    suppression: SuppressionTable;
  },
) {
  const countHeld = db
    .prepare<[string, number], number>(
      `SELECT count(*) FROM attempts INDEXED BY attempts_holding
       WHERE campaign_id = ? AND slot_until > ?`,
    )
    .pluck();
  const countHeldAtService = heldAtService(db);
  const countInFlight = db
    .prepare<[string, number], number>(
      `SELECT count(*) FROM attempts INDEXED BY attempts_holding
       WHERE service = ? AND intent_at > ? AND state = 'intent' AND slot_until IS NOT NULL`,
    )
    .pluck();
  const selectProof = db
    .prepare<[string], number>('SELECT at FROM proven_services WHERE fingerprint = ?')
    .pluck();
  // `+ 0`: with a bare parameter as its limit SQLite compiles a statement anew at every use, ten times its cost.
  const selectDue = db
    .prepare<[string, number, number], DueLead>(
      `SELECT row, phone, spent, not_called FROM leads
       WHERE campaign_id = ? AND state = 'waiting' AND not_before <= ?
       ORDER BY not_before, position LIMIT ? + 0`,
    )
    .raw();
  const selectNextDue = db
    .prepare<[string], number>(
      `SELECT not_before FROM leads WHERE campaign_id = ? AND state = 'waiting'
       ORDER BY not_before LIMIT 1`,
    )
    .pluck();
  const insertIntent = db.prepare(
    `INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
       holds_until, slot_until, owner_host, owner_boot, owner_pid)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'intent', ?, ?, ?, ?, ?, ?)`,
  );

  const cellsOf = leadCellsStatement(db);
  const endings = leadEndings(db, tables);

  return function claim(request: ClaimRequest): CommittedClaim {
    const { campaignId, now } = request;
    const campaign = tables.campaigns.get(campaignId);
    if (campaign.archived_at !== null) return held('not_running');
    if (campaign.state !== 'running') {
      // Who waits for the end of a pause need not, where there is nobody left to call.
      const isAllCalled = campaign.state === 'paused' && isEmpty(campaignId);
      return held(isAllCalled ? 'none_waiting' : 'not_running');
    }
    if (tables.leads.hasUnfinishedList(campaignId)) return held('list_unfinished');
    const settings = JSON.parse(campaign.settings) as CampaignSettings;

    // First of all whether anybody waits: a run with nobody left does not wait for slots that are in doubt.
    const nextDue = selectNextDue.get(campaignId);
    if (nextDue === undefined) return held('none_waiting');
    if (nextDue > now) return held('not_yet_due', nextDue);

    const heldUntil = tables.holds.until(request.service, now);
    if (heldUntil !== null) return held('service_backoff', heldUntil);

    const room = freeSlots(request, settings);
    if (room === 0) return held('no_free_slot', null);
    let want = Math.min(request.want, room);

    const proven = selectProof.get(request.fingerprint) !== undefined;
    if (!proven) {
      if (countInFlight.get(request.service, now - INTENT_LIMIT_MS) !== 0)
        return held('first_answer_pending');
      want = 1;
    }

    let askAgainAt: number | null = null;
    if (settings.pace !== null) {
      const pace = admit(settings.pace, campaign.pace_due_at, now, want);
      if (pace.admitted === 0) {
        // Kept, or the gate would stay shut until the old time after the clock was set back.
        if (pace.nextDueAt !== campaign.pace_due_at) {
          tables.campaigns.setPaceDue(campaignId, pace.nextDueAt);
        }
        return held('pace', pace.askAgainAt);
      }
      askAgainAt = pace.askAgainAt;
      want = pace.admitted;
    }

    const due = whoMayBeCalled(campaign, settings, now, want);
    if (settings.pace !== null) {
      const { nextDueAt } = admit(settings.pace, campaign.pace_due_at, now, due.length);
      tables.campaigns.setPaceDue(campaignId, nextDueAt);
    }
    const journal = due.map((lead) => commitIntent(request, settings, lead));
    const intents = journal.map(toIntent);
    if (request.withVariables === true) {
      intents.forEach((intent, i) => Object.assign(intent, cellsOf(due[i]?.[0] ?? 0)));
    }
    if (due.length < want) return { ...heldForRest(campaignId, askAgainAt), intents, journal };
    const shortfall = shortfallAfter(request, { room, proven, found: due.length });
    return { intents, shortfall, askAgainAt, journal };
  };

  /** Leads that are due and may be called; those that may not end here, and the next ones take their places. */
  function whoMayBeCalled(
    campaign: CampaignRow,
    settings: CampaignSettings,
    now: number,
    want: number,
  ): DueLead[] {
    let due = selectDue.all(campaign.id, now, want);
    const endIfForbidden = endings.of(campaign, settings, now);
    if (endIfForbidden === undefined) return due;
    for (let ended = 0; ended < MOST_ENDED_AT_ONCE;) {
      const forbidden = due.filter(([row, phone]) => endIfForbidden(row, phone));
      if (forbidden.length === 0) return due;
      ended += forbidden.length;
      due = selectDue.all(campaign.id, now, want);
    }
    return due.filter(([row, phone]) => !endIfForbidden(row, phone));
  }

  function isEmpty(campaignId: string): boolean {
    if (tables.leads.hasUnfinishedList(campaignId)) return false;
    return selectNextDue.get(campaignId) === undefined;
  }

  /** Why a claim that took everybody who was due ends there. */
  function heldForRest(campaignId: string, askAgainAt: number | null): CommittedClaim {
    const nextDue = selectNextDue.get(campaignId);
    if (nextDue === undefined) return held('none_waiting');
    return held('not_yet_due', Math.max(nextDue, askAgainAt ?? 0));
  }

  function freeSlots(request: ClaimRequest, settings: CampaignSettings): number {
    const { campaignId, now } = request;
    const limit = Math.min(request.slots, settings.concurrency);
    const room = limit - Number(countHeld.get(campaignId, now));
    if (request.serviceSlots === null) return Math.max(0, room);
    const atService = request.serviceSlots - Number(countHeldAtService.get(request.service, now));
    return Math.max(0, Math.min(room, atService));
  }

  function commitIntent(
    request: ClaimRequest,
    settings: CampaignSettings,
    [row, phone, spent, notCalled]: DueLead,
  ): Intended {
    const { campaignId, now, owner, service } = request;
    if (!tables.leads.markClaimed(row)) throw new Error(`lead ${row} was not waiting`);
    const ordinal = spent + 1;
    const key = keyOf(campaignId, phone, spent, notCalled);
    const { agent, longestCallMs } = settings;
    const holdsUntil = now + longestCallMs;
    const { lastInsertRowid } = insertIntent.run(
      key,
      campaignId,
      row,
      phone,
      service,
      agent,
      ordinal,
      now,
      holdsUntil,
      holdsUntil,
      owner.host,
      owner.boot,
      owner.pid,
    );
    return {
      seq: Number(lastInsertRowid),
      campaignId,
      key,
      ordinal,
      phone,
      service,
      agent,
      intentAt: now,
    };
  }
}

/** The idempotency key of a lead's next attempt. */
export function keyOf(campaignId: string, phone: E164, spent: number, notCalled: number): string {
  // A service that took a call and did not make it knows the key of that one.
  const again = notCalled === 0 ? [] : [notCalled];
  return shortHash([campaignId, phone, spent + 1, ...again]);
}

type DueLead = [row: number, phone: E164, spent: number, notCalled: number];
type Intended = JournalEntry & { phone: E164 };

function held(shortfall: ClaimShortfall, askAgainAt: number | null = null): CommittedClaim {
  return { intents: [], shortfall, askAgainAt, journal: [] };
}

/** Why a claim that found leads did not give as many as were wanted. */
function shortfallAfter(
  request: ClaimRequest,
  given: { room: number; proven: boolean; found: number },
): ClaimShortfall | null {
  if (given.found === request.want) return null;
  if (given.found === given.room) return 'no_free_slot';
  return given.proven ? 'pace' : 'first_answer_pending';
}

function toIntent({ seq, key, phone, agent, ordinal, intentAt }: Intended): Intent {
  return { attemptId: attemptId(seq), key, phone, agent, ordinal, intentAt };
}
