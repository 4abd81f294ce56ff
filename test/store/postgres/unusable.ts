import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { serverOptions } from '../../../src/app/places/servers.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { AT_WORK } from '../../../src/store/postgres/server.ts';
import { desk } from '../../helpers/callsheet.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';
import { aDesk, password, urlOf } from './a-desk.ts';
import { anyDisk, asServer } from './a-schema.ts';

/** A user of the server who may log in and nothing else. */
async function aUser(name: string): Promise<string> {
  await asServer(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
  onTestFinished(() => asServer(`DROP OWNED BY ${name}; DROP ROLE ${name}`));
  return name;
}

describe('callsheet migrate', () => {
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
    at.write('leads.csv', 'phone\n+12125550100\n+12125550101\n');
    const { url } = await voiceServer();
    const flags = ['--agent', 'ag_1', '--service-url', url];
    const env = { ...at.env, VOICE_API_KEY: 'k' };
    const imported = await at.run(['import', 'spring', 'leads.csv', ...flags], { env });
    expect(imported).toMatchObject({ code: 0, err: expect.stringContaining('2 added') as string });
    await asServer(
      `SET search_path = ${schema}; ALTER TABLE nights DROP COLUMN results_machine; ALTER TABLE leads DROP COLUMN retried_after;
       DROP TRIGGER leads_wait ON leads; DROP FUNCTION leads_wait(); DROP TABLE waiting_counts;
       UPDATE store SET version = 39`,
    );
    const refused = await at.run(['list']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('bring it up to date');
    const worker = new pg.Client(inject('postgres'));
    await worker.connect();
    await worker.query(`SET search_path = ${schema}; SELECT pg_advisory_lock_shared(${AT_WORK})`);
    expect((await at.run(['migrate'])).err).toContain('stop callsheet on all machines');
    await worker.end();
    await expect
      .poll(async () => (await at.run(['migrate'])).err)
      .toMatch(/^Brought the schema in .* from version 39 to \d+\.\n$/);
    expect(await columns(older)).toEqual(await columns(fresh));
    expect((await at.run(['list'])).code).toBe(0);
    const counter = new pg.Client(inject('postgres'));
    await counter.connect();
    onTestFinished(() => counter.end());
    const { rows } = await counter.query(`SELECT leads FROM ${schema}.waiting_counts`);
    expect(rows).toEqual([{ leads: '2' }]);
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
