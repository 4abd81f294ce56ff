import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import { MOST_REPLAYS, oldestReplayable, replayDueAt } from '../../../domain/refused-dials.ts';
import type { ClaimRequest, Intent, JournalEntry } from '../../port.ts';
import type { Sql } from '../sql.ts';
import {
  attemptId,
  ATTEMPTS_WITH_SLOT,
  DIALLED_AGAIN,
  HOLDS_SLOT,
  seqOf,
} from '../tables/attempt-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { STOPPED } from './due-leads.ts';
import { evidenceStatements } from './evidence.ts';
import { paceStatements } from './gates.ts';
import type { Granted, OpenClaim } from './intents.ts';
import { leadCellsStatement } from './persons.ts';
import { firstObstacle, obstacleStatements, type Judged } from './obstacles.ts';

/** Which dials the service still knows by their keys, so that a replay is answered with the same call. */
export interface ReplayWindow {
  /** See VoiceService.idempotency. */
  account: string;
  /** Now, on the forward clock, epoch ms. */
  sentAt: number;
  /** The service may have forgotten the keys of dials that were sent before this, on the same clock. */
  oldest: number;
}

/**
 * The table `replayable_dials`, and the claim of a dial that is sent again: the same attempt under the same key, judged
 * as a first dial by `obstacles.ts`, except for the free slot, as the attempt holds one. It stays `unknown` meanwhile,
 * also where it is not sent again because somebody has taken it back.
 * @param clock see `Engine.now`
 */
export function replayTable(sql: Sql, tables: Tables, clock?: () => number) {
  const { services } = tables;
  const forwardTime = forwardClock(sql);
  const pace = paceStatements(sql);
  const checksOf = obstacleStatements(sql, tables);
  const evidenceOf = evidenceStatements(sql);
  const insert = sql.later<[seq: number, account: string, sentAt: number]>(
    'INSERT INTO replayable_dials (attempt_seq, account, sent_at) VALUES (?, ?, ?)',
  );
  // Attempts without a slot are left out: if the first dial never arrived, the replay would be a call too many.
  const selectLost = sql.rows<[LostQuery], LostDial>(
    `SELECT seq, key, lead_row AS row, attempts.phone AS dial, service, agent, ordinal, ordinal - 1 AS spent,
       intent_at AS intentAt, unknown_at AS unknownAt, replays, due_at AS dueAt, leads.phone,
       leads.zone_key AS zoneKey, callback_at AS callbackAt, consent_until AS consentUntil,
       consent_given AS consentGiven, ${STOPPED}, leads.person, leads.person_name AS personName
     FROM ${ATTEMPTS_WITH_SLOT} JOIN replayable_dials ON attempt_seq = seq CROSS JOIN leads ON leads.row = lead_row
     WHERE attempts.campaign_id = @campaignId AND service = @service AND account = @account AND agent = @agent
       AND ${HOLDS_SLOT} AND sent_at >= @oldest
       AND attempts.state = 'unknown' AND unknown_at IS NOT NULL AND replays < ${MOST_REPLAYS}`,
  );
  const cellsOf = leadCellsStatement(sql);
  const extendSlot = sql.run<[{ seq: number; at: number; until: number }]>(
    `UPDATE attempts SET ${DIALLED_AGAIN} WHERE seq = @seq AND state = 'unknown'`,
  );
  const countReplay = sql.later<[dueAt: number, seq: number]>(
    'UPDATE replayable_dials SET replays = replays + 1, due_at = ? WHERE attempt_seq = ?',
  );
  const selectReplays = sql.value<[seq: number], number>(
    'SELECT replays FROM replayable_dials WHERE attempt_seq = ?',
  );
  const updateReplays = sql.later<[replays: number, dueAt: number | null, seq: number]>(
    'UPDATE replayable_dials SET replays = ?, due_at = ? WHERE attempt_seq = ?',
  );

  function sendAgain(lost: LostDial, { request, campaign }: OpenClaim): Intent {
    const { now, withVariables } = request;
    const { seq, key, dial: phone, agent, ordinal, intentAt } = lost;
    if (extendSlot({ seq, at: now, until: now + campaign.settings.longestCallMs }) !== 1) {
      throw new Error(`attempt ${seq} was not unknown any more`);
    }
    // Not due again for INTENT_LIMIT_MS, so no other process replays the dial while this answer is pending.
    countReplay(now + INTENT_LIMIT_MS, seq);
    return {
      attemptId: attemptId(seq),
      key,
      phone,
      agent,
      ordinal,
      intentAt,
      replayed: true,
      // The same cells as in the first dial: a service may refuse a key that comes with another body.
      ...(withVariables === true && cellsOf(lost.row, seq)),
    };
  }

  return {
    /** Null when the service makes no promise about keys: then no dial is ever sent again. */
    windowOf: ({ replay, now }: ClaimRequest): ReplayWindow | null => {
      if (replay === undefined) return null;
      const sentAt = forwardTime(clock?.() ?? now, replay.monotonic);
      return { account: replay.account, sentAt, oldest: oldestReplayable(replay.forMs, sentAt) };
    },

    /**
     * @param allowed how many of this many calls in progress the budgets allow
     * @returns dials to replay now, or null, and when the next replay is due (epoch ms; null: no replay is planned)
     */
    claim: (
      open: OpenClaim,
      { account, oldest }: ReplayWindow,
      allowed: (calls: number) => number,
    ): { claim: Granted | null; nextAt: number | null } => {
      const { request, campaign, times, backoffUntil } = open;
      const { campaignId, service, fingerprint, now } = request;
      const { agent } = campaign.settings;
      const found = selectLost({ campaignId, service, account, agent, now, oldest });
      if (found.length === 0 || !services.isProven(fingerprint))
        return { claim: null, nextAt: null };
      const { checks, knownOf } = checksOf(campaign, times, now);
      const lost = found
        .filter((lead) => times.hoursNow(lead.zoneKey, now).open)
        .filter((lead) => firstObstacle(checks, lead, now) === null)
        .map((dial) => ({ ...dial, dueAt: dueAtOf(dial, now) }))
        .toSorted((a, b) => a.dueAt - b.dueAt);
      lost.splice(allowed(lost.length));
      const [first] = lost;
      if (first === undefined) return { claim: null, nextAt: null };
      if (first.dueAt > now) return { claim: null, nextAt: first.dueAt };
      if (backoffUntil !== null) return { claim: null, nextAt: backoffUntil };

      const due = lost.filter(({ dueAt }) => dueAt <= now).slice(0, request.want);
      const { count, askAgainAt } = pace.admitted(campaign, now, due.length);
      if (count === 0) return { claim: null, nextAt: askAgainAt };
      pace.started(campaign, now, count);
      const sent = due.slice(0, count);
      const keepEvidence = evidenceOf(campaign, times, now);
      for (const dial of sent) keepEvidence(dial.seq, dial.row, knownOf(dial), 'again');
      const intents = sent.map((dial) => sendAgain(dial, open));
      const journal = sent.map(({ seq, key, ordinal, dial: phone, agent }): JournalEntry => ({
        seq,
        campaignId,
        key,
        ordinal,
        phone,
        service,
        agent,
        intentAt: now,
      }));
      return { claim: { intents, shortfall: null, askAgainAt: null, journal }, nextAt: null };
    },

    /** Records dials, so that they can be sent again within the window if their answers are lost. */
    remember: (dials: readonly JournalEntry[], { account, sentAt }: ReplayWindow): void => {
      for (const { seq } of dials) insert(seq, account, sentAt);
    },

    /**
     * Records that a replay has not decided its attempt, and when the next one is due.
     *
     * @param spent false when the service has certainly not looked up the key: then the replay does not count
     */
    failed: (id: string, at: number, spent: boolean): void => {
      const seq = seqOf(id);
      const made = selectReplays(seq);
      if (made === undefined) return;
      const replays = spent ? made : Math.max(0, made - 1);
      updateReplays(replays, replayDueAt(replays, at), seq);
    },
  };
}

export type ReplayTable = ReturnType<typeof replayTable>;

type LostQuery = Pick<ClaimRequest, 'campaignId' | 'service' | 'now'> &
  Pick<ReplayWindow, 'account' | 'oldest'> &
  Pick<Intent, 'agent'>;

/** `spent` and `zoneKey` are those of the lost dial. */
interface LostDial
  extends Required<Judged>, Pick<Intent, 'key' | 'agent' | 'ordinal' | 'intentAt'> {
  unknownAt: number;
  replays: number;
  dueAt: number | null;
}

/** Due within INTENT_LIMIT_MS at the latest, so that a wall clock that was set back does not delay a replay more. */
function dueAtOf({ dueAt, replays, unknownAt }: LostDial, now: number): number {
  return Math.min(dueAt ?? replayDueAt(replays, unknownAt) ?? now, now + INTENT_LIMIT_MS);
}

/** The database's record of the time may lag behind the newest claim by up to this, ms: not every claim writes it. */
const RECORDED_EVERY_MS = 1_000;

/** The most by which two machines' clocks differ, or a process pauses between reading two clocks, ms; more is a set-back. */
const TOLERATED_MS = 5_000;

/**
 * A clock that never goes back, and never runs faster than the fastest clock that is given: the wall clock, plus the
 * sum of what it was set back by. Within a process the monotonic clock shows a set-back. The next process sees one only
 * when the wall clock reads less than the newest recorded time, which is not so after a pause longer than the set-back.
 */
function forwardClock(sql: Sql) {
  const read = sql.value<[key: string], number>(
    'SELECT CAST(value AS BIGINT) FROM meta WHERE key = ?',
  );
  const write = sql.run<[key: string, value: string]>(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  /** Of this process: the wall clock when the monotonic one was 0, and what it was set back by since then, ms. */
  let own: { wall: number; setBack: number } | undefined;

  /**
   * @param now the wall clock, epoch ms
   * @param monotonic the monotonic clock of this process, ms
   * @returns epoch ms, later than `now` by what the wall clock was set back by
   */
  return function at(now: number, monotonic: number): number {
    const recorded = read('steady_time') ?? 0;
    const wall = now - monotonic;
    if (own === undefined) {
      const setBack = read('clock_set_back_ms') ?? 0;
      const before = recorded - now - setBack;
      own = { wall, setBack: before > TOLERATED_MS ? setBack + before : setBack };
    }
    const lost = Math.ceil(own.wall - wall);
    if (lost > TOLERATED_MS) own = { wall, setBack: own.setBack + lost };
    else own.wall = Math.max(own.wall, wall);
    // Read each time: what was written with a claim that failed is not there.
    if (own.setBack > 0 && own.setBack > (read('clock_set_back_ms') ?? 0))
      write('clock_set_back_ms', String(own.setBack));
    const passed = Math.floor(monotonic + own.wall);
    const forward = Math.max(Math.max(now, passed) + own.setBack, recorded);
    if (forward - recorded >= RECORDED_EVERY_MS) write('steady_time', String(forward));
    return forward;
  };
}
