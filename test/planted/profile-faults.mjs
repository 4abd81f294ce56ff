// Deliberate mistakes in what a profile may say of paths, headers, ids and second reads: see faults.mjs for the fields.
const SHAPES = ['test/service/profile/other-shapes.test.ts'];

export const PROFILE_FAULTS = [
  {
    title: 'a call of a list is never looked at, although a second answer says what was said',
    file: 'src/service/calls/poll.ts',
    text: "'needsMore' in reading ? null : reading;",
    replacement: 'reading;',
    tests: ['test/service/profiles/paths-and-pages.test.ts'],
    named: 'of a list that is over',
  },
  {
    title: 'what is filled into a path is not encoded',
    file: 'src/service/http/address.ts',
    text: '? encodeURIComponent(String(values[name]))',
    replacement: '? String(values[name])',
    tests: SHAPES,
    named: 'names agent and number',
  },
  {
    title: 'a dial that names no agent is taken',
    file: 'src/service/profile/profile-dial.ts',
    text: "send === undefined ? ['agent', 'phone'] : []",
    replacement: "send === undefined ? ['phone'] : []",
    tests: SHAPES,
    named: 'names no agent',
  },
  {
    title: 'a constant header may carry a secret',
    file: 'src/service/profile/profile.ts',
    text: '!SECRET.test(name) && ',
    replacement: '',
    tests: SHAPES,
    named: 'X-Api-Key',
  },
  {
    title: 'the call that a refusal names is not looked for',
    file: 'src/service/calls/dial.ts',
    text: ': idOf(all, callIdInRefusal);',
    replacement: ': idOf(all, []);',
    tests: SHAPES,
    named: 'in a refusal means',
  },
  {
    title: 'the header Location is not read',
    file: 'src/service/calls/dial.ts',
    text: 'body.callId ??= idInLocation(response.location, rules.location);',
    replacement: '',
    tests: SHAPES,
    named: 'is read from the header',
  },
  {
    title: 'a call is settled without its second answer',
    file: 'src/service/calls/analytics.ts',
    text: 'const isHalf = rules.more !== undefined &&',
    replacement: 'const isHalf = rules.more === null &&',
    tests: SHAPES,
    named: 'read after the end',
  },
  {
    title: 'a time without a zone that is not ISO 8601 is one of the machine',
    file: 'src/service/profile/expressions.ts',
    text: 'Date.parse(`${text} Z`) : at;',
    replacement: 'Date.parse(text) : at;',
    tests: ['test/service/profile/expressions.test.ts'],
    named: 'is its midnight|10:00|15:00|PM',
  },
];
