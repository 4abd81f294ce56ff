// Deliberate mistakes in nights, budgets and shares of slots: see faults.mjs for what the fields mean.
const NIGHT = ['test/domain/nights/night.test.ts'];
const BUDGET = ['test/domain/nights/budget.test.ts'];
const SHARES = ['test/domain/nights/shares.test.ts'];
const STORE = ['test/store/sqlite/conformance.test.ts'];

export const NIGHT_DUTY_FAULTS = [
  {
    title: 'a night ends at midnight',
    file: 'src/domain/nights/night.ts',
    text: 'const USUAL_BEGIN = 5 * 60;',
    replacement: 'const USUAL_BEGIN = 0;',
    tests: NIGHT,
  },
  {
    title: 'a night comes back where clocks show its border twice',
    file: 'src/domain/nights/night.ts',
    text: 'momentsOf(wall, zone, offsetAt)?.earlier',
    replacement: 'momentsOf(wall, zone, offsetAt)?.later',
    tests: NIGHT,
    named: 'its border twice',
  },
  {
    title: 'a budget of calls allows one too many',
    file: 'src/domain/nights/budget.ts',
    text: 'allow(limit - calls, scope',
    replacement: 'allow(limit - calls + 1, scope',
    tests: BUDGET,
  },
  {
    title: 'a budget of talk time reserves nothing for calls in progress',
    file: 'src/domain/nights/budget.ts',
    text: 'spent.talkMs - maybe * longestCallMs',
    replacement: 'spent.talkMs',
    tests: BUDGET,
  },
  {
    title: 'a budget of money takes every currency for its own',
    file: 'src/domain/nights/budget.ts',
    text: "known !== '' && known !== currency",
    replacement: "known === '?'",
    tests: BUDGET,
    named: 'another currency',
  },
  {
    title: 'a budget does not see the calls that another runner has just begun',
    file: 'src/store/sqlite/claim/budgets.ts',
    text: 'calls: calls + intents, open: open + intents',
    replacement: 'calls, open',
    tests: STORE,
    named: 'two runners that ask at the same time',
  },
  {
    title: 'a budget does not get back what was reserved for a call that was not made',
    file: 'src/store/sqlite/tables/nights/nights.ts',
    text: 'released: NOT_COUNTED,',
    replacement: 'released: OVER,',
    tests: STORE,
    named: 'gets back what was reserved',
  },
  {
    title: 'a call counts for the night in which it is answered',
    file: 'src/store/sqlite/tables/nights/nights.ts',
    text: "const night = attempt.night ?? '';",
    replacement: 'const night = new Date(facts.at - 36_000_000).toISOString().slice(0, 10);',
    tests: STORE,
    named: 'is that of the night in which a call began',
  },
  {
    title: 'a call begins at the moment at which dialling stops',
    file: 'src/store/sqlite/claim/budgets.ts',
    text: 'at >= stopsAt(',
    replacement: 'at > stopsAt(',
    tests: STORE,
    named: 'ends at a time of day',
  },
  {
    title: 'shares of slots ignore the weights',
    file: 'src/domain/nights/shares.ts',
    text: 'next.used += 1 / next.weight;',
    replacement: 'next.used += 1;',
    tests: SHARES,
  },
  {
    title: 'the share of an idle campaign is lost',
    file: 'src/domain/nights/shares.ts',
    text: '.filter(({ wants }) => wants > 0)',
    replacement: '.filter(() => true)',
    tests: SHARES,
  },
  {
    title: 'a campaign saves up a share that it did not ask for',
    file: 'src/domain/nights/shares.ts',
    text: 'if (isNew) return least;',
    replacement: '',
    tests: SHARES,
  },
  {
    title: 'a campaign that is short of slots is waited for for ever',
    file: 'src/store/sqlite/claim/slot-shares.ts',
    text: 'asked_at > @now - ${CONTENDS_FOR_MS} AND',
    replacement: 'asked_at > 0 AND',
    tests: STORE,
    named: 'as many as are its share',
  },
];
