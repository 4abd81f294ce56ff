import type { PauseReason } from '../domain/campaign.ts';
import type { DialAnswer } from '../service/port.ts';
import type { DialRecord } from '../store/port.ts';

/** Statuses that speak of the configuration, not of one number. */
const CONFIGURATION_STATUSES = new Set([401, 403, 404, 405, 413, 415]);
/** So many equal 400 or 422 in a row are the configuration too. */
const EQUAL_ANSWERS = 5;
/** After a connection that failed, and after a refusal at the least, whatever its Retry-After says. */
const SHORTEST_DELAY_MS = 1_000;

export interface Judgement {
  record: DialRecord;
  /** Set when this answer means that no further dial can be right. */
  pause: { reason: PauseReason; detail: string } | null;
  /** What the breaker learns of it. */
  health: 'good' | 'failure' | null;
  /** No dial at all for so long: the service asked for time. */
  backoffMs: number | null;
}

/**
 * What an answer means for its attempt and for the campaign. Keeps only the run of equal answers that are
 * not what the profile expects.
 */
export class AnswerPolicy {
  #last: { status: number; text: string; attempts: string[] } = {
    status: 0,
    text: '',
    attempts: [],
  };

  /**
   * @param proven whether this service has answered a dial as its profile expects before; until then every
   *   unexpected answer pauses the campaign, and a 4xx gives the lead back
   * @param placed what goes into the record of a placed call
   * @param attempt its id, for those that are given back later
   */
  judge(
    answer: DialAnswer,
    now: number,
    proven: boolean,
    placed: { nextPollAt: number; fingerprint: string },
    attempt: string,
  ): Judgement {
    const { detail } = answer;
    const base = { at: now, detail };
    switch (answer.kind) {
      case 'placed':
        this.#last.attempts = [];
        return verdict(placedRecord(now, answer, placed), 'good');
      case 'neverSent': {
        const byPermit = answer.cause === 'permit';
        const notBefore = byPermit ? 0 : now + SHORTEST_DELAY_MS;
        const record: DialRecord = { ...base, kind: 'released', reason: 'never_sent', notBefore };
        return verdict(record, byPermit ? null : 'failure');
      }
      case 'refused': {
        const backoffMs = Math.max(SHORTEST_DELAY_MS, answer.retryAfterMs ?? 0);
        const refusal = wordsOf(answer);
        const record: DialRecord = {
          ...givenBack(now, detail, now + backoffMs),
          backoffMs,
          refusal,
        };
        return { ...verdict(record, null), backoffMs };
      }
      case 'rejected': {
        const why = this.#whyRejected(answer, proven, attempt);
        if (why === null) return verdict({ ...base, kind: 'rejected' }, 'good');
        const { reason, giveBack } = why;
        const record = givenBack(now, detail, now);
        const pause = { reason, detail };
        if (giveBack.length === 0) return { ...verdict(record, 'good'), pause };
        // Each of them was refused once more for this: in the end that is the lead's own.
        const refused = { ...record, giveBack, refusal: wordsOf(answer) };
        return { ...verdict(refused, 'good'), pause };
      }
      case 'unknown': {
        const { status } = answer;
        const isAnswered = status !== null && status < 400;
        const pause = this.#isMisread(answer, proven, attempt)
          ? { reason: 'profile' as const, detail }
          : null;
        const answered = status !== null;
        const accepted = answered && status >= 200 && status < 300;
        const record: DialRecord = { ...base, kind: 'unknown', answered, accepted };
        return { ...verdict(record, isAnswered ? null : 'failure'), pause };
      }
    }
  }

  /** @returns null where it is this person's alone; `giveBack`: attempts that were rejected with the same answer */
  #whyRejected(
    answer: Extract<DialAnswer, { kind: 'rejected' }>,
    proven: boolean,
    attempt: string,
  ): { reason: PauseReason; giveBack: string[] } | null {
    const { status, pause, named } = answer;
    // The profile knows these words: they speak of the number, and prove that the rest is right.
    if (named === true && pause !== true) {
      this.#last.attempts = [];
      return null;
    }
    if (status === 401 || status === 403) return { reason: 'key', giveBack: [] };
    if (pause === true || !proven || CONFIGURATION_STATUSES.has(status ?? 0)) {
      return { reason: 'profile', giveBack: [] };
    }
    const before = this.#last.attempts;
    if (!this.#isOneTooMany(status ?? 0, wordsOf(answer), attempt)) return null;
    return { reason: 'profile', giveBack: before };
  }

  /**
   * An answer that came and is not what the profile expects: a 3xx, a 2xx without an id, a 4xx that proves
   * nothing. Later on a few are the service's troubles, but a run of redirects or of unread ids would cost
   * the whole list its certainty.
   */
  #isMisread({ status }: DialAnswer, proven: boolean, attempt: string): boolean {
    if (status === null || status >= 500) return false;
    if (!proven) return true;
    return status < 400 && this.#isOneTooMany(status, '', attempt);
  }

  #isOneTooMany(status: number, text: string, attempt: string): boolean {
    const isEqual = this.#last.status === status && this.#last.text === text;
    const attempts = isEqual ? [...this.#last.attempts, attempt].slice(-EQUAL_ANSWERS) : [attempt];
    this.#last = { status, text, attempts };
    return attempts.length >= EQUAL_ANSWERS;
  }
}

/** Numbers and request ids differ from one refusal to the next; what is left says whether it is the same one. */
function wordsOf({ detail }: DialAnswer): string {
  return detail.replace(/[\w+*-]*[\d*][\w+*-]*/g, '#');
}

/** Field by field: nearly every dial makes one, and spreading objects costs more than the rest of judging. */
function placedRecord(
  at: number,
  { detail, callId }: Extract<DialAnswer, { kind: 'placed' }>,
  { nextPollAt, fingerprint }: { nextPollAt: number; fingerprint: string },
): DialRecord {
  return { at, detail, kind: 'placed', callId, nextPollAt, fingerprint };
}

function verdict(record: DialRecord, health: Judgement['health']): Judgement {
  return { record, pause: null, health, backoffMs: null };
}

function givenBack(
  at: number,
  detail: string,
  notBefore: number,
): Extract<DialRecord, { kind: 'released' }> {
  return { at, detail, kind: 'released', reason: 'refused_without_effect', notBefore };
}
