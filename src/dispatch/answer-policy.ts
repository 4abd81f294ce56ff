import type { PauseReason } from '../domain/campaign.ts';
import type { DialAnswer } from '../service/port.ts';
import type { DialRecord } from '../store/port.ts';

/** Statuses that blame the configuration (URL, key, body format), not one number. */
const CONFIGURATION_STATUSES = new Set([401, 403, 404, 405, 413, 415]);
/** This many equal 400 or 422 answers in a row count as a fault of the configuration, too. */
const EQUAL_ANSWERS = 5;
/** The wait after a connection that failed, and the least one after a refusal, even if its Retry-After is shorter. */
const SHORTEST_DELAY_MS = 1_000;

export type Pause = { reason: PauseReason; detail: string };

export interface Judgement {
  record: DialRecord;
  /** Set when no further dial can succeed: the campaign is paused with this reason. */
  pause: Pause | null;
  /** What the circuit breaker counts; null: it does not count this answer. */
  health: 'good' | 'failure' | null;
  /** How long the service asked to get no request, ms; null: it did not ask. */
  backoffMs: number | null;
}

/** What was decided of an answer, and how long it took from the dial to the record of its answer, ms. */
export type Answered = Judgement & { tookMs: number };

type PlacedFacts = Pick<Extract<DialRecord, { kind: 'placed' }>, 'nextPollAt' | 'fingerprint'>;

/**
 * Decides what the answer to a dial means for its attempt and for the campaign. Its only state is the current run
 * of equal unexpected answers.
 */
export class AnswerPolicy {
  #last = { status: 0, text: '', attempts: [] as string[] };

  /**
   * @param proven whether this service has answered a dial as its profile expects before; until then every
   *   unexpected answer pauses the campaign, and a 4xx gives the lead back
   * @param placed goes into the record of a placed call
   * @param attempt the attempt's id: if a run of equal answers is the configuration's fault, its leads are given back
   */
  judge(
    answer: DialAnswer,
    now: number,
    proven: boolean,
    placed: PlacedFacts,
    attempt: string,
  ): Judgement {
    const { detail, hint = '' } = answer;
    const withHint = hint === '' ? detail : `${detail.replace(/\.?$/, '.')} ${hint}`;
    const base = { at: now, detail };
    const givenBack = (notBefore: number) =>
      ({ ...base, kind: 'released', reason: 'refused_without_effect', notBefore }) as const;
    switch (answer.kind) {
      case 'placed':
        this.#last.attempts = [];
        return judgePlaced(answer, now, placed);
      case 'neverSent': {
        const byPermit = answer.cause === 'permit';
        const notBefore = byPermit ? 0 : now + SHORTEST_DELAY_MS;
        const record: DialRecord = { ...base, kind: 'released', reason: 'never_sent', notBefore };
        return judgement(record, byPermit ? null : 'failure');
      }
      case 'refused': {
        const backoffMs = backoffOf(answer);
        const refusal = wordsOf(answer);
        const record = { ...givenBack(now + backoffMs), backoffMs, refusal };
        return { ...judgement(record, null), backoffMs };
      }
      case 'rejected': {
        const why = this.#whyRejected(answer, proven, attempt);
        if (why === null) {
          const invalidNumber = answer.invalidNumber === true;
          return judgement({ ...base, kind: 'rejected', invalidNumber }, 'good');
        }
        const { reason, giveBack } = why;
        const record = givenBack(now);
        const pause = { reason, detail: reason === 'profile' ? withHint : detail };
        if (giveBack.length === 0) return { ...judgement(record, 'good'), pause };
        // Each of these leads counts one more refusal: a lead that is refused again and again ends as rejected.
        const refused = { ...record, giveBack, refusal: wordsOf(answer) };
        return { ...judgement(refused, 'good'), pause };
      }
      case 'unknown': {
        const isMisread = this.#isMisread(answer, proven, attempt);
        const answered = answer.status !== null;
        const record = {
          ...base,
          kind: 'unknown',
          answered,
          accepted: isAccepted(answer),
        } as const;
        const pause = isMisread ? { reason: 'profile' as const, detail: withHint } : null;
        return { ...judgement(record, isFailure(answer) ? 'failure' : null), pause };
      }
    }
  }

  /** @returns null if only this lead is concerned; `giveBack`: attempts of the run, rejected with the same answer */
  #whyRejected(
    answer: Extract<DialAnswer, { kind: 'rejected' }>,
    proven: boolean,
    attempt: string,
  ): { reason: PauseReason; giveBack: string[] } | null {
    const { status, pause, named } = answer;
    // The profile says that this error is about the number, so the service has understood the request itself.
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
   * True when the profile probably does not fit the service: a 3xx, a 2xx without a call id, a 4xx that proves
   * nothing. A proven service may give a few such answers, but a run of them has to stop the campaign: each one
   * leaves a lead in doubt.
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

/** The text without numbers and request ids, which differ in otherwise equal answers. */
function wordsOf({ detail }: DialAnswer): string {
  return detail.replace(/(?<![\w+*-])[\w+*-]*[\d*][\w+*-]*/g, '#');
}

function judgement(record: DialRecord, health: Judgement['health']): Judgement {
  return { record, pause: null, health, backoffMs: null };
}

/**
 * Decides what the answer to a replay means: a dial that was sent once more under the same idempotency key, because
 * its first answer was lost. Only `placed` settles the doubt. A refused or unsent replay proves
 * nothing about the first dial, so its attempt stays unknown.
 *
 * @param placed goes into the record of a placed call
 */
export function decideReplay(answer: DialAnswer, now: number, placed: PlacedFacts): Judgement {
  if (answer.kind === 'placed') return judgePlaced(answer, now, placed);
  const { kind, detail } = answer;
  const accepted = kind === 'unknown' && isAccepted(answer);
  const backoffMs = kind === 'refused' ? backoffOf(answer) : null;
  // A replay that the service may have looked at counts as one of the few allowed; a refused or unsent one does not.
  const replay = { spent: kind === 'unknown' || kind === 'rejected', backoffMs };
  const facts = { answered: accepted, accepted, replay };
  const hasFailed =
    kind === 'neverSent' ? answer.cause === 'connection' : kind === 'unknown' && isFailure(answer);
  const reason = whyPaused(answer);
  return {
    record: { at: now, detail, kind: 'unknown', ...facts },
    pause: reason === null ? null : { reason, detail },
    health: hasFailed ? 'failure' : null,
    backoffMs,
  };
}

function whyPaused(answer: DialAnswer): PauseReason | null {
  if (answer.kind !== 'rejected') return null;
  if (answer.status === 401 || answer.status === 403) return 'key';
  return answer.pause === true ? 'profile' : null;
}

function judgePlaced(
  { detail, callId }: Extract<DialAnswer, { kind: 'placed' }>,
  at: number,
  placed: PlacedFacts,
): Judgement {
  return judgement({ at, detail, kind: 'placed', callId, ...placed }, 'good');
}

/** How long a refusal stops all dials, ms. */
function backoffOf(answer: Extract<DialAnswer, { kind: 'refused' }>): number {
  return Math.max(SHORTEST_DELAY_MS, answer.retryAfterMs ?? 0);
}

/** True for an unreadable 2xx: the service says that it took the call, even if the answer holds no call id. */
function isAccepted({ status }: DialAnswer): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** True for an unknown answer that indicates a failing service: a transport error, a timeout, a 5xx. */
function isFailure({ status }: DialAnswer): boolean {
  return status === null || status >= 400;
}
