// Deliberate mistakes in receiving and believing deliveries: see faults.mjs for what the fields mean.
const RECEIVER = 'src/collect/inbox/deliver.ts';
const APPLY = 'src/collect/inbox/inbox-apply.ts';
const SIGNATURES = 'src/service/webhooks/signatures.ts';
const INBOX_TABLE = 'src/store/sql/tables/inbox.ts';
const ROOM = 'src/collect/inbox/receiver-options.ts';
const ROOM_TEST = 'test/collect/inbox/connection-room.test.ts';
const TROUBLE_TEST = 'test/collect/inbox/inbox-trouble.test.ts';
const RECEIVER_TEST = 'test/collect/inbox/webhooks.test.ts';
const INBOX_TEST = 'test/collect/inbox/inbox.test.ts';
const SIGNATURES_TEST = 'test/service/webhooks/signatures.test.ts';
const SHARED_POLLS_TEST = 'test/collect/polling/shared-polls.test.ts';
const CONFORMANCE = 'test/store/sqlite/conformance.test.ts';

export const WEBHOOK_FAULTS = [
  {
    title: 'a delivery is acknowledged before it is on disk',
    file: RECEIVER,
    text: 'isNew = await store.inboxPut({',
    replacement: 'isNew = true;\n      void store.inboxPut({',
    tests: [RECEIVER_TEST],
  },
  {
    title: 'a delivery with a wrong signature is taken as unsigned',
    file: RECEIVER,
    text: "if (signature.kind === 'refused' || isElsewhere) {",
    replacement: 'if (isElsewhere) {',
    tests: [RECEIVER_TEST],
  },
  {
    title: 'a signature over the fields of a form is believed for what has none',
    file: SIGNATURES,
    text: "if (rules.signed.includes('{fields}') && !isForm(",
    replacement: "if (rules.signed === '' && !isForm(",
    tests: [SIGNATURES_TEST],
  },
  {
    title: 'a delivery whose body was dropped comes again as another one',
    file: INBOX_TABLE,
    text: 'if (updateTimesOfDropped(row.service, row.key, sha256) === 1) return false;',
    replacement: '',
    tests: [CONFORMANCE],
    named: 'are not missed',
  },
  {
    title: 'a delivery may be replayed at any time',
    file: SIGNATURES,
    text: "if (!isInTime(timestamp, 's', tolerance, now)) return refused('time_wrong');",
    replacement: '',
    tests: [SIGNATURES_TEST],
  },
  {
    title: 'a delivery that is signed with a date may be replayed at any time',
    file: SIGNATURES,
    text: "const at = unit === 'iso' ? epochMs(timestamp)",
    replacement: "const at = unit === 'iso' ? now",
    tests: [SIGNATURES_TEST],
  },
  {
    title: 'of several signatures in a header only the first one counts',
    file: SIGNATURES,
    text: "value.split(',').slice(0, MOST_SIGNATURES)",
    replacement: "value.split(',').slice(0, 1)",
    tests: [SIGNATURES_TEST],
  },
  {
    title: 'the delivery of a name that was given before is lost, whatever is in it',
    file: INBOX_TABLE,
    text: 'WHERE service = ? AND key = ? AND body = ?',
    replacement: 'WHERE service = ? AND key = ? AND body IS DISTINCT FROM ?',
    tests: [CONFORMANCE],
    named: 'loses nothing to a name',
  },
  {
    title: 'an unsigned delivery is believed',
    file: APPLY,
    text: 'return signed ? believe(call, event, context) : askAbout(call, event, context);',
    replacement: 'return believe(call, event, context);',
    tests: [INBOX_TEST],
  },
  {
    title: 'an unsigned delivery names a call in doubt, and the service is not asked',
    file: APPLY,
    text: "if (found.kind !== 'settled')\n    return unmatched(",
    replacement: "if (look.kind === 'ended')\n    return unmatched(",
    tests: [INBOX_TEST],
  },
  {
    title: 'an unsigned delivery is confirmed by the call of another person',
    file: APPLY,
    text: `if (
    namesAnotherAttempt(found, attempt, context.protocol) ||
    contradictionIn(found, asked) !== null
  ) {`,
    replacement: 'if (look.callId === asked) {',
    tests: [INBOX_TEST],
  },
  {
    title: 'a number that is being dialled is matched',
    file: 'src/domain/same-call.ts',
    text: "if (same.some(({ state }) => state === 'intent')) {",
    replacement: "if (same.some(({ state }) => state === 'settled')) {",
    tests: ['test/domain/delivery-match.test.ts'],
  },
  {
    title: 'a call that was found by its number outranks the own answer of its dial',
    file: 'src/store/sql/claim/dial-answers.ts',
    text: "if (outranksMatch(id, answer.callId, answer.at)) return 'moved';",
    replacement: '',
    tests: [CONFORMANCE],
    named: 'found by the number alone',
  },
  {
    title: 'the captured lead of a contradiction is given to somebody',
    file: INBOX_TABLE,
    text: "seq: state === 'contradicted' ? null : seq,",
    replacement: 'seq,',
    tests: [INBOX_TEST],
  },
  {
    title: 'one delivery that cannot be kept stops all of its batch',
    file: 'src/collect/inbox/inbox.ts',
    text: '    if (isOfTheStore(error)) throw error;\n  }\n  for',
    replacement: '    throw error;\n  }\n  for',
    tests: [TROUBLE_TEST],
  },
  {
    title: 'any number is a time',
    file: 'src/service/profile/read-fields.ts',
    text: 'return ms >= EARLIEST && ms < LATEST ? ms : undefined;',
    replacement: 'return Number.isNaN(ms) ? undefined : ms;',
    tests: [TROUBLE_TEST],
  },
  {
    title: 'a call id of any length is taken',
    file: 'src/service/profile/read-fields.ts',
    text: 'export const LONGEST_ID = 512;',
    replacement: 'export const LONGEST_ID = 5e6;',
    tests: [TROUBLE_TEST],
  },
  {
    title: 'analytics that name another call are kept as this one',
    file: 'src/domain/same-call.ts',
    text: 'if (callIds.some((id) => id !== call.callId)) {',
    replacement: 'if (callIds.some((id) => id === undefined)) {',
    tests: [TROUBLE_TEST],
  },
  {
    title: 'one call id for two dials says whose call it is',
    file: 'src/store/sql/claim/dial-answers.ts',
    text: '    attempts.contest(service, callId, seq, at);\n',
    replacement: '',
    tests: [TROUBLE_TEST],
  },
  {
    title: 'a delivery is believed whatever number it names',
    file: 'src/collect/inbox/inbox-apply.ts',
    text: '    if (why !== null) return contradict(id, call, why, context);\n',
    replacement: '',
    tests: [TROUBLE_TEST],
  },
  {
    title: 'who shows nothing stays connected',
    file: ROOM,
    text: 'clock.after(strangerMs, () => sendAway',
    replacement: 'clock.after(strangerMs * 1e6, () => sendAway',
    tests: [ROOM_TEST],
  },
  {
    title: 'one address may take the room of all',
    file: ROOM,
    text: 'if (same.size > strangersPerAddress &&',
    replacement: 'if (same.size > most &&',
    tests: [ROOM_TEST],
  },
  {
    title: 'whoever came first keeps the room, and a service finds none',
    file: ROOM,
    text: 'if (strangers.size > most) sendAway(leastWelcome());',
    replacement: 'if (strangers.size > most) sendAway(socket);',
    tests: [ROOM_TEST],
  },
  {
    title: 'bodies of deliveries that came to nothing are kept for ever',
    file: 'src/collect/inbox/inbox.ts',
    text: 'uselessBefore: now - KEEP_USELESS_MS,',
    replacement: 'uselessBefore: 0,',
    tests: ['test/collect/inbox/inbox-pruning.test.ts'],
  },
  {
    title: 'the connection of a last delivery stays open',
    file: 'src/collect/inbox/webhooks.ts',
    text: ' || ending.aborted',
    replacement: '',
    tests: ['test/collect/inbox/webhooks.test.ts'],
    named: 'waits for a delivery that is being written',
  },
  {
    title: 'shares are counted wrong: some calls are polled by nobody',
    file: 'src/domain/polling/shares.ts',
    text: 'index: ranked.indexOf(self)',
    replacement: 'index: ranked.indexOf(self) + 1',
    tests: ['test/domain/polling/shares.test.ts'],
  },
  {
    title: 'a dead process keeps its share of the polls',
    file: 'src/domain/polling/shares.ts',
    text: 'at - changed.at < SILENT_MS',
    replacement: 'changed.at <= at',
    tests: [SHARED_POLLS_TEST],
    named: 'killed',
  },
  {
    title: 'nobody polls what a process that hangs leaves',
    file: 'src/store/sql/read/due-polls.ts',
    text: 'OR next_poll_at <= @now - ${TAKEN_OVER_MS}',
    replacement: '',
    tests: [CONFORMANCE],
    named: 'the one whose share it is may hang',
  },
  {
    title: 'a run ends when the calls of its own share are over',
    file: 'src/collect/polling/poll-queue.ts',
    text: 'dueAt === Infinity && !othersPoll',
    replacement: 'dueAt === Infinity',
    tests: [SHARED_POLLS_TEST],
  },
  {
    title: 'deliveries of a process that was killed are left to it',
    file: INBOX_TABLE,
    text: 'OR received_at <= @now - ${TAKEN_OVER_MS}',
    replacement: '',
    tests: [CONFORMANCE],
    named: 'at all others 5 s later',
  },
];
