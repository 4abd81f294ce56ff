import { seededRandom, type Random } from '../../runtime/random.ts';

/** How a call ends. `answered`: by a person. */
export const OUTCOMES = [
  'answered',
  'voicemail',
  'no_answer',
  'busy',
  'declined',
  'failed',
  'invalid_number',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

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

/** One of MIXES by name, or other shares. */
export type Mix = MixName | OutcomeShares;

/** The outcome of this share of the calls to a number depends on the number alone; the rest is drawn for each call. */
const SHARE_OF_HABIT = 0.3;

/** After the first call to a number, this share of the calls ends like the call before. */
const SHARE_REPEATED = 0.4;

/**
 * Draws the outcome of one call. A number that does not exist never exists later, and a person who did not answer is
 * more likely not to answer again; over many numbers the shares of the mix are kept.
 *
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
