import fc from 'fast-check';

// The same examples each time, so that `npm test` does not fail by chance; `.ci/run` takes others for each commit.
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });
