import type { PauseReason } from '../domain/campaign.ts';
import type { DialAnswer } from '../service/port.ts';
import type { DialRecord } from '../store/port.ts';

/** Statuses that speak of the configuration, not of one number. */
const CONFIGURATION_STATUSES = new Set([401, 403, 404, 405, 413, 415]);
/** So many equal 400 or 422 in a row are the configuration too. */
const EQUAL_REFUSALS = 5;
/** A refusal without Retry-After, and a connection that failed, are tried again after this. */
const DEFAULT_DELAY_MS = 1_000;

export interface Judgement {
  record: DialRecord;
  /** Set when this answer means that no further dial can be right. */
  pause: { reason: PauseReason; detail: string } | null;
  /** What the breaker learns of it. */
  health: 'good' | 'failure' | null;
  /** No dial at all before this (epoch ms): the service asked for time. */
  holdUntil: number | null;
}

/**
 * What an answer means for its attempt and for the campaign. Keeps only the run of equal refusals.
 */
export class Judge {
  #equalRefusals = { status: 0, text: '', count: 0 };

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
        this.#equalRefusals.count = 0;
        return verdict({ ...base, kind: 'placed', callId: answer.callId, ...placed }, 'good');
      case 'neverSent': {
        const byPermit = answer.cause === 'permit';
        const notBefore = byPermit ? 0 : now + DEFAULT_DELAY_MS;
        const record: DialRecord = { ...base, kind: 'released', reason: 'never_sent', notBefore };
        return verdict(record, byPermit ? null : 'failure');
      }
      case 'refused': {
        const notBefore = now + (answer.retryAfterMs ?? DEFAULT_DELAY_MS);
        const holdUntil = answer.retryAfterMs === null ? null : notBefore;
        return { ...verdict(givenBack(now, detail, notBefore), null), holdUntil };
      }
      case 'rejected': {
        const reason = this.#pauseReason(answer, proven);
        if (reason === null) return verdict({ ...base, kind: 'rejected' }, 'good');
        return { ...verdict(givenBack(now, detail, now), 'good'), pause: { reason, detail } };
      }
      case 'unknown': {
        const { status } = answer;
        const answered = status !== null && status < 400;
        const pause = answered && !proven ? { reason: 'profile' as const, detail } : null;
        return { ...verdict({ ...base, kind: 'unknown' }, answered ? null : 'failure'), pause };
      }
    }
  }

  #pauseReason(answer: DialAnswer, proven: boolean): PauseReason | null {
    const status = answer.status ?? 0;
    if (status === 401 || status === 403) return 'key';
    if (!proven || CONFIGURATION_STATUSES.has(status)) return 'profile';
    // Numbers differ from one refusal to the next; what is left says whether it is the same one.
    const text = answer.detail.replace(/[\d*]+/g, '#');
    const last = this.#equalRefusals;
    const isEqual = last.status === status && last.text === text;
    this.#equalRefusals = { status, text, count: isEqual ? last.count + 1 : 1 };
    return this.#equalRefusals.count >= EQUAL_REFUSALS ? 'profile' : null;
  }
}

function verdict(record: DialRecord, health: Judgement['health']): Judgement {
  return { record, pause: null, health, holdUntil: null };
}

function givenBack(at: number, detail: string, notBefore: number): DialRecord {
  return { at, detail, kind: 'released', reason: 'refused_without_effect', notBefore };
}
