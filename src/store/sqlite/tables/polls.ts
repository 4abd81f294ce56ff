import type { Database } from 'better-sqlite3';
import type { Analytics } from '../../../domain/analytics.ts';
import type { AttemptState } from '../../../domain/attempt.ts';
import type { Dialled } from '../../../domain/same-call.ts';
import type { PollRecord, OpenCall, Recorded } from '../../port.ts';
import { attemptId } from './attempt-rows.ts';
import type { AttemptTable } from './attempts.ts';
import type { CampaignTable } from './campaigns.ts';
import type { ContestedCallTable } from './contested-calls.ts';
import type { UnrungCalls } from '../claim/unrung-calls.ts';
import type { SuppressionTable } from './suppression.ts';

/** Due looks and what they found; the table `analytics`. */
export function pollStatements(
  db: Database,
  tables: {
    attempts: AttemptTable;
    campaigns: CampaignTable;
    contested: ContestedCallTable;
    suppression: SuppressionTable;
    unrung: UnrungCalls;
  },
) {
  const { attempts, campaigns, contested, suppression, unrung } = tables;
  // `+ 0`: a bare parameter as the limit would be compiled anew at every use.
  const selectDue = db
    .prepare<[Required<DueQuery>], OpenCallColumns>(
      `SELECT seq, campaign_id, call_id, state, intent_at, answered_at, holds_until, looks, key, phone, agent,
         EXISTS (SELECT 1 FROM contested_calls AS contested
           WHERE contested.service = attempts.service AND contested.call_id = attempts.call_id)
       FROM attempts
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
    .prepare<{ campaignId: string | null; doubtsSince: number }, string>(
      `SELECT service FROM attempts WHERE next_look_at IS NOT NULL
         AND (@campaignId IS NULL OR campaign_id = @campaignId)
       UNION SELECT service FROM attempts INDEXED BY attempts_holding WHERE slot_until IS NOT NULL
         AND state IN ('unknown', 'unconfirmed') AND resolution IS NULL AND intent_at >= @doubtsSince
         AND (@campaignId IS NULL OR campaign_id = @campaignId) ORDER BY service`,
    )
    .pluck();
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

  /** Told in the history once, however often the service says it. */
  function contradict(
    id: string,
    { at, nextPollAt, detail, names }: Extract<PollRecord, { kind: 'contradicted' }>,
  ): Recorded {
    const attempt = attempts.get(id);
    attempts.postponePoll(id, nextPollAt, detail, JSON.stringify({ names }));
    if (attempt.detail === detail) return 'stayed';
    campaigns.addHistory(attempt.campaign_id, {
      at,
      who: 'callsheet',
      what: 'attempt.contradicted',
      detail: { attempt: id, why: detail },
    });
    return 'conflict';
  }

  return {
    due: (query: DueQuery): OpenCall[] =>
      selectDue.all({ after: 0, ...query }).map((columns) => {
        const [seq, , callId] = columns;
        const isContested = columns[11] === 1;
        return toOpenCall(columns, isContested ? contested.rivals(query.service, callId, seq) : []);
      }),
    nextAt: (query: NextQuery): number | null => selectNextLook.get(query) ?? null,
    services: (campaignId: string | null, doubtsSince: number): string[] =>
      selectServices.all({ campaignId, doubtsSince }),
    record(attemptId: string, look: PollRecord): Recorded {
      const { at } = look;
      switch (look.kind) {
        case 'pending':
          attempts.postponePoll(attemptId, look.nextPollAt, null, null);
          if (look.beginsAt !== undefined) unrung.putOff(attempts.get(attemptId), look.beginsAt);
          return 'stayed';
        case 'never_began': {
          const facts = { at, detail: look.detail };
          return attempts.apply(attempts.get(attemptId), { type: 'deadline_passed' }, facts);
        }
        case 'not_called':
          return unrung.notCalled(attempts.get(attemptId), look);
        case 'contradicted':
          return contradict(attemptId, look);
        case 'unreadable':
          attempts.postponePoll(attemptId, look.nextPollAt, look.detail, look.raw);
          return 'stayed';
        case 'ended': {
          const { nextPollAt } = look;
          attempts.postponePoll(attemptId, nextPollAt, null, null);
          return attempts.apply(
            attempts.get(attemptId),
            { type: 'line_down' },
            { at, detail: null, nextPollAt },
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

type OpenCallColumns = [
  seq: number,
  campaignId: string,
  callId: string,
  state: AttemptState,
  intentAt: number,
  answeredAt: number | null,
  holdsUntil: number,
  looks: number,
  key: string,
  phone: string,
  agent: string,
  isContested: 0 | 1,
];

function toOpenCall(columns: OpenCallColumns, rivals: Dialled[]): OpenCall {
  const [seq, campaignId, callId, state, intentAt, answeredAt, holdsUntil, looks, ...dialled] =
    columns;
  const [key, phone, agent] = dialled;
  const placedAt = answeredAt ?? intentAt;
  const times = { intentAt, placedAt, holdsUntil };
  const names = { callId, key, phone, agent, rivals };
  return { attemptId: attemptId(seq), campaignId, ...names, state, ...times, polls: looks };
}
