// Deliberate mistakes in what is there in the morning: see ../faults.mjs for what the fields mean.
const DATED = ['test/app/nights/dated-results.test.ts'];

export const MORNING_FAULTS = [
  {
    title: 'results that were written before a kill are written once more',
    file: 'src/app/nights/ended-nights.ts',
    text: 'if (wasKilled && isNew && (await isOurs(file))) {',
    replacement: 'if (wasKilled && there === null) {',
    tests: DATED,
    named: 'writes them once',
  },
  {
    title: 'a night whose writer was killed is left to it',
    file: 'src/app/nights/ended-nights.ts',
    text: 'if (!wasKilled && at - taken.at < GIVEN_UP_MS) return taken.refused === true;',
    replacement: 'if (at - taken.at < GIVEN_UP_MS) return taken.refused === true;',
    tests: DATED,
    named: 'is made up for',
  },
  {
    title: 'late results go into the file of a night that is over',
    file: 'src/app/results/results-file.ts',
    text: ' && last.resultsAt === null;',
    replacement: ';',
    tests: DATED,
    named: 'left alone by late results',
  },
  {
    title: 'results count as complete while a call is in progress',
    file: 'src/store/sql/tables/nights/nights.ts',
    text: '(calls + refused = @calls AND open = 0)',
    replacement: 'calls = @calls',
    tests: ['test/store/sqlite/conformance.test.ts'],
    named: 'complete once no call of it is in progress',
  },
];
