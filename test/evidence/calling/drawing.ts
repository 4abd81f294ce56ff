import type { Random } from '../../../src/runtime/random.ts';

export type Drawing = ReturnType<typeof drawing>;

export function drawing(random: Random) {
  const upTo = (most: number) => Math.floor(random() * most);
  return {
    upTo,
    chance: (share: number) => random() < share,
    pick: <T>(of: readonly T[]): T => of[upTo(of.length)] as T,
    /** From one to so many of them, in their order. */
    some: <T>(of: readonly T[], most: number): T[] => {
      const wanted = 1 + upTo(most);
      const order = of.map((value, i) => ({ value, i, key: random() }));
      return order
        .toSorted((a, b) => a.key - b.key)
        .slice(0, wanted)
        .toSorted((a, b) => a.i - b.i)
        .map(({ value }) => value);
    },
  };
}
