import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCampaignFile, readFlags } from '../../src/config/campaign-file.ts';
import { formatNotify, readNotify, shownTarget } from '../../src/config/notify.ts';
import { loadServices } from '../../src/config/services-file.ts';
import { desk } from '../helpers/callsheet.ts';

const COMMAND = '{ on: [attention, finished], command: [./tell, ops] }';
const HOOK = '{ on: started, url: https://hooks.example.com/a?b=c, secretEnv: OPS_SECRET }';

describe('notify in services.yaml', () => {
  it('is a list of commands, which run in its folder, and of addresses; it is no service', () => {
    const at = desk();
    at.write(
      'services.yaml',
      `main:\n  url: https://voice.example.com\nnotify:\n  - ${COMMAND}\n  - ${HOOK}\n`,
    );
    const { notify, entries } = loadServices('services.yaml', at.cwd);
    expect([...entries.keys()]).toEqual(['simulated', 'main']);
    expect(notify).toEqual([
      { on: ['attention', 'finished'], command: ['./tell', 'ops'], folder: at.cwd },
      { on: ['started'], url: 'https://hooks.example.com/a?b=c', secretEnv: 'OPS_SECRET' },
    ]);
  });

  it('says where a mistake is, also that it is a list', () => {
    const at = desk();
    at.write('services.yaml', 'notify:\n  - { on: [atention], command: [./tell] }\n');
    expect(() => loadServices('services.yaml', at.cwd)).toThrow(
      'services.yaml:2:3: notify entry 1 has on "atention", did you mean attention.',
    );
    at.write('services.yaml', 'notify: { url: https://x.example.com }\n');
    expect(() => loadServices('services.yaml', at.cwd)).toThrow('notify is a list, not a group');
  });
});

describe('notify of a campaign', () => {
  it('is known as the file’s own choice, and that of --set as the operator’s', () => {
    const at = desk();
    at.write('spring.yaml', `leads: a.csv\nnotify: [${COMMAND}]\n`);
    const { values } = loadCampaignFile('spring.yaml', at.cwd);
    const target = { on: ['attention', 'finished'], command: ['./tell', 'ops'], folder: at.cwd };
    expect(values.notify).toEqual([{ ...target, from: 'file' }]);
    const flags = readFlags({ sets: [`notify=[${COMMAND}]`], cwd: join(at.cwd, 'x') });
    expect(flags.values.notify).toEqual([{ ...target, folder: join(at.cwd, 'x'), from: 'given' }]);
    expect(readFlags({ sets: ['notify=none'], cwd: at.cwd }).values.notify).toBeNull();
  });

  it('never repeats an address in a message', () => {
    const at = desk();
    at.write(
      'spring.yaml',
      'leads: a.csv\nnotify: [{ on: [started], url: http://chat.example.com/T0P }]\n',
    );
    expect(() => loadCampaignFile('spring.yaml', at.cwd)).toThrow(
      /^spring\.yaml:2:9: notify entry 1 has a url that is not https; plain http is allowed on loopback only\.$/,
    );
    expect(() =>
      readFlags({ sets: ['notify=[{ on: [started], url: ftp://T0P }]'], cwd: '/' }),
    ).toThrow(/^(?!.*T0P)/);
  });
});

it.each([
  ['x', 'is not a list'],
  ['[]', 'is not a list'],
  ['[a]', 'entry 1 is not a group'],
  ['[{ on: [attention] }]', 'needs one of command, url and urlEnv'],
  ['[{ on: [], command: [a] }]', 'needs on: attention, finished, started, refusedList, or none'],
  ['[{ on: attention, command: a }]', 'has a command that is not a list of words'],
  ['[{ on: attention, command: [a], url: https://x.example.com }]', 'needs one of'],
  ['[{ on: attention, command: [a], secretEnv: A }]', 'belongs to an address'],
  ['[{ on: attention, url: https://a:b@x.example.com }]', 'holds a user or password'],
  ['[{ on: attention, url: x }]', 'is not an address such as'],
  ['[{ on: attention, urlEnv: a-b }]', 'is not the name of an environment variable'],
  ['[{ on: attention, to: me }]', '"to", which is not a key'],
  ['[{ on: [zzzzzzzz], command: [a] }]', 'which is not one of'],
])('%s is refused, with what is allowed', (text, message) => {
  expect(readNotify(text, '/')).toContain(message);
});

it('more receivers than anybody needs are refused', () => {
  const many = Array.from({ length: 21 }, () => ({ on: 'attention', command: ['a'] }));
  expect(readNotify(many, '/')).toBe('names more than 20 receivers');
});

it('is shown without the secret parts of an address, and differs where targets differ', () => {
  const hook = (path: string) => [
    { on: ['started'] as const, url: `https://chat.example.com/${path}` },
  ];
  expect(formatNotify(hook('T0P'))).toMatch(
    /^started to https:\/\/chat\.example\.com \([0-9a-f]{6}\)$/,
  );
  expect(formatNotify(hook('a'))).not.toBe(formatNotify(hook('b')));
  expect(formatNotify(undefined)).toBe('none');
  expect(shownTarget({ on: [], urlEnv: 'CHAT_URL' })).toBe('the address in CHAT_URL');
  expect(shownTarget({ on: [], command: ['/opt/bin/tell', 'x'], folder: '/' })).toBe(
    'command tell',
  );
});
