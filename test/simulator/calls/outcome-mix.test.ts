import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/runtime/random.ts';
import {
  drawOutcome,
  planCall,
  statusAt,
  type Outcome,
} from '../../../src/simulator/calls/timeline.ts';
import { MIXES, type MixName } from '../../../src/simulator/calls/timeline.ts';
import { aService, everybody, phone } from '../service.ts';

const NUMBERS = 20_000;
const mixes = Object.keys(MIXES) as MixName[];

describe('outcomes', () => {
  it.each(mixes)('come in the shares of the mix %s, at the first ring and at the second', (mix) => {
    expect(Object.values(MIXES[mix]).reduce((sum, share) => sum + share, 0)).toBe(100);
    for (const ordinal of [1, 2]) {
      const counts = new Map<Outcome, number>();
      for (let index = 0; index < NUMBERS; index++) {
        const outcome = ringOf(mix, index, ordinal);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }
      for (const [outcome, share] of Object.entries(MIXES[mix]) as [Outcome, number][]) {
        const found = ((counts.get(outcome) ?? 0) / NUMBERS) * 100;
        expect(Math.abs(found - share), `${outcome}: ${found} %`).toBeLessThan(1.2);
      }
    }
  });

  it('of a number that does not exist never change', () => {
    const invalid = numbersWith('invalid_number');
    expect(invalid.length).toBeGreaterThan(100);
    expect(invalid.every((index) => ringOf('cold', index, 2) === 'invalid_number')).toBe(true);
  });

  it.each([
    ['no_answer', 26],
    ['voicemail', 42],
    ['answered', 18],
  ] as const)(
    'of a number that was once %s are far likelier to be that again than the %i % of the mix',
    (outcome, share) => {
      const once = numbersWith(outcome);
      const again = once.filter((index) => ringOf('cold', index, 2) === outcome).length;
      expect(again / once.length).toBeGreaterThan(share / 100 + 0.2);
      expect(again / once.length).toBeLessThan(0.8);
    },
  );

  it('that the mix does not have are not repeated after a change of the mix', () => {
    const outcomes = Array.from({ length: 200 }, (_, index) =>
      drawOutcome(everybody('busy'), 's', `n ${index}`, seededRandom(`r ${index}`), 'answered'),
    );
    expect(new Set(outcomes)).toEqual(new Set(['busy']));
  });
});

describe('the time line', () => {
  const pace = { timeScale: 1, processingLagMs: null };
  const plans = (outcome: Outcome) =>
    Array.from({ length: 5_000 }, (_, index) =>
      planCall(outcome, 0, seededRandom(`plan ${index}`), pace),
    );

  it('has log-normal talk times with a median of 38 s and a mean of about 75 s, never above 14 minutes', () => {
    const talks = plans('answered').map((plan) => plan.durationS);
    const sorted = talks.toSorted((a, b) => a - b);
    expect(Math.abs((sorted[2_500] ?? 0) - 38)).toBeLessThan(4);
    expect(Math.abs(talks.reduce((sum, talk) => sum + talk, 0) / 5_000 - 75)).toBeLessThan(8);
    expect(sorted.at(-1)).toBeLessThanOrEqual(840);
    expect(sorted[0]).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['answered', 8, 30],
    ['voicemail', 8, 30],
    ['no_answer', 30, 30],
    ['declined', 3, 12],
    ['busy', 1, 4],
    ['failed', 1, 4],
    ['invalid_number', 1, 4],
  ] as const)(
    'rings %s for %i to %i s, and has analytics 20 to 180 s after the end',
    (outcome, low, high) => {
      const all = plans(outcome);
      const ringsS = all.map((plan) => ((plan.answeredAt ?? plan.endedAt) - plan.placedAt) / 1_000);
      expect(Math.min(...ringsS)).toBeGreaterThanOrEqual(low);
      expect(Math.max(...ringsS)).toBeLessThanOrEqual(high);
      const lagsS = all.map((plan) => (plan.readyAt - plan.endedAt) / 1_000);
      expect(Math.min(...lagsS)).toBeGreaterThanOrEqual(20);
      expect(Math.max(...lagsS)).toBeLessThanOrEqual(180);
    },
  );

  it('goes through its states in order, each from its own instant on', () => {
    const call = { placedAt: 0, answeredAt: 10, endedAt: 20, readyAt: 30, durationS: 1 };
    expect([0, 9, 10, 19, 20, 29, 30].map((now) => statusAt(call, now))).toEqual([
      'ringing',
      'ringing',
      'in_progress',
      'in_progress',
      'ended',
      'ended',
      'completed',
    ]);
    expect(statusAt({ ...call, answeredAt: null }, 19)).toBe('ringing');
  });
});

it('two runs with one seed tell the same story, in whatever order the phones are dialled', async () => {
  const story = async (seed: string, order: number[]) => {
    const service = await aService({ seed, mix: 'warm' });
    for (const index of order) await service.dial(phone(index));
    await service.clock.advance(10_000_000);
    const rings = service.ledger().map(({ phone_number, rings: [ring] }) => {
      const { outcome, duration, sentiment, transcript } = ring ?? {};
      return { phone_number, outcome, duration, sentiment, transcript };
    });
    return rings.toSorted((a, b) => a.phone_number.localeCompare(b.phone_number));
  };
  const order = Array.from({ length: 60 }, (_, index) => index);
  const first = await story('spring', order);
  expect(new Set(first.map(({ outcome }) => outcome)).size).toBeGreaterThan(2);
  expect(await story('spring', order.toReversed())).toEqual(first);
  expect(await story('autumn', order)).not.toEqual(first);
});

function numbersWith(outcome: Outcome): number[] {
  return Array.from({ length: NUMBERS }, (_, index) => index).filter(
    (index) => ringOf('cold', index, 1) === outcome,
  );
}

function ringOf(mix: MixName, index: number, ordinal: number): Outcome {
  const before = ordinal === 1 ? null : ringOf(mix, index, ordinal - 1);
  const random = seededRandom(`s/ring/number ${index}/${ordinal}`);
  return drawOutcome(mix, 's', `number ${index}`, random, before);
}
