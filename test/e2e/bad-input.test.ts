import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { desk, type Desk, type Ended } from '../helpers/callsheet.ts';
import { simulatedService } from '../helpers/simulated-service.ts';
import { voiceServer, type Behaviour } from '../helpers/voice-server.ts';

const KEY = 'sk-one-two-three';
const GOOD = 'name,phone\nAl,+12125550100\n';
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];

const deskAt = (url: string, list = GOOD): Desk => {
  const at = desk({ VOICE_API_URL: url, VOICE_API_KEY: KEY });
  at.write('leads.csv', list);
  return at;
};
const aDesk = async (list = GOOD, behaviour: Behaviour = {}) => {
  const service = await voiceServer(behaviour);
  return { at: deskAt(service.url, list), service };
};
const filesOf = ({ cwd }: Desk) => (readdirSync(cwd, { recursive: true }) as string[]).toSorted();

/** One sentence with its next step: no stack, no key, no double full stop, nothing on stdout. */
const expectSaid = (
  { code, out, err }: Ended,
  expected: number,
  sentence: RegExp,
  next: RegExp,
) => {
  expect(err).toMatch(/^callsheet: .+\n {2}next: .+\n$/s);
  const [message = '', step = ''] = err.split('\n  next: ');
  expect(message).toMatch(sentence);
  expect(step).toMatch(next);
  expect(err).not.toMatch(/\n\s+at |\.\.(\s|$)|undefined|\[object/);
  expect(err).not.toContain(KEY);
  expect(out).toBe('');
  expect(code).toBe(expected);
};

describe('a list that cannot be taken makes no file and no campaign', () => {
  const lists: [string, string, RegExp, RegExp][] = [
    ['is empty', '', /leads\.csv is empty/, /export the list again/],
    ['has no rows', 'name,phone\n', /leads\.csv has column names but no rows/, /export the list/],
    [
      'has no phone column',
      'name,age\nAl,3\n',
      /leads\.csv has no phone column: its columns are "name", "age"; allowed names are phone,/,
      /./,
    ],
    [
      'has no row with a country',
      'phone\n212-555-0100\n212-555-0101\n',
      /none of 2 rows has a number that can be called; line 2: "212-555-0100" has no \+/,
      /--country US/,
    ],
    ['has no good row', 'phone\nn/a\n', /none of 1 row has a number/, /callsheet check <list>/],
  ];
  it.each(lists)('because it %s', async (_, list, sentence, next) => {
    const { at, service } = await aDesk(list);
    const before = filesOf(at);
    expectSaid(await at.run(RUN), 2, sentence, next);
    expectSaid(await at.run([...RUN.slice(0, 2), '--service', 'simulated']), 2, sentence, next);
    expect(filesOf(at)).toEqual(before);
    expect(service.dialled).toEqual([]);
  });

  it.each([
    ['run', 'missing.csv'],
    ['check', 'missing.csv'],
    ['run', 'lists/missing'],
  ])('because there is none: %s %s', async (verb, path) => {
    const { at } = await aDesk();
    const ended = await at.run([verb, path, '--agent', 'ag_1']);
    expectSaid(ended, 2, new RegExp(`There is no list at ${at.path(path)}\\.`), /check the path/);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('because a campaign of this name is not there', async () => {
    const { at } = await aDesk();
    const ended = await at.run(['run', 'sprnig', '--agent', 'ag_1']);
    const where = new RegExp(
      `No campaign "sprnig" is in ${at.path('data/callsheet.db')}; there is no`,
    );
    expectSaid(ended, 2, where, /callsheet run <list> --agent ID/);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });
});

describe('an agent', () => {
  it('that is on no page is refused, with those there are', async () => {
    const { at } = await aDesk(GOOD, {
      agents: () => ({ body: { data: [{ id: 'ag_8' }, { id: 'ag_9' }] } }),
    });
    const ended = await at.run(RUN);
    expect(ended.err).toContain('has no agent "ag_1"; it has ag_8, ag_9.');
    expectSaid(ended, 2, /has no agent "ag_1"/, /callsheet agents list/);
    expect(filesOf(at)).toEqual(['leads.csv']);
    const imported = await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    expect(imported.code).toBe(2);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('that is not among those that could be read is a warning, and the run goes on', async () => {
    const { at, service } = await aDesk(GOOD, {
      agents: () => ({ body: { data: [{ id: 'ag_8' }], has_more: true } }),
    });
    const { code, err } = await at.run(RUN);
    expect(err).toContain(
      'Agent "ag_1" was not found, but not all agents could be read: going on.',
    );
    expect(code).toBe(0);
    expect(service.dialled).toEqual(['+12125550100']);
  });

  it('is needed, and on the embedded service may be left out', async () => {
    const { at } = await aDesk();
    expectSaid(await at.run(['run', 'leads.csv']), 2, /No agent is given/, /--agent ID/);
    const checked = await at.run(['check', 'leads.csv', '--service', 'simulated']);
    expect(checked.err).toContain('agent Demo agent (ag_demo): 1 to call now');
    expect(checked.code).toBe(0);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });
});

describe('a service', () => {
  it('without a key is not asked', async () => {
    const { at, service } = await aDesk();
    const { VOICE_API_URL } = at.env;
    const ended = await at.run(RUN, { env: { VOICE_API_URL } });
    expectSaid(ended, 2, /VOICE_API_KEY is empty or not set/, /set VOICE_API_KEY/);
    expect(service.asked).toEqual([]);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('that refuses the key ends the run with exit code 4', async () => {
    const simulator = await simulatedService({ keys: ['another-key'] });
    const at = deskAt(simulator.url);
    expectSaid(
      await at.run(RUN),
      4,
      /The service refused the key: GET .* HTTP 401/,
      /VOICE_API_KEY/,
    );
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('that cannot be reached ends the run with exit code 1', async () => {
    const { at } = await aDesk();
    // Port 9 (discard) of loopback: nobody listens there.
    const env = { ...at.env, VOICE_API_URL: 'http://127.0.0.1:9' };
    const ended = await at.run(RUN, { env });
    expectSaid(
      ended,
      1,
      /cannot be reached: GET http:\/\/127\.0\.0\.1:9\/v1\/agents: .*ECONNREFUSED/,
      /check the address/,
    );
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('whose answer is not what the profile expects: the fields and the first 200 characters', async () => {
    const body = `<html>${KEY} +12125550123 ${'x'.repeat(300)}</html>`;
    const { at } = await aDesk(GOOD, { agents: () => ({ body }) });
    const ended = await at.run(RUN);
    expectSaid(
      { ...ended, err: ended.err.replace('x...', 'x') },
      1,
      /no list of agents was found; looked for data, agents, items, results.*received: <html>\[key\] \+\S*23 x+/,
      /check the address of the service and its profile/,
    );
    expect(ended.err).not.toContain('+12125550123');
    expect(ended.err).not.toContain('x'.repeat(200));
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('whose address ends in /v1 is not asked at /v1/v1', async () => {
    const { at, service } = await aDesk();
    const url = `${service.url}/v1`;
    expect((await at.run([...RUN, '--service-url', url])).code).toBe(0);
    expect([...new Set(service.asked.map(({ path }) => path))]).toEqual([
      '/v1/agents',
      '/v1/calls/outbound',
      '/v1/calls/call-1/analytics',
    ]);
  });

  it.each([
    [['--service', 'mian'], /"mian"/, /./],
    [['--service-url', 'voice'], /voice/, /./],
    [['--service-url', 'http://voice.example'], /is not https/, /./],
  ])('given as %j is refused', async (flags, sentence, next) => {
    const { at } = await aDesk();
    expectSaid(await at.run([...RUN, ...flags]), 2, sentence, next);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });
});

describe('a database', () => {
  it('that a newer callsheet wrote is left alone', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--db', 'calls.db']);
    const db = new Sqlite(at.path('calls.db'));
    db.pragma('user_version = 99');
    db.close();
    for (const argv of [RUN, ['status'], ['pause', '--all']]) {
      const ended = await at.run([...argv, '--db', 'calls.db']);
      expectSaid(
        ended,
        2,
        /calls\.db has version 99, written by a newer callsheet/,
        /update callsheet/,
      );
    }
  });

  it.each([
    [
      'is no SQLite file',
      (path: string) => {
        writeFileSync(path, 'hello, this is text\n'.repeat(100));
      },
      /is not an SQLite database/,
    ],
    ['belongs to another program', otherProgram, /is an SQLite database of another program/],
  ])('that %s is left alone', async (_, make, sentence) => {
    const { at } = await aDesk();
    make(at.path('calls.db'));
    const before = at.read('calls.db');
    expectSaid(await at.run([...RUN, '--db', 'calls.db']), 2, sentence, /--db/);
    expectSaid(await at.run(['list', '--db', 'calls.db']), 2, sentence, /--db/);
    expect(at.read('calls.db')).toBe(before);
  });

  it('that another program locks is told after a while, and nobody is called', async () => {
    const { at, service } = await aDesk();
    await at.run([...RUN, '--db', 'calls.db', '--limit', '1']);
    const other = new Sqlite(at.path('calls.db'));
    onTestFinished(() => {
      other.close();
    });
    other.exec('BEGIN IMMEDIATE');
    const asked = service.asked.length;
    const ended = await at.run([...RUN, '--db', 'calls.db']);
    expectSaid(
      ended,
      1,
      /calls\.db is locked by another program for more than 5 s/,
      /close the program/,
    );
    expect(service.asked).toHaveLength(asked);
  });

  it('in a folder that cannot be made is told', async () => {
    const { at } = await aDesk();
    at.write('data', 'a file');
    const ended = await at.run(RUN);
    expect(ended.code).not.toBe(0);
    expect(ended.err).toMatch(/callsheet: .*data.*\n {2}next: /);
    expect(ended.err).not.toMatch(/\n\s+at /);
  });
});

describe('a results file', () => {
  it.each([
    ['below a file', 'leads.csv/out.csv'],
    ['that is a folder', 'folder'],
  ])('%s is refused before anybody is called and before a campaign is made', async (_, path) => {
    const { at, service } = await aDesk();
    mkdirSync(join(at.cwd, 'folder'));
    const before = filesOf(at);
    const ended = await at.run([...RUN, '-o', path]);
    const problem = { ...ended, err: ended.err.slice(ended.err.indexOf('callsheet: ')) };
    expectSaid(problem, 2, new RegExp(`the results file ${at.path(path)} `), /-o/);
    expect(service.dialled).toEqual([]);
    expect(filesOf(at)).toEqual(before);
    const exported = await at.run([...RUN, '--db', 'calls.db']);
    expect(exported.code).toBe(0);
    const refused = await at.run(['export', 'leads', '--db', 'calls.db', '-o', path]);
    expectSaid(refused, 2, /the results file/, /-o/);
  });
});

describe('a flag', () => {
  it.each([
    [['--limit', '0'], /--limit "0" is not a whole number from 1/],
    [['--until', '25:00'], /--until "25:00" is not a time of day such as 21:00/],
    [['--wait', 'long'], /--wait "long" is not a duration such as 30m or 8h/],
    [['--concurrency', '0'], /--concurrency.*"0" is not a whole number from 1 to 10,000/],
    [['--rules', 'us'], /"us" is not available: this version has no rules but always/],
    [['--set', 'retry.attempts=3'], /this version calls everybody once/],
    [['--set', 'polling.flor=1s'], /did you mean "polling\.floor"\?/],
    [['--name', 'a/b'], /"a\/b" is not a campaign name/],
    [['--format', 'excel'], /"excel" is not available: this version writes csv and jsonl/],
  ])('%j is refused, and nothing is made', async (flags, sentence) => {
    const { at, service } = await aDesk();
    expectSaid(await at.run([...RUN, ...flags]), 2, sentence, /./);
    expect(filesOf(at)).toEqual(['leads.csv']);
    expect(service.dialled).toEqual([]);
  });
});

it('an error with --json is one line of JSON on stderr', async () => {
  const { at } = await aDesk('');
  const ended = await at.run([...RUN, '--json']);
  expect(ended.out).toBe('');
  expect(JSON.parse(ended.err)).toEqual({
    error: expect.objectContaining({ code: 'LIST_EMPTY', exitCode: 2 }) as unknown,
  });
});

function otherProgram(path: string): void {
  const db = new Sqlite(path);
  db.exec('CREATE TABLE notes (text)');
  db.close();
}
