import type { Database } from 'better-sqlite3';
import type { AttemptEvent } from '../../../domain/attempt.ts';
import type { DialRecord, Intent, Recorded } from '../../port.ts';
import { attemptId, type AttemptRow, type Facts } from '../tables/attempt-rows.ts';
import type { AttemptTable } from '../tables/attempts.ts';
import type { CampaignTable } from '../tables/campaigns.ts';
import type { ContestedCallTable } from '../tables/contested-calls.ts';
import type { ServiceBackoffTable } from '../tables/service-backoffs.ts';
import type { RefusalTable } from '../tables/refusals.ts';
import type { ReplayTable } from './replays.ts';

/** What the answer of a dial does to its attempt; the table `proven_services`. */
export function dialStatements(
  db: Database,
  tables: {
    attempts: AttemptTable;
    campaigns: CampaignTable;
    contested: ContestedCallTable;
    holds: ServiceBackoffTable;
    repeats: ReplayTable;
    refusals: RefusalTable;
  },
) {
  const { attempts, campaigns, contested, holds, repeats, refusals } = tables;
  const insertProof = db.prepare(
    'INSERT INTO proven_services VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const selectProof = db
    .prepare<[string], number>('SELECT 1 FROM proven_services WHERE fingerprint = ?')
    .pluck();

  // A call that was found by its number alone gives way to the dial's own answer.
  const updateOwnCall = db.prepare<{ seq: number; callId: string; at: number }>(
    `UPDATE attempts SET call_id = @callId, found_by_number = 0, next_look_at = @at
     WHERE seq = @seq AND found_by_number = 1 AND state IN ('placed', 'ended')`,
  );

  /** @param id of the attempt; the contradiction is in the history already */
  function outranksMatch(id: string, callId: string, at: number): boolean {
    const attempt = attempts.get(id);
    if (attempts.holderOf(attempt, callId) !== null) return false;
    return updateOwnCall.run({ seq: attempt.seq, callId, at }).changes === 1;
  }

  /** One call id for two dials: told of both, and from now on neither has what only the id says is its own. */
  function contest(
    { seq, service }: AttemptRow,
    { callId, at }: Extract<DialRecord, { kind: 'placed' }>,
  ): string | null {
    const holder = attempts.holderOf({ seq, service }, callId);
    if (holder === null) return null;
    contested.add(service, callId, seq, at);
    const why = `the service gave its call id ${callId} to attempt ${attemptId(seq)} as well`;
    campaigns.addHistory(attempts.get(holder).campaign_id, {
      at,
      who: 'callsheet',
      what: 'attempt.contradicted',
      detail: { attempt: holder, why },
    });
    return `the service answered with call id ${callId}, which attempt ${holder} has already`;
  }

  /** That a dial sent again came to nothing proves nothing about the first time: the attempt stays as it is. */
  function recordRepeat(
    attempt: AttemptRow,
    { at, detail, answered, accepted }: Extract<DialRecord, { kind: 'unknown' }>,
    { spent, backoffMs }: { spent: boolean; backoffMs: number | null },
  ): Recorded {
    repeats.failed(attemptId(attempt.seq), at, spent);
    if (backoffMs !== null) holds.begin(attempt.service, at, backoffMs);
    // Anything else has become of it meanwhile, by its own late answer or by evidence.
    if (attempt.state !== 'unknown' && attempt.state !== 'unconfirmed') return 'stayed';
    return attempts.apply(attempt, { type: 'lost' }, { at, detail, answered, accepted });
  }

  function recordReleased(
    attempt: AttemptRow,
    answer: Extract<DialRecord, { kind: 'released' }>,
  ): Recorded {
    const { at, backoffMs, refusal, giveBack = [] } = answer;
    if (backoffMs !== undefined) holds.begin(attempt.service, at, backoffMs);
    for (const id of giveBack) {
      const rejected = attempts.get(id);
      if (rejected.state === 'rejected') giveUpOrRelease(rejected, answer, { type: 'not_theirs' });
    }
    if (refusal === undefined) return attempts.apply(attempt, eventOf(answer), factsOf(answer));
    return giveUpOrRelease(attempt, answer, eventOf(answer));
  }

  /** Its lead waits again, unless it has been refused so often that it ends as rejected. */
  function giveUpOrRelease(
    attempt: AttemptRow,
    answer: Extract<DialRecord, { kind: 'released' }>,
    event: AttemptEvent,
  ): Recorded {
    const recorded = attempts.apply(attempt, event, factsOf(answer));
    if (recorded === 'moved') refusals.add(attempt, answer);
    return recorded;
  }

  return {
    isProven: (fingerprint: string): boolean => selectProof.get(fingerprint) !== undefined,
    record(id: string, answer: DialRecord): Recorded {
      const attempt = attempts.get(id);
      if (answer.kind === 'unknown' && answer.replay !== undefined) {
        return recordRepeat(attempt, answer, answer.replay);
      }
      if (answer.kind === 'released') return recordReleased(attempt, answer);
      const recorded = attempts.apply(attempt, eventOf(answer), factsOf(answer));
      if (answer.kind !== 'placed') return recorded;
      if (recorded === 'conflict') {
        if (outranksMatch(id, answer.callId, answer.at)) return 'moved';
        // The id belongs to another attempt: the contradiction is kept, and what became of this dial is not known.
        const { at } = answer;
        const detail = contest(attempt, answer) ?? answer.detail;
        const facts = { at, detail, answered: true, accepted: true };
        attempts.apply(attempts.get(id), { type: 'lost' }, facts);
      } else {
        insertProof.run(answer.fingerprint, answer.at);
        refusals.taken(attempt, answer.at);
      }
      return recorded;
    },
    /** Gives intents back whose request was never begun. One that was sent before stays in doubt for that. */
    takeBack(intents: readonly Intent[], at: number, detail: string): void {
      for (const { attemptId: id, replayed } of intents) {
        if (replayed === true) {
          repeats.failed(id, at, false);
          continue;
        }
        const facts = { at, detail, notBefore: 0 };
        attempts.apply(attempts.get(id), { type: 'never_sent' }, facts);
      }
    },
  };
}

function eventOf(answer: DialRecord): AttemptEvent {
  switch (answer.kind) {
    case 'placed':
      return { type: 'placed', callId: answer.callId };
    case 'released':
      return { type: answer.reason === 'never_sent' ? 'never_sent' : 'refused' };
    case 'rejected':
      return { type: 'rejected' };
    case 'unknown':
      return { type: 'lost' };
  }
}

function factsOf(answer: DialRecord): Facts {
  const { at, detail } = answer;
  switch (answer.kind) {
    case 'placed':
      return { at, detail, answered: true, nextPollAt: answer.nextPollAt };
    case 'released': {
      const answered = answer.reason === 'refused_without_effect';
      return { at, detail, answered, notBefore: answer.notBefore };
    }
    case 'rejected':
      return { at, detail, answered: true };
    case 'unknown':
      return { at, detail, answered: answer.answered, accepted: answer.accepted };
  }
}
