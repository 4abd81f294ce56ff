import type { Database } from 'better-sqlite3';
import type { AttemptState } from '../../../domain/attempt.ts';
import { LEAD_RESULTS } from '../../../domain/lead.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { HeldSlot, Progress } from '../../port.ts';
import { attemptId } from '../tables/attempt-rows.ts';

/** Counts and lists for the person who watches; each one consistent look. */
export function progressStatements(db: Database) {
  // Counted in one pass: grouping sorts first, which for a million leads takes longer and 16 MB more.
  const results = LEAD_RESULTS.map((result) => `count(*) FILTER (WHERE result = '${result}')`);
  const countLeads = db
    .prepare<[string], number[]>(
      `SELECT count(*), total(spent), count(*) FILTER (WHERE state = 'waiting'),
         count(*) FILTER (WHERE state = 'calling'), ${results.join(', ')}
       FROM leads WHERE campaign_id = ?`,
    )
    .raw();
  const countAttempts = db.prepare<{ campaignId: string; now: number }, AttemptCount>(
    `SELECT
       (SELECT count(*) FROM attempts INDEXED BY attempts_holding
          WHERE campaign_id = @campaignId AND slot_until > @now) AS held,
       (SELECT count(*) FROM attempts INDEXED BY attempts_to_look_at
          WHERE campaign_id = @campaignId AND next_look_at IS NOT NULL) AS open,
       (SELECT count(*) FROM attempts INDEXED BY attempts_holding
          WHERE campaign_id = @campaignId AND state = 'unknown' AND slot_until IS NOT NULL) AS unknown,
       (SELECT count(*) FROM attempts INDEXED BY attempts_holding
          WHERE campaign_id = @campaignId AND state IN ('unknown', 'unconfirmed') AND resolution IS NULL
            AND slot_until IS NOT NULL) AS doubts,
       (SELECT min(not_before) FROM leads WHERE campaign_id = @campaignId AND state = 'waiting') AS nextDueAt`,
  );
  const selectHeld = db.prepare<{ campaignId: string; now: number }, HeldSlotRow>(
    `SELECT attempts.seq, attempts.key, attempts.state, attempts.phone, leads.line, call_id, intent_at, holds_until, detail,
       owner_host, owner_boot, owner_pid
     FROM attempts INDEXED BY attempts_holding JOIN leads ON leads.row = attempts.lead_row
     WHERE attempts.campaign_id = @campaignId AND slot_until > @now ORDER BY attempts.seq`,
  );

  const progress = db.transaction((campaignId: string, now: number): Progress => {
    const row = countLeads.get(campaignId) ?? [];
    const [total = 0, dials = 0, waiting = 0, calling = 0, ...byResult] = row;
    const counts: Progress = {
      total,
      waiting,
      calling,
      done: total - waiting - calling,
      results: {},
      dials,
      ...(countAttempts.get({ campaignId, now }) as AttemptCount),
    };
    for (const [index, result] of LEAD_RESULTS.entries()) {
      const count = byResult[index] ?? 0;
      if (count > 0) counts.results[result] = count;
    }
    return counts;
  });

  return {
    progress,
    held: (campaignId: string, now: number): HeldSlot[] =>
      selectHeld.all({ campaignId, now }).map(toHeldSlot),
  };
}

interface AttemptCount {
  held: number;
  open: number;
  unknown: number;
  doubts: number;
  nextDueAt: number | null;
}

export interface HeldSlotRow {
  seq: number;
  key: string;
  state: AttemptState;
  phone: E164;
  line: number;
  call_id: string | null;
  intent_at: number;
  holds_until: number;
  detail: string | null;
  owner_host: string;
  owner_boot: string;
  owner_pid: number;
}

export function toHeldSlot(row: HeldSlotRow): HeldSlot {
  return {
    attemptId: attemptId(row.seq),
    key: row.key,
    state: row.state,
    phone: row.phone,
    line: row.line,
    callId: row.call_id,
    intentAt: row.intent_at,
    holdsUntil: row.holds_until,
    detail: row.detail,
    owner: { host: row.owner_host, boot: row.owner_boot, pid: row.owner_pid },
  };
}
