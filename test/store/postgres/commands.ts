import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type * as Main from '../../../src/cli/main.ts';
import { serverOptions } from '../../../src/app/places/servers.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { desk } from '../../helpers/callsheet.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';
import { GREETING } from '../../../src/store/postgres/machines.ts';
import { anyDisk, aSchema, asServer, built } from './a-schema.ts';

const { main } = await built<typeof Main>('../../cli/main');
const { host, port, user, password, database } = inject('postgres');
const urlOf = (schema: string, { as = user, at = port, of = database } = {}) =>
  `postgres://${as}@${host}:${at}/${of}?schema=${schema}`;

/** A desk at a schema of its own, which does not exist yet. */
function aDesk() {
  const { schema } = aSchema();
  const url = urlOf(schema);
  const at = desk({ CALLSHEET_DB: url, PGPASSWORD: password }, undefined, main);
  return { at, schema, url };
}

const untimed = (text: string) => text.replaceAll(/\d\d:\d\d(?::\d\d)?/g, 'TIME');

/** A user of the server who may log in and nothing else. */
async function aUser(name: string): Promise<string> {
  await asServer(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
  onTestFinished(() => asServer(`DROP OWNED BY ${name}; DROP ROLE ${name}`));
  return name;
}

describe('callsheet migrate', () => {
  it('makes the schema, then says that it is up to date', async () => {
    const { at, url } = aDesk();
    expect(await at.run(['list'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no schema of callsheet in') as string,
    });
    const first = await at.run(['migrate']);
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(first.err).toMatch(/^Made the schema in .*, version \d+\.\n$/);
    const { out } = await at.run(['migrate', '--json']);
    expect(JSON.parse(out)).toMatchObject({ database: url, made: false });
    expect((await at.run(['list'])).code).toBe(0);
  });

  it('makes it once when two begin at one moment', async () => {
    const { at } = aDesk();
    const both = await Promise.all([
      at.run(['migrate', '--json']),
      at.run(['migrate', '--json']),
      at.run(['migrate', '--json']),
    ]);
    const made = both.map(({ out }) => (JSON.parse(out) as { made: boolean }).made);
    expect(made.toSorted()).toEqual([false, false, true]);
  });

  it('brings an older schema up to date, as a new one is, once nobody works on it', async () => {
    const [older, fresh] = [aDesk(), aDesk()];
    const columns = async ({ schema }: { schema: string }) => {
      const client = new pg.Client(inject('postgres'));
      await client.connect();
      onTestFinished(() => client.end());
      const { rows } = await client.query(
        `SELECT table_name, column_name, data_type, collation_name FROM information_schema.columns
         WHERE table_schema = '${schema}' ORDER BY 1, 2`,
      );
      return rows as unknown[];
    };
    for (const { at } of [older, fresh]) await at.run(['migrate']);
    const { at, schema } = older;
    await asServer(
      `SET search_path = ${schema}; ALTER TABLE nights DROP COLUMN results_machine; UPDATE store SET version = 39`,
    );
    const refused = await at.run(['list']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('bring it up to date');
    const worker = new pg.Client(inject('postgres'));
    await worker.connect();
    await worker.query(`SET search_path = ${schema}; ${GREETING}`);
    expect((await at.run(['migrate'])).err).toContain('stop callsheet on all machines');
    await worker.end();
    await expect
      .poll(async () => (await at.run(['migrate'])).err)
      .toMatch(/^Brought the schema in .* from version 39 to \d+\.\n$/);
    expect(await columns(older)).toEqual(await columns(fresh));
    expect((await at.run(['list'])).code).toBe(0);
  });

  it('says what an administrator has to do for a user who may make no schema, and fills theirs', async () => {
    const { at, schema } = aDesk();
    const ann = await aUser(`ann_${schema}`);
    const argv = ['migrate', '--db', urlOf(schema, { as: ann })];
    const env = { PGPASSWORD: 'secret' };
    const { code, err } = await at.run(argv, { env });
    const mend = `CREATE SCHEMA "${schema}" AUTHORIZATION "${ann}"`;
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining(`\`${mend}\``) as string,
    });
    await asServer(mend);
    expect((await at.run(argv, { env })).code).toBe(0);
    const list = ['list', '--db', urlOf(schema, { as: ann })];
    expect((await at.run(list, { env })).code).toBe(0);
    const bob = await aUser(`bob_${schema}`);
    const other = await at.run(['list', '--db', urlOf(schema, { as: bob })], { env });
    expect(other).toMatchObject({ code: 2 });
    expect(other.err).toMatch(/lacks a right: permission denied for schema/);
  });

  it('refuses a schema with tables of another program', async () => {
    const { at, schema } = aDesk();
    await asServer(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.store (a int)`);
    for (const command of ['migrate', 'list']) {
      const { code, err } = await at.run([command]);
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringContaining('holds tables of another program') as string,
      });
    }
  });

  it('refuses a file', async () => {
    const { at } = aDesk();
    const { code, err } = await at.run(['migrate', '--db', 'calls.db']);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('calls.db is a file, which is brought up to date') as string,
    });
    expect(at.has('calls.db')).toBe(false);
  });
});

describe('a server that cannot be used', () => {
  it.each([
    ['has no such database', { of: 'nosuch' }, 2, 'database "nosuch" does not exist'],
    ['does not know the user', { as: 'nobody' }, 2, 'refuses the password'],
    ['does not answer', { at: 1 }, 1, 'does not answer: connect ECONNREFUSED'],
  ])('%s: %j', async (_, where, code, said) => {
    const { at, schema } = aDesk();
    const ended = await at.run(['status', 'spring', '--db', urlOf(schema, where)]);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(said);
    expect(ended.err).toContain('\n  next: ');
    expect(at.has('data')).toBe(false);
  });

  it('is waited for by serve --console, at most ten minutes', async () => {
    const { at, schema } = aDesk();
    let passed = 0;
    const clock = {
      ...systemClock,
      monotonic: () => passed,
      // Just before a refusal counts as the first one of another failure.
      sleep: async (ms: number) => void (passed += ms * 25),
    };
    const argv = ['serve', '--console', '--console-port', '0', '--port', '0'];
    const away = ['--db', urlOf(schema, { at: 1 })];
    const { code, err } = await at.run([...argv, ...away], { clock });
    expect({ code, err }).toMatchObject({
      code: 5,
      err: expect.stringContaining('waiting for it, at most ten minutes') as string,
    });
  });

  it('takes the password of a file, which nothing prints', async () => {
    const { at, url } = aDesk();
    at.write('right', `${password}\n`);
    at.write('wrong', 'sesame');
    const given = (name: string) => ['--db-password-file', name, '--log-level', 'debug'];
    expect(
      (await at.run(['migrate', ...given('right')], { env: { CALLSHEET_DB: url } })).code,
    ).toBe(0);
    const { code, err } = await at.run(['list', ...given('wrong')]);
    expect(code).toBe(2);
    expect(err).toContain('refuses the password');
    expect(err).not.toContain('sesame');
    expect((await at.run(['list', ...given('none')])).err).toContain(
      'The file none of --db-password-file cannot be read',
    );
  });
});

describe('commands that call nobody', () => {
  it('do on a server what they do in a file, to the same results', async () => {
    const { at } = aDesk();
    const { url } = await voiceServer();
    at.write(
      'leads.csv',
      'name,phone\nAl,+12125550100\nBo,+12125550101\nCy,+12125550102\nEd,n/a\n',
    );
    at.write('more.csv', 'name,phone\nDi,+12125550103\nAl,+12125550100\n');
    at.write('dnc.csv', 'phone\n+12125550101\n');
    await at.run(['migrate']);
    const commands = [
      ['suppress', 'import', 'dnc.csv'],
      ['import', 'spring', 'leads.csv', '--agent', 'ag_1', '--service-url', url],
      ['suppress', 'add', '+12125550102'],
      ['import', 'spring', 'more.csv'],
      ['check', 'spring'],
      ['cancel', 'spring', '--lead', '+12125550100'],
      ['cancel', 'spring', '--lead', '+12125550100', '--undo'],
      ['set', 'spring', 'concurrency=3'],
      ['start', 'spring'],
      ['pause', 'spring'],
      ['rename', 'spring', 'summer'],
      ['show', 'Al'],
      ['explain', '+12125550101'],
      ['collect', 'summer'],
      ['export', 'summer', '-o', '-'],
      ['suppress', 'list', '+12125550101'],
      ['nights', 'summer'],
      ['summary', 'summer'],
      ['inbox', 'list'],
      ['resolve', 'summer'],
    ];
    const env = { ...at.env, VOICE_API_KEY: 'k' };
    for (const argv of commands) {
      const here = await at.run([...argv, '--db', 'calls.db'], { env });
      const there = await at.run(argv, { env });
      expect({ argv, ...there }).toMatchObject({ code: here.code });
      expect(untimed(there.out)).toBe(untimed(here.out));
    }
    expect((await at.run(['list', '--json'])).out).toContain('"summer"');
  });
});

describe('users, tokens and links of the console', () => {
  it('are the same on each machine at the database', async () => {
    const { at, url } = aDesk();
    const other = desk(at.env, undefined, main);
    const refused = await at.run(['users', 'list']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('callsheet migrate`');
    await at.run(['migrate']);
    expect((await at.run(['users', 'list'])).err).toContain('There is no user');
    const { io, ended } = at.begin(['users', 'add', 'Ann', '--role', 'admin']);
    io.stdin.end('correct horse battery staple\n');
    expect(await ended).toMatchObject({ code: 0 });
    expect((await at.run(['tokens', 'add', 'crm', '--role', 'viewer'])).code).toBe(0);
    expect((await other.run(['users', 'list'])).out).toMatch(/^Ann +admin/m);
    expect((await other.run(['tokens', 'list'])).out).toMatch(/^crm +viewer/m);
    expect((await other.run(['tokens', 'remove', 'CRM'])).code).toBe(0);
    const again = await other.run(['users', 'remove', 'ann']);
    expect(again.err).toContain('admin');
    const link = await other.run(['console', '--link']);
    expect(link.err).toContain(`No console runs at this database (none is noted in ${url})`);
    expect(at.has('data')).toBe(false);
  });
});

describe('callsheet doctor', () => {
  const found = async (at: ReturnType<typeof desk>) => {
    const { out } = await at.run([
      'doctor',
      '--service',
      'simulated',
      '--json',
      '--db',
      at.env['CALLSHEET_DB'] ?? '',
    ]);
    const findings = JSON.parse(out) as { what: string; state: string; detail: string }[];
    return (name: string) => findings.find(({ what }) => what === name);
  };

  it('says what a server is, and how many dials the way there allows', async () => {
    const { at, url } = aDesk();
    expect((await found(at))('database')).toMatchObject({
      state: 'problem',
      next: expect.stringContaining('`callsheet migrate`') as string,
    });
    await at.run(['migrate']);
    const of = await found(at);
    expect(of('database')).toMatchObject({ state: 'ok' });
    expect(of('database')?.detail).toMatch(
      /: PostgreSQL \d+\.\d+, schema version \d+; its settings keep what it confirms; no standby replicates it$/,
    );
    expect(of('database')?.detail).toContain(url);
    expect(of('server')?.detail).toMatch(
      /^an answer of the server takes [\d.]+ ms, enough for \d+ dials? a second at most; its clock differs by \d+ ms; without TLS, on this machine$/,
    );
    expect(of('disk')?.detail).toMatch(/ free, where this machine keeps results and lists \(/);
    expect(of('disk')?.detail).not.toMatch(/ballast|network/);
  });
});

it('TLS with a checked certificate is left out on this machine alone', () => {
  const of = (hosts: string, rest = '') =>
    serverOptions({ url: `postgres://ann@${hosts}/calls${rest}`, folder: '/data' }, world).address
      .ssl;
  const at = desk();
  at.write('ca.pem', 'CA');
  const world = { env: {}, cwd: at.cwd };
  for (const hosts of ['localhost', '127.0.0.1:5', '[::1]', 'localhost,127.0.0.1'])
    expect(of(hosts)).toBeUndefined();
  for (const hosts of ['db.example.com', 'localhost,db', '10.0.0.1'])
    expect(of(hosts)).toEqual({ rejectUnauthorized: true });
  expect(of('localhost', '?sslrootcert=ca.pem')).toEqual({ rejectUnauthorized: true, ca: 'CA' });
});

describe('calls from a database on a server', () => {
  it('are made and collected, and the machine leaves; its journal is where --journal names a folder', async () => {
    const { at } = aDesk();
    const disk = anyDisk;
    const journal = tempFolder();
    await at.run(['migrate']);
    at.write('leads.csv', 'phone\n+12125550101\n+12125550102\n');
    const argv = ['run', 'leads.csv', '--service', 'simulated', '--agent', 'ag_demo', '--yes'];
    const db = at.env['CALLSHEET_DB'] ?? '';
    const { code, err } = await at.run([...argv, '--db', db, '--journal', journal], { disk });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(readFileSync(join(journal, readdirSync(journal)[0] ?? ''), 'utf8')).toContain(
      '+12125550102',
    );

    const { out } = await at.run(['machines', 'list', '--json']);
    const [machine] = JSON.parse(out) as { name: string; isAwaited: boolean; leftAt: string }[];
    expect(machine).toMatchObject({ isAwaited: false, leftAt: expect.any(String) as string });
    const asked = await at.run(['machines', 'forget', machine?.name ?? '']);
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('a yes') as string });
    const gone = await at.run(['machines', 'forget', machine?.name ?? '', '--yes', '--json']);
    expect(JSON.parse(gone.out)).toEqual([]);
    const unknown = await at.run(['machines', 'forget', machine?.name ?? '', '--yes']);
    expect(unknown.err).toContain('machines list');
    expect((await at.run(['restored'])).code).toBe(0);
  });

  it('are refused where the journal would be in memory', async () => {
    const { at } = aDesk();
    const disk = { ...anyDisk, fileSystemType: () => 0x01021994 };
    await at.run(['migrate']);
    at.write('leads.csv', 'phone\n+12125550101\n');
    const argv = ['run', 'leads.csv', '--service', 'simulated', '--agent', 'ag_demo', '--yes'];
    const db = at.env['CALLSHEET_DB'] ?? '';
    const { code, err } = await at.run([...argv, '--db', db], { disk });
    expect(code).toBe(2);
    expect(err).toContain('name a folder on a disk with --journal DIR');
  });
});
