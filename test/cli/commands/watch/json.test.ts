import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { helpText } from '../../../../src/cli/args/help.ts';
import { COMMANDS } from '../../../../src/cli/commands.ts';
import { aDesk, RUN } from '../desk.ts';

/** The shortest use of each command, in an order in which each can follow the one before. */
const USES: Record<string, string[]> = {
  help: [],
  check: ['leads.csv', '--agent', 'ag_1'],
  rehearse: ['leads.csv', '--agent', 'ag_1'],
  import: ['spring', 'leads.csv', '--agent', 'ag_1'],
  set: ['spring', 'polling.floor=20ms'],
  start: ['spring'],
  pause: ['spring'],
  resume: ['spring'],
  run: RUN.slice(1),
  call: ['+12125550111', '--agent', 'ag_1', '--set', 'polling.floor=20ms'],
  collect: ['leads'],
  list: [],
  status: ['leads'],
  nights: ['leads'],
  tail: ['leads'],
  show: ['+12125550100'],
  explain: ['+12125550100'],
  'rules list': [],
  'rules show': ['conservative', 'us-states'],
  'rules check': ['ours.yaml'],
  export: ['leads', '-o', 'out.csv'],
  summary: ['leads'],
  report: ['leads', '-o', 'out.html'],
  resolve: ['leads'],
  rename: ['leads', 'autumn'],
  archive: ['autumn'],
  cancel: ['spring'],
  'suppress add': ['+12125550123'],
  'suppress list': [],
  'suppress remove': ['+12125550123'],
  'suppress undo': ['--list', 'asked.csv', '--yes'],
  'suppress import': ['leads.csv'],
  'users list': [],
  // Refused before the password is read.
  'users add': ['no name', '--role', 'viewer'],
  'users set': ['ann', '--role', 'viewer'],
  'users password': ['ann'],
  'users remove': ['ann'],
  'tokens add': ['crm', '--role', 'viewer'],
  'tokens list': [],
  'tokens remove': ['crm'],
  'agents list': [],
  'agents create': ['--name', 'Test', '--system-prompt', 'Hello'],
  'agents show': ['ag_1'],
  'profile check': ['voice-agent'],
  'profile try': ['voice-agent', '--answers', 'answers'],
  'profile pin': ['voice-agent', '--answers', 'answers', '-o', 'pinned.yaml'],
  'inbox list': [],
  'inbox show': ['dlv_none'],
  'inbox replay': ['--state', 'unmatched'],
  'notify test': [],
  doctor: [],
  completion: [],
  init: ['--agent', 'ag_1'],
  backup: ['copy.db'],
  restore: ['copy.db'],
};
/** They serve until they are stopped, or take long: what they print first is tested where they are. */
const ELSEWHERE = ['console', 'demo', 'serve', 'simulate'];

it('every command takes --json', async () => {
  for (const { name } of COMMANDS)
    expect(await helpText(name.split(' '), COMMANDS)).toMatch(/^ +--json  +print JSON to stdout/m);
});

it('every command prints with --json one document, or one a line, and nothing else to stdout', async () => {
  const { at } = await aDesk();
  mkdirSync(at.path('answers'));
  at.write('answers/agents.json', '{"items":[{"id":"ag_1","name":"Renewals"}]}');
  const names = COMMANDS.map(({ name }) => name).filter((name) => !ELSEWHERE.includes(name));
  expect(Object.keys(USES).toSorted()).toEqual(names.toSorted());
  for (const [name, words] of Object.entries(USES)) {
    const { code, out, err } = await at.run([...name.split(' '), ...words, '--json']);
    const documents = name === 'tail' ? out.trimEnd().split('\n') : [out];
    for (const text of documents) {
      // A refusal is one line of JSON on stderr, so that stdout holds data or nothing.
      const json = code === 2 ? err : text;
      expect(() => JSON.parse(json) as unknown, `${name}: ${code} ${out} ${err}`).not.toThrow();
    }
    if (code === 2) expect(out).toBe('');
  }
});
