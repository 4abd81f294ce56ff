import type { Database } from 'better-sqlite3';
import type { PollRecord, Recorded } from '../../port.ts';
import type { UnrungCalls } from '../claim/unrung-calls.ts';
import { analyticsTable } from './analytics.ts';
import type { AttemptTable } from './attempts.ts';
import type { CampaignTable } from './campaigns.ts';
import type { SuppressionTable } from './suppression.ts';

/** What a poll does to its attempt. */
export function pollStatements(
  db: Database,
  {
    attempts,
    campaigns,
    suppression,
    unrung,
  }: {
    attempts: AttemptTable;
    campaigns: CampaignTable;
    suppression: SuppressionTable;
    unrung: UnrungCalls;
  },
) {
  const analytics = analyticsTable(db);

  return function record(id: string, poll: PollRecord): Recorded {
    const { at } = poll;
    switch (poll.kind) {
      case 'pending':
        attempts.postponePoll(id, poll.nextPollAt, null, null);
        if (poll.beginsAt !== undefined) unrung.putOff(attempts.get(id), poll.beginsAt);
        return 'stayed';
      case 'never_began': {
        const facts = { at, detail: poll.detail };
        return attempts.apply(attempts.get(id), { type: 'deadline_passed' }, facts);
      }
      case 'not_called':
        return unrung.notCalled(attempts.get(id), poll);
      case 'contradicted':
        return recordContradiction(id, poll);
      case 'unreadable':
        attempts.postponePoll(id, poll.nextPollAt, poll.detail, poll.raw);
        return 'stayed';
      case 'ended': {
        const { nextPollAt } = poll;
        attempts.postponePoll(id, nextPollAt, null, null);
        const facts = { at, detail: null, nextPollAt };
        return attempts.apply(attempts.get(id), { type: 'line_down' }, facts);
      }
      case 'settled':
        return recordSettled(id, poll);
    }
  };

  /** It goes into the history once, however often the service says it. */
  function recordContradiction(
    id: string,
    { at, nextPollAt, detail, names }: Extract<PollRecord, { kind: 'contradicted' }>,
  ): Recorded {
    const attempt = attempts.get(id);
    attempts.postponePoll(id, nextPollAt, detail, JSON.stringify({ names }));
    if (attempt.detail === detail) return 'stayed';
    campaigns.addContradiction(attempt.campaign_id, at, { attempt: id, why: detail });
    return 'conflict';
  }

  function recordSettled(id: string, poll: Extract<PollRecord, { kind: 'settled' }>): Recorded {
    const { at, callId, result, source } = poll;
    const attempt = attempts.get(id);
    const facts = { at, detail: null, outcome: { result, source } };
    const recorded = attempts.apply(attempt, { type: 'settled', callId }, facts);
    if (recorded !== 'moved') return recorded;
    analytics.keep(attempt.seq, at, poll.analytics);
    // By the service's own word only: what is derived from a transcript may be a misunderstanding.
    if (result === 'opted_out' && source === 'service') suppression.addOptedOut(attempt.seq, at);
    return recorded;
  }
}
