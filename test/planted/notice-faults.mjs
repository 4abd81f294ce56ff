// Deliberate mistakes in what is done night after night without a person: see faults.mjs for what the fields mean.
const STORE = ['test/store/sqlite/conformance.test.ts'];
const DELIVER = ['test/app/notices/deliver.test.ts'];
const WATCH = ['test/app/notices/watch.test.ts'];
const TARGET = ['test/domain/notices/target.test.ts'];
const COMMAND = ['test/runtime/run-command.test.ts'];
const NOTIFY = ['test/config/notify.test.ts'];

export const NOTICE_FAULTS = [
  {
    title: 'two processes send the same notice',
    file: 'src/store/sqlite/tables/nights/notices.ts',
    text: 'lease_until IS NULL OR lease_until <= @now OR',
    replacement: '1 OR lease_until <= @now OR',
    tests: STORE,
    named: 'not given out to another process',
  },
  {
    title: 'a notice whose process died is never sent',
    file: 'src/store/sqlite/tables/nights/notices.ts',
    text: 'OR lease_until <= @now OR lease_until > @now + @leaseMs)`',
    replacement: 'OR lease_until > @now + @leaseMs)`',
    tests: DELIVER,
    named: 'with the same id',
  },
  {
    title: 'a failure of a process that was too slow puts a notice off that another one has',
    file: 'src/store/sqlite/tables/nights/notices.ts',
    text: " AND state = 'waiting' AND lease_by = @by`",
    replacement: " AND state = 'waiting'`",
    tests: STORE,
    named: 'a failure counts only',
  },
  {
    title: 'repeats are told to a receiver again and again',
    file: 'src/store/sqlite/tables/nights/notices.ts',
    text: '      markTold(of);\n',
    replacement: '',
    tests: STORE,
    named: 'equal ones are one',
  },
  {
    title: 'a notice has another id whenever it is written',
    file: 'src/app/notices/write.ts',
    text: "shortHash([campaign?.id ?? '', night, event, about])",
    replacement: 'world.newId("x")',
    tests: WATCH,
    named: 'is told when its first call',
  },
  {
    title: 'a receiver that is down is given up after some tries',
    file: 'src/domain/notices/backoff.ts',
    text: 'return at - writtenAt > GIVEN_UP_AFTER_MS ? null : at;',
    replacement: 'return tries > 5 ? null : at;',
    tests: DELIVER,
    named: 'down for a day',
  },
  {
    title: 'a notice is not signed',
    file: 'src/service/webhooks/send-notice.ts',
    text: '    ...sign(Buffer.from(body), id, now),\n',
    replacement: '',
    tests: DELIVER,
    named: 'signed as Standard Webhooks',
  },
  {
    title: 'a campaign file runs its own program in its own folder',
    file: 'src/domain/notices/target.ts',
    text: '{ ...target, folder: same.folder }',
    replacement: 'target',
    tests: TARGET,
    named: 'only where services.yaml has the same',
  },
  {
    title: 'a campaign file sends what is signed with a secret anywhere',
    file: 'src/domain/notices/target.ts',
    text: 'originOf(each.url) === origin,',
    replacement: 'originOf(each.url) !== "",',
    tests: TARGET,
    named: 'only at the origin',
  },
  {
    title: 'what a command has started outlives it',
    file: 'src/runtime/run-command.ts',
    text: 'process.kill(-pid',
    replacement: 'process.kill(pid',
    tests: COMMAND,
    named: 'with what it has started',
  },
  {
    title: 'a command sees the keys of callsheet',
    file: 'src/app/notices/send.ts',
    text: '.filter(([name]) => PASSED_ON.test(name))',
    replacement: '',
    tests: ['test/cli/commands/run/notices.test.ts'],
    named: 'tells a command',
  },
  {
    title: 'the address of a chat is in a message',
    file: 'src/config/keys.ts',
    text: "  known.delete('notify');\n",
    replacement: '',
    tests: NOTIFY,
    named: 'never repeats an address',
  },
  {
    title: 'a night whose process was killed is never told as finished',
    file: 'src/domain/notices/end-of-night.ts',
    text: 'if (nextNight !== night && !isBusy)',
    replacement: 'if (runEnded && nextNight !== night && !isBusy)',
    tests: WATCH,
    named: 'whose process was killed',
  },
];
