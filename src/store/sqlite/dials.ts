import type { Database } from 'better-sqlite3';
import type { AttemptEvent } from '../../domain/attempt.ts';
import type { DialRecord, Intent, Recorded } from '../port.ts';
import type { AttemptTable, Facts } from './attempts.ts';
import type { HoldTable } from './holds.ts';

/** What the answer of a dial does to its attempt; the table `proven_services`. */
export function dialStatements(db: Database, attempts: AttemptTable, holds: HoldTable) {
  const insertProof = db.prepare(
    'INSERT INTO proven_services VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const selectProof = db
    .prepare<[string], number>('SELECT 1 FROM proven_services WHERE fingerprint = ?')
    .pluck();

  return {
    isProven: (fingerprint: string): boolean => selectProof.get(fingerprint) !== undefined,
    record(attemptId: string, answer: DialRecord): Recorded {
      const attempt = attempts.get(attemptId);
      const recorded = attempts.apply(attempt, eventOf(answer), factsOf(answer));
      if (answer.kind === 'released' && answer.holdForMs !== undefined) {
        holds.begin(attempt.service, answer.at, answer.holdForMs);
      }
      if (answer.kind !== 'placed') return recorded;
      if (recorded === 'conflict') {
        // The id belongs to another attempt: the contradiction is kept, and what became of this dial is not known.
        const { at, detail } = answer;
        const facts = { at, detail, answered: true, accepted: true };
        attempts.apply(attempts.get(attemptId), { type: 'lost' }, facts);
      } else {
        insertProof.run(answer.fingerprint, answer.at);
      }
      return recorded;
    },
    /** Gives intents back whose request was never begun. */
    takeBack(intents: readonly Intent[], at: number, detail: string): void {
      for (const { attemptId } of intents) {
        const facts = { at, detail, notBefore: 0 };
        attempts.apply(attempts.get(attemptId), { type: 'never_sent' }, facts);
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
      return { at, detail, answered: true, nextLookAt: answer.nextLookAt };
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
