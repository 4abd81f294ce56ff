import type { UnknownWord } from '../../../domain/lead.ts';
import { LONGEST_POSTPONED_MS } from '../../../domain/polling/poll-schedule.ts';
import type { PollRecord, Recorded } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { attemptId, seqOf, type AttemptRow } from './attempt-rows.ts';
import type { Tables } from './tables.ts';

/** How long a service gets no dial after it accepted a call and ended it without ringing. */
const BACKOFF_MS = 2_000;

/** A service with free text in a field of outcomes must not fill the history. */
const MOST_UNKNOWN_WORDS = 20;

const STILL_NONE = 'no readable analytics when it was asked for again; the last answer';

type Poll<Kind extends PollRecord['kind']> = Extract<PollRecord, { kind: Kind }>;

/** Applies polls to their attempts, and writes the table `analytics`. */
export function pollStatements(sql: Sql, tables: Tables) {
  const { attempts, campaigns, refusals, services, suppression } = tables;
  const insertAnalytics = sql.later(
    `INSERT INTO analytics (attempt_seq, received_at, transcript, turns, duration_ms, sentiment_label,
       sentiment_score, summary, recording_url, cost, cost_currency, raw, extracted, said, refusal)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertWord = sql.later(
    `INSERT INTO history (campaign_id, at, who, what, detail)
     SELECT @campaign, @at, 'callsheet', 'word.unknown', @detail WHERE NOT EXISTS
       (SELECT 1 FROM history WHERE campaign_id = @campaign AND what = 'word.unknown' AND detail = @detail)
     AND (SELECT count(*) FROM history WHERE campaign_id = @campaign AND what = 'word.unknown') < @most + 0`,
  );
  const updateBegins = sql.run(
    `UPDATE attempts SET begins_at = @beginsAt, holds_until = max(holds_until, @until),
       slot_until = CASE WHEN slot_until IS NULL THEN NULL ELSE max(slot_until, @until) END
     WHERE seq = @seq AND state IN ('placed', 'ended') AND @beginsAt <= intent_at + @farthest`,
  );

  const updateAsked = sql.run(
    `UPDATE attempts SET asked_again_at = @at, unreadable = coalesce(@raw, unreadable),
       detail = coalesce(@detail, detail) WHERE seq = @seq AND state = 'no_result'`,
  );

  return function record(id: string, poll: PollRecord): Recorded {
    const { at } = poll;
    switch (poll.kind) {
      case 'pending':
        attempts.postponePoll(id, poll.nextPollAt, null, null);
        if (poll.beginsAt !== undefined) putOff(attempts.get(id), poll.beginsAt);
        for (const word of poll.unknown ?? []) keepWord(attempts.get(id), at, word);
        return 'stayed';
      case 'never_began': {
        const facts = { at, detail: poll.detail };
        return attempts.apply(attempts.get(id), { type: 'deadline_passed' }, facts);
      }
      case 'not_called':
        return recordNotCalled(attempts.get(id), poll);
      case 'contradicted':
        return recordContradiction(id, poll);
      case 'unreadable':
        attempts.postponePoll(id, poll.nextPollAt, poll.detail, poll.raw);
        for (const word of poll.unknown ?? []) keepWord(attempts.get(id), at, word);
        return 'stayed';
      case 'ended': {
        const { nextPollAt } = poll;
        attempts.postponePoll(id, nextPollAt, null, null);
        const facts = { at, detail: null, nextPollAt };
        return attempts.apply(attempts.get(id), { type: 'line_down' }, facts);
      }
      case 'settled':
        return recordSettled(id, poll);
      case 'still_none': {
        const { detail, raw } = poll;
        updateAsked({ seq: seqOf(id), at, detail: detail && `${STILL_NONE}: ${detail}`, raw });
        return 'stayed';
      }
    }
  };

  /** Postpones a call that begins later: its slot, longest call and deadline count from `beginsAt` (epoch ms). */
  function putOff({ seq, campaign_id }: AttemptRow, beginsAt: number): void {
    const until = beginsAt + campaigns.get(campaign_id).settings.longestCallMs;
    updateBegins({ seq, beginsAt, until, farthest: LONGEST_POSTPONED_MS });
  }

  /** The call ended without ringing: the lead waits again; the campaign pauses if all other dials would fail, too. */
  function recordNotCalled(attempt: AttemptRow, poll: Poll<'not_called'>): Recorded {
    const { at, callId, detail, notBefore, pause } = poll;
    const facts = { at, detail, notBefore, wasTaken: true };
    const recorded = attempts.apply(attempt, { type: 'not_called', callId }, facts);
    if (recorded !== 'moved') return recorded;
    if (pause) pauseCampaign(attempt, at, detail);
    else {
      services.backOff(attempt.service, at, BACKOFF_MS);
      refusals.add(attempt, poll);
    }
    return recorded;
  }

  function pauseCampaign({ seq, campaign_id: id }: AttemptRow, at: number, detail: string): void {
    if (campaigns.get(id).state !== 'running') return;
    const pause = { reason: 'profile', detail } as const;
    const entry = { ...pause, attempt: attemptId(seq) };
    campaigns.keeps.changeCampaign(
      id,
      { pause },
      { at, who: 'callsheet', what: 'campaign.paused', detail: entry },
    );
  }

  /** Puts a contradiction into the history once, even if the service repeats it. */
  function recordContradiction(
    id: string,
    { at, nextPollAt, detail, names }: Poll<'contradicted'>,
  ): Recorded {
    const attempt = attempts.get(id);
    attempts.postponePoll(id, nextPollAt, detail, JSON.stringify({ names }));
    if (attempt.detail === detail) return 'stayed';
    campaigns.addContradiction(attempt.campaign_id, at, { attempt: id, why: detail });
    return 'conflict';
  }

  function recordSettled(id: string, poll: Poll<'settled'>): Recorded {
    const { at, callId, result, source, callback, retryDerived, late } = poll;
    const attempt = attempts.get(id);
    const outcome = { result, source, callback, retryDerived, late };
    const facts = { at, detail: null, outcome, call: poll.analytics };
    const recorded = attempts.apply(attempt, { type: 'settled', callId }, facts);
    // Also if the call had another result or ended without ringing: only later analytics may say it.
    const isOurs =
      recorded !== 'conflict' || (attempt.call_id === callId && attempt.state === 'released');
    if (result === 'opted_out' && isOurs) suppression.addOptedOut(attempt.seq, at);
    if (recorded !== 'moved') return recorded;
    keepAnalytics(attempt.seq, poll);
    for (const word of poll.unknown ?? []) keepWord(attempt, at, word);
    return recorded;
  }

  /** Records an unknown word once, at most 20 in a campaign. */
  function keepWord({ campaign_id: campaign }: AttemptRow, at: number, word: UnknownWord) {
    insertWord({ campaign, at, detail: JSON.stringify(word), most: MOST_UNKNOWN_WORDS });
  }

  function keepAnalytics(
    attemptSeq: number,
    { at, analytics, said, refusal }: Poll<'settled'>,
  ): void {
    const { turns, durationMs, sentiment, extracted } = analytics;
    insertAnalytics(
      attemptSeq,
      at,
      analytics.transcript,
      turns.length === 0 ? null : JSON.stringify(turns),
      durationMs === null ? null : Math.round(durationMs),
      sentiment?.label ?? null,
      sentiment?.score ?? null,
      analytics.summary,
      analytics.recordingUrl,
      analytics.cost,
      analytics.costCurrency,
      JSON.stringify(analytics.raw),
      extracted === null ? null : JSON.stringify(extracted),
      said ?? null,
      refusal ?? null,
    );
  }
}
