import type { Database } from 'better-sqlite3';
import type { AttemptState } from '../../domain/attempt.ts';
import type { LeadResult, LeadState } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import type { HeldSlot, Progress } from '../port.ts';

/** Counts and lists for the person who watches; each one consistent look. */
export function watchStatements(db: Database) {
  const countLeads = db.prepare<[string], LeadCount>(
    'SELECT state, result, count(*) AS count FROM leads WHERE campaign_id = ? GROUP BY state, result',
  );
  const countAttempts = db.prepare<{ campaignId: string; now: number }, AttemptCount>(
    `SELECT
       (SELECT count(*) FROM attempts WHERE campaign_id = @campaignId AND holds_until > @now
          AND state IN ('intent', 'placed', 'unknown', 'unconfirmed')) AS held,
       (SELECT count(*) FROM attempts WHERE campaign_id = @campaignId AND state IN ('placed', 'ended')) AS open,
       (SELECT count(*) FROM attempts WHERE campaign_id = @campaignId AND state = 'unknown') AS unknown,
       (SELECT count(*) FROM attempts WHERE campaign_id = @campaignId
          AND state IN ('unknown', 'unconfirmed')) AS doubts,
       (SELECT coalesce(sum(spent), 0) FROM leads WHERE campaign_id = @campaignId) AS dials,
       (SELECT min(not_before) FROM leads WHERE campaign_id = @campaignId AND state = 'waiting') AS nextDueAt`,
  );
  const slots = (where: string) =>
    db.prepare<{ campaignId: string; now: number }, HeldSlotRow>(
      `SELECT attempts.id, attempts.state, attempts.phone, leads.line, call_id, intent_at, holds_until, detail,
         owner_host, owner_boot, owner_pid
       FROM attempts JOIN leads ON leads.row = attempts.lead_row
       WHERE attempts.campaign_id = @campaignId AND @now IS NOT NULL AND ${where} ORDER BY attempts.seq`,
    );
  const selectHeld = slots(
    "holds_until > @now AND attempts.state IN ('intent', 'placed', 'unknown', 'unconfirmed')",
  );
  const selectDoubts = slots("attempts.state IN ('unknown', 'unconfirmed')");

  const progress = db.transaction((campaignId: string, now: number): Progress => {
    const { nextDueAt, ...attempts } = countAttempts.get({ campaignId, now }) as AttemptCount;
    const counts: Progress = {
      total: 0,
      waiting: 0,
      calling: 0,
      done: 0,
      results: {},
      ...attempts,
      nextDueAt,
    };
    for (const { state, result, count } of countLeads.all(campaignId)) {
      counts.total += count;
      counts[state] += count;
      if (result !== null) counts.results[result] = count;
    }
    return counts;
  });

  return {
    progress,
    held: (campaignId: string, now: number): HeldSlot[] =>
      selectHeld.all({ campaignId, now }).map(toHeldSlot),
    doubts: (campaignId: string): HeldSlot[] =>
      selectDoubts.all({ campaignId, now: 0 }).map(toHeldSlot),
  };
}

interface LeadCount {
  state: LeadState;
  result: LeadResult | null;
  count: number;
}

interface AttemptCount {
  held: number;
  open: number;
  unknown: number;
  doubts: number;
  dials: number;
  nextDueAt: number | null;
}

interface HeldSlotRow {
  id: string;
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

function toHeldSlot(row: HeldSlotRow): HeldSlot {
  return {
    attemptId: row.id,
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
