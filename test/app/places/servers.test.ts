import { describe, expect, it } from 'vitest';
import { isThere, locateDatabase, nameOf } from '../../../src/app/places/home.ts';
import { desk } from '../../helpers/callsheet.ts';

const URL = 'postgres://ann@db.example.com/calls?schema=spring';
const SECRET = 'sesame';
const world = (env: Record<string, string> = {}) => ({ cwd: '/folder', env });
const folder = '/folder/data/db.example.com+5432+calls+spring';

describe('a database on a server', () => {
  it('is named by --db or CALLSHEET_DB, and has a folder on this machine', () => {
    const place = { url: URL, folder, given: true };
    expect(locateDatabase({ db: URL }, world(), false)).toEqual(place);
    expect(locateDatabase({}, world({ CALLSHEET_DB: URL }), false)).toEqual(place);
    expect(locateDatabase({ db: 'x.db' }, world({ CALLSHEET_DB: URL }), false)).toMatchObject({
      file: '/folder/x.db',
    });
    expect(nameOf(locateDatabase({ db: URL }, world(), false))).toBe(URL);
    expect(isThere(locateDatabase({ db: URL }, world(), false))).toBe(true);
  });

  it('has its rehearsals in a file of that folder, unless --db names it for them, too', () => {
    const env = { CALLSHEET_DB: URL };
    const file = `${folder}/simulated.db`;
    expect(locateDatabase({}, world(env), true)).toEqual({ file, folder, given: false });
    expect(locateDatabase({ db: URL }, world(), true)).toMatchObject({ url: URL });
  });

  it('keeps that folder in the home folder, which commands name', async () => {
    const at = desk();
    const home = { CALLSHEET_HOME: at.cwd };
    const { code, err } = await at.run(['backup', 'x', '--db', URL], { env: home, cwd: '/' });
    expect({ code, err: err.split('\n')[0] }).toEqual({
      code: 2,
      err: `data/ is taken from ${at.cwd} (CALLSHEET_HOME).`,
    });
  });

  it.each([
    [
      ['backup', 'copy.db'],
      'A backup',
      "copy its schema with `pg_dump --schema=spring`, or use the point-in-time recovery of the server's host",
    ],
    [
      ['restore', 'copy.db'],
      'To restore a backup',
      "use `psql` with what `pg_dump --schema=spring` wrote, or the point-in-time recovery of the server's host",
    ],
    [
      ['run', 'spring', '--new-db'],
      '--new-db',
      'leave --new-db out; `callsheet migrate` begins one on a server',
    ],
  ])('is refused by %j, which says what to do instead', async (argv, what, instead) => {
    const at = desk();
    const { code, err } = await at.run([...argv, '--db', URL, '--json']);
    expect({ code, ...(JSON.parse(err) as object) }).toMatchObject({
      code: 2,
      error: {
        code: 'STORE_ON_SERVER',
        message: `${what} needs a database in a file, and ${URL} is on a server.`,
        hint: instead,
      },
    });
  });

  it('leaves rehearsals of CALLSHEET_DB to a file', async () => {
    const at = desk({ CALLSHEET_DB: URL });
    at.write('leads.csv', 'phone\n+12125550100\n');
    const { code } = await at.run(['import', 'spring', 'leads.csv', '--service', 'simulated']);
    expect(code).toBe(0);
    expect(at.has('data/db.example.com+5432+calls+spring/simulated.db')).toBe(true);
  });
});

describe('a password in the URL of a database', () => {
  const inUrl = `postgres://ann:${SECRET}@db.example.com/calls`;
  const inQuery = `postgres://ann@db.example.com/calls?password=${SECRET}`;

  it.each([
    ['--db', inUrl, 'postgres://ann:***@db.example.com/calls'],
    ['--db', inQuery, 'postgres://ann@db.example.com/calls?password=***'],
    ['CALLSHEET_DB', inUrl, 'postgres://ann:***@db.example.com/calls'],
    ['CALLSHEET_DB', inQuery, 'postgres://ann@db.example.com/calls?password=***'],
  ])('is refused in %s, where %s is read', async (from, url, shown) => {
    const at = desk(from === '--db' ? {} : { CALLSHEET_DB: url });
    const { code, err } = await at.run(['list', ...(from === '--db' ? ['--db', url] : [])]);
    expect(code).toBe(2);
    expect(err).toBe(
      `callsheet: ${from} "${shown}" holds a password, which the list of processes and the history of the shell would show.\n  next: take it out, and give it in the variable PGPASSWORD or in the file ~/.pgpass\n`,
    );
  });

  it.each([
    ['status', 'spring', '--json'],
    ['run', 'leads.csv', '--agent', 'ag_1', '--log-level', 'debug'],
    ['serve', '--log-file', 'serve.log'],
    ['run', 'spring', '--log-file', 'run.log', '--quiet'],
    ['import', 'spring', 'leads.csv'],
    ['list', '--no-such-flag'],
    ['no-such-command'],
    ['pause'],
    ['resolve', 'spring', '--as', 'placed'],
    ['doctor', '--service', 'simulated'],
    ['console', '--port', '0'],
    ['users', 'list'],
    ['backup', 'copy.db'],
    ['restore', 'copy.db'],
    ['check', '--rehearse', 'spring'],
    ['help', 'list'],
    ['--get-yargs-completions', 'callsheet', 'status', ''],
  ])('is never printed, nor kept in a file: %s %s %s', async (...argv) => {
    for (const url of [inUrl, inQuery, `postgres:ann:${SECRET}@db/calls`]) {
      const at = desk();
      at.write('leads.csv', 'phone\n+12125550100\n');
      const { out, err } = await at.run([...argv, '--db', url]);
      expect(out + err).not.toContain(SECRET);
      for (const log of ['serve.log', 'run.log'])
        expect(at.has(log) ? at.read(log) : '').not.toContain(SECRET);
      const named = await desk({ CALLSHEET_DB: url }).run(argv);
      expect(named.out + named.err).not.toContain(SECRET);
    }
  });

  it('is not in the commands that a message ends with', async () => {
    const at = desk();
    const { err } = await at.run(['list', '--no-such-flag', '--db', inUrl]);
    expect(err).not.toContain(SECRET);
    const { err: pause } = await at.run(['pause', 'spring', '--all', '--db', inUrl]);
    expect(pause).toContain("--db 'postgres://ann:***@db.example.com/calls'");
  });
});
