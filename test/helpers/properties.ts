import fc from 'fast-check';

// The same examples each time, so that `npm test` does not fail by chance; `.ci/run` takes others for each commit.
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
fc.configureGlobal({ seed: SEED });

/** Every `step`-th of them, by the seed which: `.ci/run` takes others for each commit. */
export function shareOf<T>(all: readonly T[], step: number): T[] {
  return all.filter((_, n) => n % step === SEED % step);
}

const IS_WHOLE = process.env['PROPERTY_RUNS'] === 'all';

/** How many examples a property tries: a third of `all`, unless PROPERTY_RUNS=all, as with planted faults. */
export function examples(all: number): number {
  return IS_WHOLE ? all : Math.ceil(all / 3);
}
