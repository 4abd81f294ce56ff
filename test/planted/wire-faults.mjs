// Deliberate mistakes in dialling, collecting, lists and results: see faults.mjs for what the fields mean.
const DIAL = 'src/service/calls/dial.ts';
const PERMIT = 'src/service/http/send-permit.ts';
const ON_THE_WIRE = 'test/service/calls/dial-on-the-wire.test.ts';
const DISPATCHER = 'src/dispatch/dispatcher.ts';
const PLACE = 'src/dispatch/place-call.ts';
const IMPORT = 'src/leads/import.ts';

const OPT_OUTS = ['test/e2e/opt-outs.test.ts'];

export const WIRE_FAULTS = [
  {
    title: 'a dial whose connection was reset is sent again',
    file: DIAL,
    text: 'response = await client.dial(request, send);',
    replacement: `response = await client
      .dial(request, send)
      .catch(() => client.dial(request, new Send(send.permit)));`,
    tests: [ON_THE_WIRE],
  },
  {
    title: 'a redirect is followed',
    file: DIAL,
    text: 'const { status, retryAfter, text, brokeOff } = response;',
    replacement: `if (response.status >= 300 && response.status < 400) {
    const { body, path } = request;
    await fetch(new URL(path, client.origin), { method: 'POST', body: body.text, redirect: 'follow' });
  }
  const { status, retryAfter, text, brokeOff } = response;`,
    tests: [ON_THE_WIRE],
  },
  {
    title: 'an error code, and not the send marker, says that nothing was sent',
    file: DIAL,
    text: "if (send.state === 'started') return",
    replacement: "if (send.state === 'started' && !/reset|closed/i.test(why)) return",
    tests: [ON_THE_WIRE],
  },
  {
    title: 'the permit is asked before the connection stands',
    file: PERMIT,
    text: 'this.permit = permit;',
    replacement: 'const given = permit();\n    this.permit = () => given;',
    tests: [ON_THE_WIRE],
    named: 'the permit is asked once',
  },
  {
    title: 'the permit is not asked at all',
    file: PERMIT,
    text: 'if (!send.permit()) {',
    replacement: 'if (send.permit() === undefined) {',
    tests: [ON_THE_WIRE],
    named: 'a permit that is refused',
  },
  {
    title: 'the permit counts from after the claim',
    file: DISPATCHER,
    text: 'await this.#dial(intent, permit);',
    replacement: 'await this.#dial(intent, issuePermit(clock));',
    tests: ['test/dispatch/late-claim.test.ts'],
  },
  {
    title: 'a machine that was asleep may still send',
    file: 'src/dispatch/permit.ts',
    text: 'Math.abs(clock.now() - wall) <= PERMIT_MS && ',
    replacement: '',
    tests: ['test/dispatch/permit.test.ts'],
  },
  {
    title: 'a 5xx counts as a refusal without effect',
    file: 'src/service/calls/answers.ts',
    text: "UNLISTED.get(status) ?? 'unknown';",
    replacement: "UNLISTED.get(status) ?? (status >= 500 ? 'refused' : 'unknown');",
    tests: [ON_THE_WIRE],
  },
  {
    title: 'a call id from a body that was cut short is taken',
    file: 'src/service/calls/answers.ts',
    text: 'if (cutShort !== null) {',
    replacement: 'if (cutShort !== null && callId === null) {',
    tests: ['test/service/calls/answers.test.ts'],
  },
  {
    title: 'the key stands in messages',
    file: 'src/service/http/exchange.ts',
    text: 'mask(textOf(this.#chunks))',
    replacement: 'textOf(this.#chunks)',
    tests: ['test/service/calls/polls.test.ts'],
  },
  {
    title: 'more leads are claimed than lanes are free',
    file: DISPATCHER,
    text: 'const want = Math.min(lanes.free, most);',
    replacement: 'const want = most;',
    tests: ['test/dispatch/dispatcher.test.ts'],
    named: 'asks for no more leads than lanes are free',
  },
  {
    title: 'an answer counts as kept before it is committed',
    file: PLACE,
    text: 'return await store.recordDial(attemptId, record);',
    replacement:
      "void store.recordDial(attemptId, record).catch(() => undefined);\n      return 'moved';",
    tests: ['test/dispatch/store-failing.test.ts'],
  },
  {
    title: 'dialling goes on while answers cannot be written',
    file: PLACE,
    text: 'onStoreFailing(messageOf(error));',
    replacement: '',
    tests: ['test/dispatch/store-failing.test.ts'],
  },
  {
    title: 'an answer that cannot be written is dropped at the first try',
    file: PLACE,
    text: 'tries === WRITE_TRIES',
    replacement: 'tries === 1',
    tests: ['test/dispatch/store-failing.test.ts'],
  },
  {
    title: 'Retry-After is ignored',
    file: 'src/dispatch/answer-policy.ts',
    text: 'answer.retryAfterMs ?? 0',
    replacement: '0',
    tests: ['test/dispatch/answer-policy.test.ts', 'test/dispatch/answers.test.ts'],
  },
  {
    title: 'more calls are started than the service says it takes',
    file: 'src/dispatch/service-gate.ts',
    text: 'Math.min(room, mayWait, left)',
    replacement: 'Math.min(room, mayWait)',
    tests: ['test/dispatch/service-capacity.test.ts'],
  },
  {
    title: 'a run does not wait for a service that is down when it begins',
    file: 'src/app/services/await-service.ts',
    text: 'if (!isOutage(error) ||',
    replacement: 'if (isOutage(error) ||',
    tests: ['test/e2e/service-down.test.ts'],
  },
  {
    title: 'a key that was replaced in its file is not read again',
    file: 'src/app/serve/service-pool.ts',
    text: ': fileOf(before.opened) !== before.file;',
    replacement: ': false;',
    tests: ['test/e2e/service-down.test.ts'],
  },
  {
    title: 'many short locks of the database count as a long one',
    file: 'src/store/patient-store.ts',
    text: 'if (wasRefused) released();',
    replacement: '',
    tests: ['test/store/patient-store.test.ts'],
  },
  {
    title: 'the breaker never opens',
    file: 'src/dispatch/breaker.ts',
    text: "if (this.#state !== 'open') this.#open(now);",
    replacement: '',
    tests: ['test/dispatch/breaker.test.ts'],
  },
  {
    title: 'a failed poll lets the next dial go without a read',
    file: 'src/collect/polling/poller.ts',
    text: 'this.#options.onFailing?.(detail);',
    replacement: '',
    tests: ['test/dispatch/failing-service.test.ts'],
    named: 'when it is polled is read before the next dial',
  },
  {
    title:
      'all free slots are dialled after a silence, although nothing shows that the service works',
    file: 'src/dispatch/dial-window.ts',
    text: 'if (now - this.#answeredAt > freshMs) this.#size = 1;',
    replacement: '',
    tests: ['test/dispatch/slots/dial-window.test.ts'],
  },
  {
    title: 'dials that fail go on although reads do not show what is wrong',
    file: 'src/dispatch/service-gate.ts',
    text: "if (breaker.failsForGood) return givenUp('breaker');",
    replacement: '',
    tests: ['test/dispatch/failing-service.test.ts'],
    named: 'of dials alone costs three people, then a person looks: 500',
  },
  {
    title: 'a settled call is told before it is durable',
    file: 'src/collect/settle.ts',
    text: "if ((await recordLineDown({ ...found, ...again, ...words })) !== 'conflict') {",
    replacement: 'if (recordLineDown({ ...found, ...again, ...words }) !== undefined) {',
    tests: ['test/collect/settle.test.ts'],
    named: 'is durable when settle resolves',
  },
  {
    title: 'an opt-out beside another word of the service is not heard',
    file: 'src/service/calls/analytics.ts',
    text: "const found = known.find(({ result }) => result === 'opted_out') ?? known[0];",
    replacement: 'const found = known[0];',
    tests: OPT_OUTS,
    named: 'disposition',
  },
  {
    title: 'a field that says that nobody has opted out suppresses them',
    file: 'src/service/calls/opt-out.ts',
    text: 'NO_OPT_OUT.has(word)',
    replacement: 'false',
    tests: OPT_OUTS,
    named: 'not_requested',
  },
  {
    title: 'an opt-out that comes after other analytics is not heard',
    file: 'src/store/sqlite/tables/polls.ts',
    text: "recorded !== 'conflict' ||",
    replacement: "recorded === 'moved' ||",
    tests: ['test/collect/inbox/inbox-signed.test.ts'],
    named: 'later than others',
  },
  {
    title: "the agent's own words count as a refusal of the person",
    file: 'src/text/spoken-refusals.ts',
    text: "isPerson = speaker === 'person';",
    replacement: 'isPerson = true;',
    tests: ['test/text/spoken-refusals.test.ts'],
    named: 'not the agent',
  },
  {
    title: 'rows that were not taken are dropped',
    file: IMPORT,
    text: 'await rejects.add(answer.rows.flatMap(toRejectedRow));',
    replacement: '',
    tests: ['test/leads/import.test.ts'],
  },
  {
    title: 'a list is finished before its rejects are on disk',
    file: IMPORT,
    text: 'const rejectsPath = await rejects.keep();\n    await options.beforeFinish?.(list, seen);\n    const { good, rejected, duplicates, suppressed } = counts;\n    await store.finishList(list.id, { good, rejected, duplicates, suppressed });',
    replacement:
      'const { good, rejected, duplicates, suppressed } = counts;\n    await store.finishList(list.id, { good, rejected, duplicates, suppressed });\n    const rejectsPath = await rejects.keep();',
    tests: ['test/leads/import.test.ts'],
  },
  {
    title: 'a results file takes its name before it is on disk',
    file: 'src/runtime/replace-file.ts',
    text: 'await handle.sync();\n      await handle.close();\n      await rename',
    replacement: 'await handle.close();\n      await rename',
    tests: ['test/runtime/replace-file-sync.test.ts'],
  },
  {
    title: 'an answer that may be of a call in progress is kept once it stands still',
    file: 'src/collect/settle.ts',
    text: 'if (!hasStood || !isDown) {',
    replacement: 'if (!hasStood) {',
    tests: ['test/collect/settle.test.ts'],
  },
  {
    title: 'an answer that still changes is kept once no call lasts longer',
    file: 'src/collect/settle.ts',
    text: 'if (!hasStood || !isDown) {',
    replacement: 'if (!isDown) {',
    tests: ['test/collect/settle.test.ts'],
  },
  {
    title: 'somebody who answered counts as the end of the call',
    file: 'src/service/calls/analytics.ts',
    text: "result !== null && result !== 'answered' && result !== 'voicemail'",
    replacement: 'result !== null',
    tests: ['test/service/calls/shapes.test.ts'],
  },
  {
    title: 'the key goes to any host that an answer names for a transcript',
    file: 'src/service/calls/transcript-address.ts',
    text: '  if (origin !== client.origin) return without;\n',
    replacement: '',
    tests: ['test/service/calls/transcript-address.test.ts'],
  },
  {
    title: 'a transcript that is not there yet is given up at the first poll',
    file: 'src/collect/settle.ts',
    text: 'holdsUntil <= now)',
    replacement: 'holdsUntil > 0)',
    tests: ['test/collect/settle.test.ts'],
    named: 'a transcript that is not there yet',
  },
  {
    title: 'a length that was possible counts as milliseconds',
    file: 'src/domain/analytics.ts',
    text: 'readMs >= LONG_MS && readMs > possibleMs',
    replacement: 'readMs >= LONG_MS',
    tests: ['test/domain/analytics.test.ts'],
  },
  {
    title: 'what a mended profile understands is never read again',
    file: 'src/collect/inbox/inbox.ts',
    text: 'if (isNew) await readAgain(options);',
    replacement: '',
    tests: ['test/collect/inbox/not-understood.test.ts'],
  },
];
