import type { AttemptEvent } from '../../../domain/attempt.ts';
import type { DialRecord, Intent, Recorded } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { attemptId, type AttemptRow, type Facts } from '../tables/attempt-rows.ts';
import type { Tables } from '../tables/tables.ts';
import type { ReplayTable } from './replays.ts';

type Dial<Kind extends DialRecord['kind']> = Extract<DialRecord, { kind: Kind }>;

/** What the answer of a dial does to its attempt. */
export function dialStatements(sql: Sql, tables: Tables, replays: ReplayTable) {
  const { attempts, campaigns, refusals, services } = tables;
  // A call that was found by its number alone gives way to the dial's own answer.
  const updateOwnCall = sql.run<[{ seq: number; callId: string; at: number }]>(
    `UPDATE attempts SET call_id = @callId, found_by_number = 0, next_look_at = @at
     WHERE seq = @seq AND found_by_number = 1 AND state IN ('placed', 'ended')`,
  );

  function recordPlaced(id: string, attempt: AttemptRow, answer: Dial<'placed'>): Recorded {
    const { callId, at, fingerprint } = answer;
    const recorded = attempts.apply(attempt, ...wordOf(answer));
    if (recorded !== 'conflict') {
      services.prove(fingerprint, at);
      refusals.taken(attempt, at);
      return recorded;
    }
    if (outranksMatch(id, answer.callId, answer.at)) return 'moved';
    // The call is another attempt's: the history has the contradiction, and what became of this dial is unknown.
    const detail = contest(attempt, callId, at) ?? answer.detail;
    const facts = { at, detail, answered: true, accepted: true };
    attempts.apply(attempts.get(id), { type: 'lost' }, facts);
    return recorded;
  }

  /** @param id of the attempt; the contradiction is in the history already */
  function outranksMatch(id: string, callId: string, at: number): boolean {
    const attempt = attempts.get(id);
    if (attempts.holderOf(attempt, callId) !== null) return false;
    return updateOwnCall({ seq: attempt.seq, callId, at }) === 1;
  }

  /** One call id for two dials is kept for both: from now on the id alone tells neither which call is its own. */
  function contest({ seq, service }: AttemptRow, callId: string, at: number): string | null {
    const holder = attempts.holderOf({ seq, service }, callId);
    if (holder === null) return null;
    attempts.contest(service, callId, seq, at);
    const why = `the service gave its call id ${callId} to attempt ${attemptId(seq)} as well`;
    campaigns.addContradiction(attempts.get(holder).campaign_id, at, { attempt: holder, why });
    return `the service answered with call id ${callId}, which attempt ${holder} has already`;
  }

  /** That a replay came to nothing proves nothing about the first dial: the attempt stays as it is. */
  function recordReplay(attempt: AttemptRow, answer: Dial<'unknown'>): Recorded {
    const { at, replay } = answer;
    replays.failed(attemptId(attempt.seq), at, replay?.spent === true);
    if (replay?.backoffMs != null) services.backOff(attempt.service, at, replay.backoffMs);
    // Its own late answer, or evidence, has decided it meanwhile.
    if (attempt.state !== 'unknown' && attempt.state !== 'unconfirmed') return 'stayed';
    return attempts.apply(attempt, ...wordOf(answer));
  }

  function recordReleased(attempt: AttemptRow, answer: Dial<'released'>): Recorded {
    const { at, backoffMs, refusal, giveBack = [] } = answer;
    if (backoffMs !== undefined) services.backOff(attempt.service, at, backoffMs);
    for (const id of giveBack) {
      const rejected = attempts.get(id);
      if (rejected.state === 'rejected') release(rejected, answer, { type: 'not_theirs' });
    }
    if (refusal === undefined) return attempts.apply(attempt, ...wordOf(answer));
    return release(attempt, answer);
  }

  /** Its lead waits again, unless it has been refused so often that it ends as rejected. */
  function release(attempt: AttemptRow, answer: Dial<'released'>, other?: AttemptEvent): Recorded {
    const [event, facts] = wordOf(answer);
    const recorded = attempts.apply(attempt, other ?? event, facts);
    if (recorded === 'moved') refusals.add(attempt, answer);
    return recorded;
  }

  return {
    record: (id: string, answer: DialRecord): Recorded => {
      const attempt = attempts.get(id);
      if (answer.kind === 'unknown' && answer.replay !== undefined) {
        return recordReplay(attempt, answer);
      }
      if (answer.kind === 'released') return recordReleased(attempt, answer);
      if (answer.kind === 'placed') return recordPlaced(id, attempt, answer);
      return attempts.apply(attempt, ...wordOf(answer));
    },
    /** Gives intents back whose requests were never begun. One that was sent before stays in doubt for that. */
    takeBack: (intents: readonly Intent[], at: number, detail: string): void => {
      for (const { attemptId: id, replayed } of intents) {
        if (replayed === true) {
          replays.failed(id, at, false);
          continue;
        }
        const facts = { at, detail, notBefore: 0 };
        attempts.apply(attempts.get(id), { type: 'never_sent' }, facts);
      }
    },
  };
}

/** What an answer says of its attempt. */
function wordOf(answer: DialRecord): [AttemptEvent, Facts] {
  const { at, detail } = answer;
  switch (answer.kind) {
    case 'placed': {
      const { callId, nextPollAt } = answer;
      return [
        { type: 'placed', callId },
        { at, detail, answered: true, nextPollAt },
      ];
    }
    case 'released': {
      const { reason, notBefore } = answer;
      const answered = reason === 'refused_without_effect';
      return [{ type: answered ? 'refused' : 'never_sent' }, { at, detail, answered, notBefore }];
    }
    case 'rejected':
      return [{ type: 'rejected' }, { at, detail, answered: true }];
    case 'unknown': {
      const { answered, accepted } = answer;
      return [{ type: 'lost' }, { at, detail, answered, accepted }];
    }
  }
}
