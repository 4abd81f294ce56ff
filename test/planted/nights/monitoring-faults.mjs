// Deliberate mistakes in how `serve` is watched: see ../faults.mjs for what the fields mean.
export const MONITORING_FAULTS = [
  {
    title: 'a loop that is stuck is reported alive to the service manager',
    file: 'src/app/monitoring/monitor.ts',
    text: 'if (pulse.goesRound()) await',
    replacement: 'await',
    tests: ['test/app/monitoring/manager-watch.test.ts'],
    named: 'a loop that is stuck',
  },
  {
    title: 'monitors are told that all is well while campaigns are not looked over',
    file: 'src/app/monitoring/monitor.ts',
    text: "return goesRound() ? null : 'stuck';",
    replacement: 'return null;',
    tests: ['test/app/monitoring/pulse.test.ts'],
    named: 'no round comes',
  },
  {
    title: 'a call whose answer was lost is counted again when it is found',
    file: 'src/app/monitoring/metrics-listener.ts',
    text: 'if (!doubted.delete(attemptId)) started.inc();',
    replacement: 'started.inc();',
    tests: ['test/app/monitoring/metrics.test.ts'],
    named: 'count a call once',
  },
  {
    title: 'systemd leaves serve stopped after a full disk',
    file: 'campaigns/units/callsheet.service',
    text: 'RestartPreventExitStatus=2',
    replacement: 'RestartPreventExitStatus=2 5',
    tests: ['test/docs/units.test.ts'],
    named: 'again after a full disk',
  },
];
