import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotsFor, usedBeside, type Contender } from '../../../src/domain/nights/budget.ts';
import { examples } from '../../helpers/properties.ts';

const a = (overrides: Partial<Contender> = {}): Contender => ({
  id: 'a',
  weight: 1,
  used: 0,
  wants: 10,
  ...overrides,
});
const b = (overrides: Partial<Contender> = {}) => a({ id: 'b', ...overrides });

describe('a free slot', () => {
  it('goes to whoever has used least of its share', () => {
    expect(slotsFor(a({ used: 1 }), [b()], 1)).toBe(0);
    expect(slotsFor(b(), [a({ used: 1 })], 1)).toBe(1);
    expect(slotsFor(b({ used: 3, weight: 4 }), [a({ used: 4 })], 1)).toBe(1);
  });

  it('goes to the campaign with the larger weight, then to the first by name, where they have used as much', () => {
    expect(slotsFor(b({ weight: 2 }), [a()], 1)).toBe(1);
    expect(slotsFor(a(), [b()], 1)).toBe(1);
    expect(slotsFor(b(), [a()], 1)).toBe(0);
  });

  it('is one of several that are handed out in turn', () => {
    expect(slotsFor(a({ weight: 3 }), [b()], 8)).toBe(6);
    expect(slotsFor(b(), [a({ weight: 3 })], 8)).toBe(2);
  });

  it('that others do not want is taken', () => {
    expect(slotsFor(a({ used: 100 }), [b({ wants: 2 })], 10)).toBe(8);
    expect(slotsFor(a({ wants: 3 }), [], 10)).toBe(3);
    expect(slotsFor(a(), [b()], 0)).toBe(0);
  });
});

describe('a campaign that asks again', () => {
  it('has saved up nothing while it did not ask', () => {
    expect(usedBeside(a({ used: 3 }), [b({ used: 50 }), b({ used: 70 })], true)).toBe(50);
    expect(usedBeside(a({ used: 60 }), [b({ used: 50 })], true)).toBe(50);
    expect(usedBeside(a({ used: 60 }), [], true)).toBe(60);
  });

  it('pays for at most a few calls that it began on slots that nobody wanted', () => {
    expect(usedBeside(a({ used: 500, weight: 3 }), [b({ used: 50 })], false)).toBe(61);
    expect(usedBeside(a({ used: 60, weight: 3 }), [b({ used: 50 })], false)).toBe(60);
  });

  it('may be a few calls behind where it has needed less than its share', () => {
    expect(usedBeside(a({ used: 3, weight: 4 }), [b({ used: 50 })], false)).toBe(41);
    expect(usedBeside(a({ used: 49, weight: 4 }), [b({ used: 50 })], false)).toBe(49);
  });
});

/** One service, on which campaigns begin and end calls in any order; each remembers what it could not get. */
class Service {
  readonly calls = new Map<string, number>();
  readonly inUse: string[] = [];
  mostInUse = 0;
  readonly #rows: Map<string, Contender>;
  readonly #slots: number;

  constructor(weights: readonly number[], slots: number) {
    this.#slots = slots;
    const rows = weights.map((weight, i) => a({ id: `c${i}`, weight, wants: 0 }));
    this.#rows = new Map(rows.map((row) => [row.id, row]));
  }

  /** @param atOnce a campaign asks for fewer calls than it has room for: as many as it has requests free */
  ask(id: string, wants: number, atOnce = wants): void {
    const own = { ...(this.#rows.get(id) as Contender), wants };
    const others = [...this.#rows.values()].filter((row) => row.id !== id && row.wants > 0);
    own.used = usedBeside(own, others, false);
    const free = this.#slots - this.inUse.length;
    const taken = Math.min(atOnce, slotsFor(own, others, free));
    const used = own.used + (others.length > 0 ? taken / own.weight : 0);
    this.#rows.set(id, { ...own, used, wants: wants - taken });
    this.inUse.push(...Array.from({ length: taken }, () => id));
    this.calls.set(id, (this.calls.get(id) ?? 0) + taken);
    this.mostInUse = Math.max(this.mostInUse, this.inUse.length);
  }

  end(index: number): void {
    this.inUse.splice(index % this.inUse.length, 1);
  }

  get total(): number {
    return [...this.calls.values()].reduce((sum, calls) => sum + calls, 0);
  }
}

/** Lets every campaign want more than there is until 2,000 calls were begun; asks and ends come in random order. */
function shareOut(service: Service, ids: string[], random: () => number): void {
  while (service.total < 2_000) {
    if (service.inUse.length > 0) service.end(Math.floor(random() * 1_000));
    const order = ids.toSorted(() => random() - 0.5);
    for (const id of order.slice(0, 1 + Math.floor(random() * ids.length))) {
      service.ask(id, 40, 1 + Math.floor(random() * 20));
    }
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe('2,000 calls', () => {
  const seed = fc.integer({ min: 1, max: 2_000_000_000 });
  const slots = fc.integer({ min: 1, max: 30 });

  it.each([[[1, 1]], [[1, 3]], [[2, 3, 5]], [[1, 20]]])(
    'are shared by weights %j within a twentieth, and no slot is used twice',
    (weights) => {
      const sum = weights.reduce((all, weight) => all + weight, 0);
      fc.assert(
        fc.property(seed, slots, (start, limit) => {
          const service = new Service(weights, limit);
          shareOut(
            service,
            weights.map((_, i) => `c${i}`),
            seeded(start),
          );
          expect(service.mostInUse).toBeLessThanOrEqual(limit);
          for (const [i, weight] of weights.entries()) {
            const fair = (service.total * weight) / sum;
            const calls = service.calls.get(`c${i}`) ?? 0;
            // One campaign may have had all slots before the others asked for the first time.
            expect(Math.abs(calls - fair)).toBeLessThanOrEqual(0.05 * fair + limit + 1);
          }
        }),
        { numRuns: examples(20) },
      );
    },
  );

  it('are all left to one campaign while the other wants none', () => {
    const service = new Service([1, 9], 10);
    for (let i = 0; i < 100; i += 1) {
      service.end(i);
      service.ask('c1', 0);
      service.ask('c0', 10);
      expect(service.inUse).toHaveLength(10);
    }
    expect(service.calls.get('c1')).toBe(0);
  });

  it('leave nobody without calls, however small the weight', () => {
    const service = new Service([1, 100], 3);
    shareOut(service, ['c0', 'c1'], seeded(7));

    expect(service.calls.get('c0')).toBeGreaterThan(15);
  });
});
