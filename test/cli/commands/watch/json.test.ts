import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findCommand } from '../../../../src/cli/args/help.ts';
import { COMMANDS } from '../../../../src/cli/commands.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import type { Desk, Ended } from '../../../helpers/callsheet.ts';
import { START } from '../../../helpers/clock.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { aDesk, NOT_YET, oneOpen, PHONES } from '../desk.ts';

/** Names of times; durations end in `Ms` or `Seconds`. */
const TIME = /At$|Until$|Since$|^(at|until|since|asOf|notBefore|next)$/;
/** A number so large is epoch ms, whatever it is called. */
const EPOCH = 1e11;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

const AGENT = ['--agent', 'ag_1', '--set', 'polling.floor=20ms'];
const [, , , NEW] = [...PHONES, '+12125550150'];

/** Every command that has --json, some in several ways; in this order. */
const GIVEN: Readonly<Record<string, string[]>> = {
  import: ['import', 'spring', 'leads.csv', ...AGENT, '--as-of', '2026-01-05'],
  check: ['check', 'spring'],
  rehearse: ['check', '--rehearse', 'spring'],
  run: ['run', 'spring', '--limit', '1'],
  start: ['resume', 'spring'],
  resume: ['resume', 'spring'],
  'suppress add': ['suppress', 'add', '+12125550199', '--until', '2099-01-01'],
  'suppress list': ['suppress', 'list'],
  'suppress import': ['suppress', 'import', 'dnc.csv', '--as-of', '2026-01-05'],
  'suppress remove': ['suppress', 'remove', '+12125550199'],
  'suppress undo': ['suppress', 'undo', '--list', 'asked.csv', '--yes'],
  'users add': ['users', 'add', 'ann', '--role', 'viewer'],
  'users list': ['users', 'list'],
  'users set': ['users', 'set', 'ann', '--role', 'operator'],
  'users password': ['users', 'password', 'ann'],
  'users remove': ['users', 'remove', 'ann'],
  'tokens add': ['tokens', 'add', 'crm', '--role', 'viewer'],
  'tokens list': ['tokens', 'list'],
  'tokens remove': ['tokens', 'remove', 'crm'],
  console: ['console', '--port', '0'],
  list: ['list'],
  status: ['status', 'spring'],
  nights: ['report', '--by', 'night', 'spring'],
  resolve: ['resolve', 'spring'],
  tail: ['tail', 'spring', '--once'],
  show: ['explain', '--calls', PHONES[0] ?? ''],
  explain: ['explain', PHONES[0] ?? ''],
  'rules list': ['rules', 'list'],
  'rules show': ['rules', 'show', 'conservative'],
  'rules check': ['rules', 'check', 'ours.yaml'],
  summary: ['report', 'spring'],
  call: ['call', NEW ?? '', ...AGENT],
  collect: ['collect', 'spring'],
  export: ['export', 'spring', '-o', 'out.csv'],
  'agents list': ['agents', 'list'],
  'agents show': ['agents', 'show', 'ag_1'],
  'agents create': ['agents', 'create', '--name', 'New', '--prompt', 'Hello.'],
  'profile check': ['profile', 'check', 'voice-agent'],
  'profile try': ['profile', 'try', 'voice-agent', '--samples', 'answers'],
  'profile pin': ['profile', 'pin', 'voice-agent', '--campaign', 'spring', '-o', 'mine.yaml'],
  'inbox list': ['inbox', 'list'],
  'inbox show': ['inbox', 'show', 'dlv_1'],
  'notify test': ['notify', 'test', 'spring'],
  doctor: ['doctor'],
  backup: ['backup', 'copy.db'],
  restore: ['restore', 'copy.db'],
  set: ['set', 'spring', 'concurrency=3'],
  settings: ['set', 'spring'],
  retry: ['retry', 'spring', '--results', 'no_answer'],
  pause: ['pause', 'spring'],
  cancel: ['cancel', 'spring'],
  report: ['report', 'spring', '-o', 'out.html'],
  'inbox replay': ['inbox', 'replay', 'dlv_1'],
  demo: ['demo'],
  serve: ['serve', '--port', '0'],
  simulate: ['simulate', '--port', '0'],
  init: ['init'],
  completion: ['completion'],
  help: ['help'],
  // On a file they refuse; test/store/postgres/commands.ts has what they print.
  migrate: ['migrate'],
  move: ['move', '--to', 'other.db', '--yes'],
  'machines list': ['machines', 'list'],
  'machines forget': ['machines', 'forget', 'web-1', '--yes'],
  restored: ['restored'],
  rename: ['set', 'spring', 'name=summer'],
  archive: ['cancel', '--archive', 'summer'],
};

it('every command prints with --json one document or one a line, and its times are ISO 8601 with an offset', async () => {
  const { at } = await manyThings();
  const given = new Set(Object.values(GIVEN).map((argv) => findCommand(argv, COMMANDS).name));
  expect([...given].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const [name, argv] of Object.entries(GIVEN)) {
    const { code, out, err } = await printed(at, argv);
    // A refusal is one line of JSON on stderr, so that stdout holds data or nothing.
    const documents = name === 'tail' ? out.trimEnd().split('\n') : [code === 2 ? err : out];
    if (code === 2) expect([out, err]).toEqual(['', expect.not.stringContaining('--json is not')]);
    for (const text of documents) {
      expect(() => JSON.parse(text) as unknown, `${name}: ${code} ${out} ${err}`).not.toThrow();
      look(JSON.parse(text), name, wrong, seen);
    }
  }
  expect(wrong).toEqual([]);
  // What was looked at had times at all.
  for (const name of ['status', 'show', 'summary', 'resolve', 'inbox list', 'suppress list'])
    expect([...seen]).toContain(name);
});

/** A campaign with a settled call, an open one and one in doubt; a delivery. */
async function manyThings() {
  const { at, service } = await aDesk();
  at.write('dnc.csv', 'phone\n+12125550198\n');
  mkdirSync(at.path('answers'));
  at.write('answers/agents.json', '{"data":[{"id":"ag_1","name":"Renewals"}]}');
  await at.run(['import', 'spring', 'leads.csv', ...AGENT]);
  await at.run(['run', 'spring', '--limit', '1']);
  service.behave({ dial: () => ({ status: 500, body: {} }) });
  await at.run(['run', 'spring', '--limit', '1']);
  service.behave(NOT_YET);
  const { io, ended } = at.begin(['run', 'spring', '--limit', '1']);
  await oneOpen(at);
  io.signal();
  io.signal();
  await ended;
  service.behave({});
  const store = openSqliteStore({ path: at.path('data/callsheet.db'), mode: 'write' });
  const body = new TextEncoder().encode('{}');
  const key = { id: 'dlv_1', service: 'main', key: 'k1', headers: {}, signed: false };
  await store.inboxPut({ ...key, receivedAt: START, body });
  await store.close();
  return { at, service };
}

async function printed(at: Desk, argv: string[]): Promise<Ended> {
  const given = argv[0] === 'demo' ? { clock: hastyClock(30) } : {};
  const { io, ended } = at.begin([...argv, '--json'], given);
  if (argv[0] === 'users') io.stdin.end('four words in a row\n');
  if (['console', 'serve', 'simulate'].includes(argv[0] ?? '')) {
    await io.written('}');
    io.signal();
    io.signal();
  }
  return ended;
}

function look(value: unknown, path: string, wrong: string[], seen: Set<string>): void {
  if (Array.isArray(value)) {
    for (const one of value) look(one, path, wrong, seen);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'number' && value > EPOCH) wrong.push(`${path}: ${value}`);
    return;
  }
  for (const [name, one] of Object.entries(value)) {
    const here = `${path}.${name}`;
    if (TIME.test(name) && typeof one === 'number') wrong.push(`${here}: ${one}`);
    else if (typeof one === 'string' && ISO.test(one)) seen.add(path.split('.')[0] ?? '');
    look(one, here, wrong, seen);
  }
}
