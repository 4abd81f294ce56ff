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
  holdForMs: number | null;
}

/**
 * What an answer means for its attempt and for the campaign. Keeps only the run of equal answers that are
 * not what the profile expects.
 */
export class Judge {
  #last = { status: 0, text: '', count: 0 };

  /**
   * @param proven whether this service has answered a dial as its profile expects before; until then every
   *   unexpected answer pauses the campaign, and a 4xx gives the lead back
   * @param placed what goes into the record of a placed call
   */
  judge(
    answer: DialAnswer,
    now: number,
    proven: boolean,
    placed: { nextLookAt: number; fingerprint: string },
  ): Judgement {
    const { detail } = answer;
    const base = { at: now, detail };
    switch (answer.kind) {
      case 'placed':
        this.#last.count = 0;
        return verdict(placedRecord(now, answer, placed), 'good');
      case 'neverSent': {
        const byPermit = answer.cause === 'permit';
        const notBefore = byPermit ? 0 : now + SHORTEST_DELAY_MS;
        const record: DialRecord = { ...base, kind: 'released', reason: 'never_sent', notBefore };
        return verdict(record, byPermit ? null : 'failure');
      }
      case 'refused': {
        const holdForMs = Math.max(SHORTEST_DELAY_MS, answer.retryAfterMs ?? 0);
        const record: DialRecord = { ...givenBack(now, detail, now + holdForMs), holdForMs };
        return { ...verdict(record, null), holdForMs };
      }
      case 'rejected': {
        const why = this.#whyRejected(answer, proven);
        const reason = why ?? (answer.pause === true ? 'profile' : null);
        if (reason === null) return verdict({ ...base, kind: 'rejected' }, 'good');
        return { ...verdict(givenBack(now, detail, now), 'good'), pause: { reason, detail } };
      }
      case 'unknown': {
        const { status } = answer;
        const isAnswered = status !== null && status < 400;
        const pause = this.#isMisread(answer, proven)
          ? { reason: 'profile' as const, detail }
          : null;
        const answered = status !== null;
        const accepted = answered && status >= 200 && status < 300;
        const record: DialRecord = { ...base, kind: 'unknown', answered, accepted };
        return { ...verdict(record, isAnswered ? null : 'failure'), pause };
      }
    }
  }

  #whyRejected({ status, detail }: DialAnswer, proven: boolean): PauseReason | null {
    if (status === 401 || status === 403) return 'key';
    if (!proven || CONFIGURATION_STATUSES.has(status ?? 0)) return 'profile';
    // Numbers and request ids differ from one refusal to the next; what is left says whether it is the same one.
    const text = detail.replace(/[\w+*-]*[\d*][\w+*-]*/g, '#');
    return this.#isOneTooMany(status ?? 0, text) ? 'profile' : null;
  }

  /**
   * An answer that came and is not what the profile expects: a 3xx, a 2xx without an id, a 4xx that proves
   * nothing. Later on a few are the service's troubles, but a run of redirects or of unread ids would cost
   * the whole list its certainty.
   */
  #isMisread({ status }: DialAnswer, proven: boolean): boolean {
    if (status === null || status >= 500) return false;
    if (!proven) return true;
    return status < 400 && this.#isOneTooMany(status, '');
  }

  #isOneTooMany(status: number, text: string): boolean {
    const isEqual = this.#last.status === status && this.#last.text === text;
    this.#last = { status, text, count: isEqual ? this.#last.count + 1 : 1 };
    return this.#last.count >= EQUAL_ANSWERS;
  }
}

/** Field by field: nearly every dial makes one, and spreading objects costs more than the rest of judging. */
function placedRecord(
  at: number,
  { detail, callId }: Extract<DialAnswer, { kind: 'placed' }>,
  { nextLookAt, fingerprint }: { nextLookAt: number; fingerprint: string },
): DialRecord {
  return { at, detail, kind: 'placed', callId, nextLookAt, fingerprint };
}

function verdict(record: DialRecord, health: Judgement['health']): Judgement {
  return { record, pause: null, health, holdForMs: null };
}

function givenBack(
  at: number,
  detail: string,
  notBefore: number,
): Extract<DialRecord, { kind: 'released' }> {
  return { at, detail, kind: 'released', reason: 'refused_without_effect', notBefore };
}
