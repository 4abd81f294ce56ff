// Deliberate mistakes in rehearsals: see faults.mjs for what the fields mean.
const SCRATCH = ['test/store/sqlite/scratch/scratch-store.test.ts'];
const PLAY = ['test/app/rehearsal/play.test.ts'];
const OTHERS = ['test/app/rehearsal/other-concurrencies.test.ts'];

export const REHEARSAL_FAULTS = [
  {
    title: 'a rehearsal forgets the calls of other campaigns',
    file: 'src/store/sqlite/scratch/scratch-store.ts',
    text: '  findPastCalls(db, campaignId);',
    replacement: '',
    tests: SCRATCH,
  },
  {
    title: 'a rehearsal calls people who are suppressed',
    file: 'src/store/sqlite/scratch/scratch-store.ts',
    text: "  copyRows(db, 'suppression', 'phone IN (SELECT phone FROM asked)', {});",
    replacement: '',
    tests: SCRATCH,
  },
  {
    title: 'a rehearsal waits for results of calls that are in progress in reality',
    file: 'src/store/sqlite/scratch/scratch-store.ts',
    text: "copyRows(db, 'attempts', 'campaign_id = @id', own, WITHOUT_RESULT);",
    replacement: "copyRows(db, 'attempts', 'campaign_id = @id', own);",
    tests: SCRATCH,
  },
  {
    title: 'a rehearsal has more calls at once than the service takes',
    file: 'src/app/rehearsal/play.ts',
    text: 'dialAt: { service, maxCalls },',
    replacement: 'dialAt: { service, maxCalls: null },',
    tests: PLAY,
  },
  {
    title: 'a rehearsal begins before the first time of its schedule',
    file: 'src/app/rehearsal/play.ts',
    text: 'hasSchedule ? nextScheduled(settings, clock.now()) : clock.now();',
    replacement: 'clock.now();',
    tests: PLAY,
  },
  {
    title: 'a rehearsal counts by the embedded price though calls of the campaign have had costs',
    file: 'src/domain/nights/budget.ts',
    text: 'if (hasShown(seen)) return',
    replacement: 'if (hasShown(null)) return',
    tests: ['test/domain/nights/price.test.ts'],
  },
  {
    title: 'a short call that cost nothing lets many begin at once',
    file: 'src/domain/nights/spent.ts',
    text: '(cost.perMinuteShort ?? 0) > 0)',
    replacement: 'cost.perMinuteShort !== null)',
    tests: ['test/domain/nights/rounded-costs.test.ts'],
  },
  {
    title: 'what rounding may hide in a cost is not counted',
    file: 'src/domain/nights/spent.ts',
    text: '...costsUnder(cost, longestMs, 1), dearest',
    replacement: '...costsUnder(cost, longestMs, 0), dearest',
    tests: ['test/domain/nights/rounded-costs.test.ts'],
  },
  {
    title: 'a forecast with a budget of money plays calls without a cost',
    file: 'src/app/plan/forecast.ts',
    text: 'price === null ? seenCalls :',
    replacement: 'price !== undefined ? seenCalls :',
    tests: ['test/app/plan/forecast.test.ts'],
    named: 'at the usual price',
  },
  {
    title: 'a forecast of a long list begins no call under a budget of money',
    file: 'src/domain/forecast/game.ts',
    text: 'this.#left >= weight || isFirst',
    replacement: 'this.#left >= weight',
    tests: ['test/domain/forecast/play.test.ts'],
    named: 'stands for several',
  },
  {
    title: 'a concurrency that takes as many nights is called better',
    file: 'src/app/rehearsal/rehearse.ts',
    text: 'best.nights < first.nights ? best',
    replacement: 'best.nights <= first.nights ? best',
    tests: OTHERS,
  },
];
