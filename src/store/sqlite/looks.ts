import type { Database } from 'better-sqlite3';
import type { Analytics } from '../../domain/analytics.ts';
import { INTENT_LIMIT_MS, type AttemptEvent, type AttemptState } from '../../domain/attempt.ts';
import type { LookRecord, OpenCall, Recorded, SweepCounts, SweepRequest, Owner } from '../port.ts';
import { attemptId, type AttemptRow } from './attempt-rows.ts';
import type { AttemptTable } from './attempts.ts';
import { suppressionTable, type SuppressionTable } from './suppression.ts';

/** Due looks and what they found; what time alone decides; the table `analytics`. */
export function lookStatements(
  db: Database,
  attempts: AttemptTable,
  suppression: SuppressionTable = suppressionTable(db),
) {
  // `+ 0`: a bare parameter as the limit would be compiled anew at every use.
  const selectDue = db
    .prepare<[Required<DueQuery>], OpenCallColumns>(
      `SELECT seq, campaign_id, call_id, state, intent_at, answered_at, looks FROM attempts
       WHERE service = @service AND next_look_at <= @now AND next_look_at >= @after
         AND (@campaignId IS NULL OR campaign_id = @campaignId)
       ORDER BY next_look_at LIMIT @limit + 0`,
    )
    .raw();
  const selectNextLook = db
    .prepare<[NextQuery], number>(
      `SELECT next_look_at FROM attempts
       WHERE service = @service AND next_look_at > @after
         AND (@campaignId IS NULL OR campaign_id = @campaignId)
       ORDER BY next_look_at LIMIT 1`,
    )
    .pluck();
  const selectServices = db
    .prepare<{ campaignId: string | null }, string>(
      `SELECT DISTINCT service FROM attempts WHERE next_look_at IS NOT NULL
         AND (@campaignId IS NULL OR campaign_id = @campaignId) ORDER BY service`,
    )
    .pluck();
  const selectIntents = db.prepare<[string], AttemptRow & IntentColumns>(
    `SELECT * FROM attempts INDEXED BY attempts_holding WHERE campaign_id = ? AND state = 'intent'
       AND slot_until IS NOT NULL`,
  );
  const selectPastLongest = db.prepare<[string, number], AttemptRow>(
    `SELECT * FROM attempts INDEXED BY attempts_holding
     WHERE campaign_id = ? AND slot_until <= ? AND state = 'placed'`,
  );
  // Its next look was planned for after the deadline: a call that nobody looked at meanwhile (no runner
  // for a night, or only found after the deadline) gets one more look first.
  const selectPastDeadline = db.prepare<
    { campaignId: string; now: number; deadlineMs: number },
    AttemptRow & UnreadableColumn
  >(
    `SELECT * FROM attempts INDEXED BY attempts_to_look_at
     WHERE campaign_id = @campaignId AND next_look_at IS NOT NULL AND looks > 0
       AND intent_at <= @now - @deadlineMs AND next_look_at > intent_at + @deadlineMs`,
  );
  const beginDoubts = db.prepare(
    `UPDATE attempts INDEXED BY attempts_holding SET unknown_at = ?
     WHERE campaign_id = ? AND state = 'unknown' AND unknown_at IS NULL
       AND slot_until IS NOT NULL`,
  );
  const selectDoubtful = db.prepare<[string, number], AttemptRow>(
    `SELECT * FROM attempts INDEXED BY attempts_holding
     WHERE campaign_id = ? AND state = 'unknown' AND unknown_at <= ?
       AND slot_until IS NOT NULL`,
  );
  const insertAnalytics = db.prepare(
    `INSERT INTO analytics (attempt_seq, received_at, transcript, turns, duration_ms, sentiment_label,
       sentiment_score, summary, recording_url, cost, cost_currency, raw, extracted)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  function keep(attemptSeq: number, at: number, analytics: Analytics): void {
    insertAnalytics.run(
      attemptSeq,
      at,
      analytics.transcript,
      analytics.turns.length === 0 ? null : JSON.stringify(analytics.turns),
      analytics.durationMs === null ? null : Math.round(analytics.durationMs),
      analytics.sentiment?.label ?? null,
      analytics.sentiment?.score ?? null,
      analytics.summary,
      analytics.recordingUrl,
      analytics.cost,
      analytics.costCurrency,
      JSON.stringify(analytics.raw),
      analytics.extracted === null ? null : JSON.stringify(analytics.extracted),
    );
  }

  function applyAll(
    rows: AttemptRow[],
    event: AttemptEvent,
    at: number,
    detail: string | null,
  ): number {
    return rows.filter((row) => attempts.apply(row, event, { at, detail }) === 'moved').length;
  }

  return {
    due: (query: DueQuery): OpenCall[] => selectDue.all({ after: 0, ...query }).map(toOpenCall),
    nextAt: (query: NextQuery): number | null => selectNextLook.get(query) ?? null,
    services: (campaignId: string | null): string[] => selectServices.all({ campaignId }),
    record(attemptId: string, look: LookRecord): Recorded {
      const { at } = look;
      switch (look.kind) {
        case 'pending':
          attempts.postponeLook(attemptId, look.nextLookAt, null, null);
          return 'stayed';
        case 'unreadable':
          attempts.postponeLook(attemptId, look.nextLookAt, look.detail, look.raw);
          return 'stayed';
        case 'ended': {
          const { nextLookAt } = look;
          attempts.postponeLook(attemptId, nextLookAt, null, null);
          return attempts.apply(
            attempts.get(attemptId),
            { type: 'line_down' },
            { at, detail: null, nextLookAt },
          );
        }
        case 'settled': {
          const attempt = attempts.get(attemptId);
          const outcome = { result: look.result, source: look.source };
          const event = { type: 'settled', callId: look.callId } as const;
          const recorded = attempts.apply(attempt, event, { at, detail: null, outcome });
          if (recorded === 'moved') keep(attempt.seq, at, look.analytics);
          // By the service's own word only: what is derived from a transcript may be a misunderstanding.
          if (recorded === 'moved' && look.result === 'opted_out' && look.source === 'service') {
            suppression.addOptedOut(attempt.seq, at);
          }
          return recorded;
        }
      }
    },
    intentOwners(campaignId: string): Owner[] {
      const owners: Owner[] = [];
      for (const row of selectIntents.all(campaignId)) {
        const owner = ownerOf(row);
        if (!owners.some((known) => isSame(known, owner))) owners.push(owner);
      }
      return owners;
    },
    sweep({ campaignId, now, settings, gone }: SweepRequest): SweepCounts {
      const orphans = selectIntents
        .all(campaignId)
        .filter(
          (row) =>
            row.intent_at <= now - INTENT_LIMIT_MS ||
            gone.some((owner) => isSame(owner, ownerOf(row))),
        );
      beginDoubts.run(now, campaignId);
      return {
        orphaned: applyAll(
          orphans,
          { type: 'orphaned' },
          now,
          'the program stopped between sending this call and keeping the answer',
        ),
        noResult: selectPastDeadline
          .all({ campaignId, now, deadlineMs: settings.polling.deadlineMs })
          .filter((row) => {
            const detail = withLast('no readable analytics before the deadline', row);
            return (
              attempts.apply(row, { type: 'deadline_passed' }, { at: now, detail }) === 'moved'
            );
          }).length,
        presumedDown: applyAll(
          selectPastLongest.all(campaignId, now),
          { type: 'longest_call_passed' },
          now,
          null,
        ),
        unconfirmed: selectDoubtful.all(campaignId, now - settings.reconcileForMs).filter((row) => {
          const detail = withWhatFailed('no evidence of the call came in time', row);
          return attempts.apply(row, { type: 'gave_up' }, { at: now, detail }) === 'moved';
        }).length,
      };
    },
  };
}

interface DueQuery {
  service: string;
  campaignId: string | null;
  after?: number;
  now: number;
  limit: number;
}

interface NextQuery {
  service: string;
  campaignId: string | null;
  after: number;
}

interface IntentColumns {
  intent_at: number;
  owner_host: string;
  owner_boot: string;
  owner_pid: number;
}

type OpenCallColumns = [
  seq: number,
  campaignId: string,
  callId: string,
  state: AttemptState,
  intentAt: number,
  answeredAt: number | null,
  looks: number,
];

function ownerOf(row: IntentColumns): Owner {
  return { host: row.owner_host, boot: row.owner_boot, pid: row.owner_pid };
}

function isSame(one: Owner, other: Owner): boolean {
  return one.host === other.host && one.boot === other.boot && one.pid === other.pid;
}

function toOpenCall(columns: OpenCallColumns): OpenCall {
  const [seq, campaignId, callId, state, intentAt, answeredAt, looks] = columns;
  const placedAt = answeredAt ?? intentAt;
  return { attemptId: attemptId(seq), campaignId, callId, state, intentAt, placedAt, looks };
}

interface UnreadableColumn {
  unreadable: string | null;
}

/** Why a doubt is no longer looked into; what failed at its beginning stays part of it. */
export function withWhatFailed(why: string, { detail }: Pick<AttemptRow, 'detail'>): string {
  const failed = /^the answer was lost \((.*)\), and /s.exec(detail ?? '')?.[1] ?? detail;
  return `the answer was lost${failed === null ? '' : ` (${failed})`}, and ${why}`;
}

/** What was wrong with the last answer, where there was one: it says what to mend in the profile. */
function withLast(why: string, { unreadable, detail }: AttemptRow & UnreadableColumn): string {
  return unreadable === null || detail === null ? why : `${why}; the last answer: ${detail}`;
}
