import type { AttemptEvent } from '../../../domain/attempt.ts';
import type { DialRecord, Intent, Recorded } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { attemptId, seqOf, type AttemptRow, type Facts } from '../tables/attempt-rows.ts';
import type { Tables } from '../tables/tables.ts';
import type { ReplayTable } from './replays.ts';

type Dial<Kind extends DialRecord['kind']> = Extract<DialRecord, { kind: Kind }>;

/** Applies the answer of a dial to its attempt. */
export function dialStatements(sql: Sql, tables: Tables, replays: ReplayTable) {
  const { attempts, campaigns, refusals, services } = tables;
  // The call id in the dial's own answer replaces one that was matched by phone number alone.
  const updateOwnCall = sql.run<[{ seq: number; callId: string; at: number }]>(
    `UPDATE attempts SET call_id = @callId, found_by_number = 0, next_poll_at = @at
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
    // Another attempt has this call id: the contradiction is in the history, and the fate of this dial is unknown.
    const detail = contest(attempt, callId, at) ?? answer.detail;
    const facts = { at, detail, answered: true, accepted: true };
    attempts.apply(attempts.get(id), { type: 'lost' }, facts);
    return recorded;
  }

  /** @returns true when `callId` has replaced an id matched by number; the history has the contradiction already */
  function outranksMatch(id: string, callId: string, at: number): boolean {
    const attempt = attempts.get(id);
    if (attempts.holderOf(attempt, callId) !== null) return false;
    return updateOwnCall({ seq: attempt.seq, callId, at }) === 1;
  }

  /** Records that the service gave one call id to two dials: from now on the id alone identifies neither call. */
  function contest({ seq, service }: AttemptRow, callId: string, at: number): string | null {
    const holder = attempts.holderOf({ seq }, callId);
    if (holder === null) return null;
    attempts.contest(service, callId, seq, at);
    const why = `the service gave its call id ${callId} to attempt ${attemptId(seq)} as well`;
    campaigns.addContradiction(attempts.get(holder).campaign_id, at, { attempt: holder, why });
    return `the service answered with call id ${callId}, which attempt ${holder} has already`;
  }

  /** A replay without a clear answer proves nothing about the first dial, so the attempt stays in doubt. */
  function recordReplay(attempt: AttemptRow, answer: Dial<'unknown'>): Recorded {
    const { at, replay } = answer;
    replays.failed(attemptId(attempt.seq), at, replay?.spent === true);
    if (replay?.backoffMs != null) services.backOff(attempt.service, at, replay.backoffMs);
    // A late answer to the first dial, or evidence, has decided the attempt meanwhile.
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

  /** The attempt's lead waits again, unless it has been refused so often that it ends as rejected. */
  function release(attempt: AttemptRow, answer: Dial<'released'>, other?: AttemptEvent): Recorded {
    const [event, facts] = wordOf(answer);
    const recorded = attempts.apply(attempt, other ?? event, facts);
    if (recorded === 'moved') refusals.add(attempt, answer);
    return recorded;
  }

  return {
    record: (id: string, answer: DialRecord): Recorded => {
      sql.ahead(() => refusals.isAny());
      if (answer.kind === 'placed')
        sql.ahead(() => attempts.holderOf({ seq: seqOf(id) }, answer.callId));
      const attempt = attempts.get(id);
      if (answer.kind === 'unknown' && answer.replay !== undefined) {
        return recordReplay(attempt, answer);
      }
      if (answer.kind === 'released') return recordReleased(attempt, answer);
      if (answer.kind === 'placed') return recordPlaced(id, attempt, answer);
      return attempts.apply(attempt, ...wordOf(answer));
    },
    /** Releases intents whose requests were never begun. A replay stays in doubt, because its first dial was sent. */
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

/** Translates an answer into an event and facts for its attempt. */
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
      return [
        { type: 'rejected' },
        { at, detail, answered: true, invalidNumber: answer.invalidNumber === true },
      ];
    case 'unknown': {
      const { answered, accepted } = answer;
      return [{ type: 'lost' }, { at, detail, answered, accepted }];
    }
  }
}
