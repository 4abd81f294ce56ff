/**
 * An attempt is one permission to dial one lead once. This file has every state of an attempt, every fact that can
 * reach an attempt, and the effect of each fact: `transition` is the only place where this is decided. The database
 * repeats the states as CHECKs and guarded updates.
 */

/** All states of an attempt: first those of a normal call in their order, then the others. */
export const ATTEMPT_STATES = [
  /** Set by the claim, committed before the request. After a crash in this state, the attempt becomes `unknown`. */
  'intent',
  /** The service took the call and its call id is known. Left by `ended`, `settled` or `no_result`. */
  'placed',
  /** The line is down, or presumed down after `longestCall`; the slot is free, and polls continue. */
  'ended',
  /** The analytics are stored. Final. */
  'settled',
  /**
   * The dial was perhaps sent, and its answer was lost. Holds a slot; never redialled, at most replayed under its key
   * (`refused-dials.ts`).
   */
  'unknown',
  /** The service refused this call for good. Final. */
  'rejected',
  /** Provably without effect: the lead waits again, no attempt is spent. Has a call id if the service took the call. */
  'released',
  /** Was `unknown`, and no evidence came in time. Exported, not redialled; later evidence still changes the state. */
  'unconfirmed',
  /** Was placed, but no readable analytics came before the deadline; later analytics still change the state. */
  'no_result',
] as const;

export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** A fact that reaches an attempt. `callId` is the service's id of the call that the fact is about. */
export type AttemptEvent =
  /** The dial's own answer: the service took the call. */
  | { type: 'placed'; callId: string }
  /** The dial's own answer: refused for good. */
  | { type: 'rejected' }
  /** The dial's own answer: the service proved that it did nothing. */
  | { type: 'refused' }
  /** The send marker proves that nothing was sent. */
  | { type: 'never_sent' }
  /** Sent, and no usable answer: timeout, reset, 5xx, a 2xx without a readable id. */
  | { type: 'lost' }
  /** The process that owned the intent is gone, or two minutes have passed. */
  | { type: 'orphaned' }
  /** Another source than the dial's answer names the call: a webhook, a call list, an operator. */
  | { type: 'evidence'; callId: string }
  /** The service says that the line is down; analytics are still to come. */
  | { type: 'line_down' }
  /** `longestCall` has passed since the intent. */
  | { type: 'longest_call_passed' }
  /** Readable analytics of the call are here. */
  | { type: 'settled'; callId: string }
  /** The service says that it ended the call without ringing, for a reason that does not concern this person. */
  | { type: 'not_called'; callId: string }
  /** Other leads were refused for the same reason, so it did not concern this person, and the lead waits again. */
  | { type: 'not_theirs' }
  /** `polling.deadline` has passed without readable analytics. */
  | { type: 'deadline_passed' }
  /** `unknown.reconcileFor` has passed without evidence, or a person has settled the doubt. */
  | { type: 'gave_up' };

export type AttemptEventType = AttemptEvent['type'];

/** The effect of a fact: a new state, none (the fact was known or comes too late), or a contradiction to record. */
export type Transition =
  { kind: 'move'; to: AttemptState } | { kind: 'stay' } | { kind: 'conflict'; why: string };

type Cell = AttemptState | 'stay' | 'conflict';

type Row = Record<AttemptEventType, Cell>;

/** A call whose id is known, and whose analytics may still come. */
const KNOWN_CALL: Row = {
  placed: 'stay',
  rejected: 'conflict',
  refused: 'conflict',
  never_sent: 'conflict',
  lost: 'stay',
  orphaned: 'stay',
  evidence: 'stay',
  line_down: 'stay',
  longest_call_passed: 'stay',
  settled: 'settled',
  not_called: 'released',
  not_theirs: 'conflict',
  deadline_passed: 'no_result',
  gave_up: 'stay',
};

/** A call in doubt. A late answer to the dial still ends the doubt: the process that sent the dial only seemed dead. */
const IN_DOUBT: Row = {
  placed: 'placed',
  rejected: 'rejected',
  refused: 'released',
  never_sent: 'released',
  lost: 'stay',
  orphaned: 'stay',
  evidence: 'placed',
  line_down: 'conflict',
  longest_call_passed: 'stay',
  settled: 'settled',
  not_called: 'conflict',
  not_theirs: 'stay',
  deadline_passed: 'stay',
  gave_up: 'stay',
};

/** The whole state machine, one row per state: evidence overrides the lack of it; all other moves go forward only. */
const TABLE: Record<AttemptState, Row> = {
  intent: {
    ...IN_DOUBT,
    lost: 'unknown',
    orphaned: 'unknown',
    not_theirs: 'conflict',
    gave_up: 'conflict',
  },
  placed: { ...KNOWN_CALL, line_down: 'ended', longest_call_passed: 'ended' },
  ended: KNOWN_CALL,
  settled: {
    ...KNOWN_CALL,
    settled: 'stay',
    not_called: 'conflict',
    deadline_passed: 'stay',
  },
  unknown: { ...IN_DOUBT, gave_up: 'unconfirmed' },
  rejected: {
    placed: 'conflict',
    rejected: 'stay',
    refused: 'conflict',
    never_sent: 'conflict',
    lost: 'stay',
    orphaned: 'stay',
    evidence: 'conflict',
    line_down: 'conflict',
    longest_call_passed: 'stay',
    settled: 'conflict',
    not_called: 'conflict',
    not_theirs: 'released',
    deadline_passed: 'stay',
    gave_up: 'stay',
  },
  released: {
    placed: 'conflict',
    rejected: 'conflict',
    refused: 'stay',
    never_sent: 'stay',
    lost: 'conflict',
    orphaned: 'stay',
    evidence: 'conflict',
    line_down: 'stay',
    longest_call_passed: 'stay',
    settled: 'conflict',
    not_called: 'stay',
    not_theirs: 'stay',
    deadline_passed: 'stay',
    gave_up: 'stay',
  },
  unconfirmed: IN_DOUBT,
  no_result: { ...KNOWN_CALL, deadline_passed: 'stay' },
};

/**
 * Pure and total: every pair of state and event has an answer.
 * @param attempt its state, and its call id as far as known (null before it was placed)
 */
export function transition(
  attempt: { state: AttemptState; callId: string | null },
  event: AttemptEvent,
): Transition {
  if ('callId' in event && attempt.callId !== null && attempt.callId !== event.callId) {
    return {
      kind: 'conflict',
      why: `"${event.type}" names call ${event.callId}, but this attempt is call ${attempt.callId}`,
    };
  }
  const cell = TABLE[attempt.state][event.type];
  if (cell === 'stay') return { kind: 'stay' };
  if (cell === 'conflict') {
    return { kind: 'conflict', why: `"${event.type}" reached an attempt that is ${attempt.state}` };
  }
  return { kind: 'move', to: cell };
}

/** States in which an attempt holds a slot, at most until `longestCall` after its dial was last sent. */
export const HOLDING_STATES = ['intent', 'placed', 'unknown', 'unconfirmed'] as const;

/** States in which a call id is known and the call is still polled. */
export const OPEN_CALL_STATES = ['placed', 'ended'] as const;

/** An intent becomes `unknown` after this long even if its process seems alive: covers the permit plus all timeouts. */
export const INTENT_LIMIT_MS = 2 * 60_000;
