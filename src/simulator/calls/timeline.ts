import { seededRandom, type Random } from '../../runtime/random.ts';

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
  endedAt: number;
  /** When the analytics become readable. */
  readyAt: number;
  /** Seconds talked, in simulated time; 0 if nobody answered. */
  durationS: number;
  /** A random number; what was said follows from this number and the agent. */
  draw: number;
}

export type CallStatus = 'ringing' | 'in_progress' | 'ended' | 'completed';

export type Spans = Pick<
  CallRecord,
  'placedAt' | 'answeredAt' | 'endedAt' | 'readyAt' | 'durationS'
>;

export function statusAt(call: Spans, now: number): CallStatus {
  if (now >= call.readyAt) return 'completed';
  if (now >= call.endedAt) return 'ended';
  return call.answeredAt !== null && now >= call.answeredAt ? 'in_progress' : 'ringing';
}

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

/** How a call ends. `answered`: by a person. */
export type Outcome =
  'answered' | 'voicemail' | 'no_answer' | 'busy' | 'declined' | 'failed' | 'invalid_number';

/** The share of calls with each outcome, in percent; the shares add up to 100. */
export type OutcomeShares = Record<Outcome, number>;

/**
 * How people answer, after published rates for unknown, known and expected callers (Pew 2020, n = 10,211: one in five
 * answers an unknown number; Hiya 2019: 53 % answer an identified business).
 */
export const MIXES = {
  /** People who do not know the caller. */
  cold: {
    answered: 18,
    voicemail: 42,
    no_answer: 26,
    busy: 4,
    declined: 3,
    failed: 3,
    invalid_number: 4,
  },
  /** People who know the caller. */
  warm: {
    answered: 38,
    voicemail: 30,
    no_answer: 22,
    busy: 3,
    declined: 2,
    failed: 3,
    invalid_number: 2,
  },
  /** People who expect the call. */
  reminder: {
    answered: 55,
    voicemail: 22,
    no_answer: 16,
    busy: 2,
    declined: 1,
    failed: 2,
    invalid_number: 2,
  },
} as const satisfies Record<string, OutcomeShares>;

export type MixName = keyof typeof MIXES;

export type Mix = MixName | OutcomeShares;

/** The outcome of this share of the calls to a number depends on the number alone; the rest is drawn for each call. */
const SHARE_OF_HABIT = 0.3;

/** After the first call to a number, this share of the calls ends like the call before. */
const SHARE_REPEATED = 0.4;

/**
 * Draws the outcome of one call. A number that does not exist never exists later, and a person who did not answer is
 * more likely not to answer again; over many numbers the shares of the mix are kept.
 * @param ring random numbers of this call
 * @param before the outcome of the previous call to this number; null: this is the first call
 */
export function drawOutcome(
  mix: Mix,
  seed: string,
  phone: string,
  ring: Random,
  before: Outcome | null,
): Outcome {
  const shares = typeof mix === 'string' ? MIXES[mix] : mix;
  const number = seededRandom(`${seed}/number/${phone}`);
  const habit = number();
  if (number() * 100 < shares.invalid_number) return 'invalid_number';
  if (before !== null && shares[before] > 0 && ring() < SHARE_REPEATED) return before;
  const draw = ring() < SHARE_OF_HABIT ? habit : ring();
  return pick(shares, draw);
}

function pick(shares: OutcomeShares, draw: number): Outcome {
  const existing = (Object.entries(shares) as [Outcome, number][]).filter(
    ([outcome, share]) => outcome !== 'invalid_number' && share > 0,
  );
  let left = draw * existing.reduce((sum, [, share]) => sum + share, 0);
  for (const [outcome, share] of existing) {
    left -= share;
    if (left < 0) return outcome;
  }
  return existing.at(-1)?.[0] ?? 'invalid_number';
}
