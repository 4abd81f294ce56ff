// Deliberate mistakes with keys, endless answers and what comes before an answer: see faults.mjs for what the fields mean.
const EXCHANGE = 'src/service/http/exchange.ts';
const OWNER = 'src/config/key-owner.ts';
const OWNER_TESTS = ['test/config/key-owner.test.ts'];
const SECRETS = 'src/service/http/secrets.ts';
const SECRET_TESTS = ['test/service/http/secrets.test.ts'];
const LOOKS = ['test/service/calls/polls.test.ts'];

export const SECRET_FAULTS = [
  {
    title: 'the key of lists goes wherever a campaign file says',
    file: 'src/config/key-owner.ts',
    text: 'owners.some((owner) => isSameOrigin(owner.url, address))',
    replacement: 'owners.length >= 0',
    tests: ['test/e2e/lists/address-lists.test.ts'],
    named: 'services.yaml does not name for it',
  },
  {
    title: 'a stored campaign sends the key of its lists without asking services.yaml again',
    file: 'src/app/lists/list-watch.ts',
    text: 'requireListKey({ from: [address], keyEnv: sources.keyEnv }, of, world);',
    replacement: '',
    tests: ['test/e2e/lists/address-lists.test.ts'],
    named: 'nowhere either',
  },
  {
    title: 'the limit of an answer starts anew with each piece',
    file: EXCHANGE,
    text: '    this.#chunks.push(chunk);',
    replacement: '    this.#chunks.push(chunk);\n    this.#stopWhole();\n    this.begin();',
    tests: LOOKS,
    named: 'the limit is 30 s|drips',
  },
  {
    title: 'a read goes on that nobody waits for any more',
    file: EXCHANGE,
    text: "signal?.addEventListener('abort', this.#onAbort);",
    replacement: 'void signal;',
    tests: LOOKS,
    named: 'ends with its signal',
  },
  {
    title: 'a look that took too long is repeated at once',
    file: 'src/service/calls/poll.ts',
    text: 'if (isSilence(error)) return failure;',
    replacement: '',
    tests: LOOKS,
    named: 'drips',
  },
  {
    title: 'the poller waits for looks that never end, also when it is stopped',
    file: 'src/collect/polling/poller.ts',
    text: 'this.#options.service.readAnalytics(call.callId, signal, call);',
    replacement: 'this.#options.service.readAnalytics(call.callId);',
    tests: ['test/collect/polling/poller.test.ts'],
    named: 'never end when',
  },
  {
    title: 'a refusal whose body did not come to its end is believed',
    file: 'src/service/calls/dial.ts',
    text: 'if (cutShort !== null) {',
    replacement: 'if (cutShort !== null && status < 400) {',
    tests: ['test/service/calls/dial-on-the-wire.test.ts'],
    named: 'whose body',
  },
  {
    title: '100 Continue ends a dial',
    file: 'src/service/http/http-client.ts',
    text: 'if (connected[0] === null) skipInterim(connected[1]);',
    replacement: '',
    tests: ['test/service/http/interim-answers.test.ts'],
  },
  {
    title: 'a 1xx that the network cuts is taken for the answer',
    file: 'src/service/http/http-client.ts',
    text: 'isPartial: rest.length < LARGEST_HEAD',
    replacement: 'isPartial: false',
    tests: ['test/service/http/interim-answers.test.ts'],
  },
  {
    title: 'a campaign file decides where the key goes',
    file: OWNER,
    text: "if (addressFrom === 'given') return;",
    replacement: "if (addressFrom === 'given' || addressFrom === 'file') return;",
    tests: OWNER_TESTS,
  },
  {
    title: 'a key belongs to a host, on any port and by any scheme',
    file: OWNER,
    text: 'return new URL(a).origin === new URL(b).origin;',
    replacement: 'return new URL(a).hostname === new URL(b).hostname;',
    tests: OWNER_TESTS,
  },
  {
    title: 'a profile beside a campaign file says where the key goes',
    file: 'src/config/resolve-service.ts',
    text: 'if (address !== undefined && isSameOrigin(address, use.url)) return;',
    replacement: "if (use.url !== '') return;",
    tests: OWNER_TESTS,
  },
  {
    title: 'a key is found in Base64 only where it stands alone',
    file: SECRETS,
    text: 'return [0, 1, 2].flatMap(',
    replacement: 'return [0].flatMap(',
    tests: SECRET_TESTS,
  },
  {
    title: 'a key that JSON escapes is not found',
    file: SECRETS,
    text: 'const plain = withoutEscapes(masked);',
    replacement: 'const plain = masked;',
    tests: SECRET_TESTS,
  },
  {
    title: 'a short key is masked wherever its letters stand',
    file: SECRETS,
    text: 'const SHORTEST_SURE = 8;',
    replacement: 'const SHORTEST_SURE = 1;',
    tests: SECRET_TESTS,
  },
  {
    title: 'a delivery is kept with the secrets that it repeats',
    file: 'src/collect/inbox/deliver.ts',
    text: 'body: protocol.bodyToKeep(body),',
    replacement: 'body,',
    tests: ['test/collect/inbox/secrets-in-deliveries.test.ts'],
  },
  {
    title: 'numbers in another script stand in the log',
    file: 'src/domain/phone.ts',
    text: '[+＋﹢]?\\\\p{Nd}(?:',
    replacement: '[+＋﹢]?[0-9](?:',
    tests: ['test/runtime/log.test.ts'],
  },
];
