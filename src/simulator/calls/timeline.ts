import type { Random } from '../../runtime/random.ts';
import type { Outcome } from './outcome-mix.ts';

/**
 * A call. All its times are set when it is placed, and its state at any moment follows from them: calls need no timers,
 * and a restart changes nothing. Times are epoch ms.
 */
export interface CallRecord {
  id: string;
  agentId: string;
  phone: string;
  /** The `Idempotency-Key` of the dial; null if the dial had none. */
  attemptKey: string | null;
  outcome: Outcome;
  /** When the call was placed and began to ring. */
  placedAt: number;
  /** When a person or a machine picked up; null if nobody did. */
  answeredAt: number | null;
  /** When the call ended. */
  endedAt: number;
  /** When the analytics become readable. */
  readyAt: number;
  /** Seconds talked, in simulated time; 0 if nobody answered. */
  durationS: number;
  /** A random number; what was said follows from this number and the agent. */
  draw: number;
}

export const OPEN_STATUSES = ['ringing', 'in_progress', 'ended'] as const;
export type CallStatus = (typeof OPEN_STATUSES)[number] | 'completed';

export type Spans = Pick<
  CallRecord,
  'placedAt' | 'answeredAt' | 'endedAt' | 'readyAt' | 'durationS'
>;

export function statusAt(call: Spans, now: number): CallStatus {
  if (now >= call.readyAt) return 'completed';
  if (now >= call.endedAt) return 'ended';
  return call.answeredAt !== null && now >= call.answeredAt ? 'in_progress' : 'ringing';
}

/** Draws the times of a call. */
export function planCall(
  outcome: Outcome,
  placedAt: number,
  random: Random,
  pace: { timeScale: number; processingLagMs?: number | null },
): Spans {
  const real = (seconds: number) => Math.round((seconds * 1_000) / pace.timeScale);
  const ring = RING_S[outcome];
  const ringS = typeof ring === 'number' ? ring : between(random, ...ring);
  const durationS = Math.round(talkSeconds(outcome, random) * 10) / 10;
  const lagS = between(random, 20, 180);
  const pickedUpAt = placedAt + real(ringS);
  const endedAt = pickedUpAt + real(durationS);
  const readyAt = endedAt + (pace.processingLagMs ?? real(lagS));
  const answeredAt = durationS > 0 ? pickedUpAt : null;
  return { placedAt, answeredAt, endedAt, readyAt, durationS };
}

/** A call that is answered at once and lasts `callMs` real ms. */
export function fixedCall(placedAt: number, callMs: number, lagMs: number): Spans {
  const endedAt = placedAt + callMs;
  const readyAt = endedAt + lagMs;
  return { placedAt, answeredAt: placedAt, endedAt, readyAt, durationS: callMs / 1_000 };
}

/** How long the phone rings, in seconds: an exact value, or a minimum and a maximum. */
const RING_S: Record<Outcome, number | readonly [number, number]> = {
  answered: [8, 30],
  voicemail: [8, 30],
  no_answer: 30,
  busy: [1, 4],
  declined: [3, 12],
  failed: [1, 4],
  invalid_number: [1, 4],
};

function talkSeconds(outcome: Outcome, random: Random): number {
  if (outcome === 'voicemail') return between(random, 18, 35);
  return outcome === 'answered' ? logNormalSeconds(random) : 0;
}

/** Durations of telephone calls are log-normal (Brown et al., JASA 2005). With these values the mean is about 75 s. */
const MEDIAN_TALK_S = 38;
const SIGMA = 1.17;
const SHORTEST_TALK_S = 2;
/** With the ring it ends before `longestCall`, whose default is 15 minutes. */
const LONGEST_TALK_S = 840;

function logNormalSeconds(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const normal = radius * Math.cos(2 * Math.PI * random());
  const seconds = MEDIAN_TALK_S * Math.exp(SIGMA * normal);
  return Math.min(Math.max(seconds, SHORTEST_TALK_S), LONGEST_TALK_S);
}

function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}
