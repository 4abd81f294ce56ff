import fc from 'fast-check';

// The same examples each time, so that `npm test` does not fail by chance; `.ci/run` takes others for each commit.
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
fc.configureGlobal({ seed: SEED });

/** Every `step`-th of them, by the seed which: `.ci/run` takes others for each commit. */
export function shareOf<T>(all: readonly T[], step: number): T[] {
  return all.filter((_, n) => n % step === SEED % step);
}
