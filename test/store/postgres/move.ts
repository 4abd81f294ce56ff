import Sqlite from 'better-sqlite3';
import { expect, inject, it, onTestFinished } from 'vitest';
import type * as Main from '../../../src/cli/main.ts';
import type * as Server from '../../../src/store/postgres/server.ts';
import { desk } from '../../helpers/callsheet.ts';
import {
  AGENT,
  KEY,
  simulatedService,
  ledgerAt,
  rangTwice,
} from '../../helpers/services/simulated-service.ts';
import { anyDisk, aSchema, asServer, built } from './a-schema.ts';

const { main } = await built<typeof Main>('../../cli/main');
const { serverEngine } = await built<typeof Server>('server');
const { host, port, user, password, database } = inject('postgres');

/** MOVE_LEADS=100000 npm run postgres -- move -t goes.on: a large one, half of it is called from the file, and 1,000 more from the server. */
const { MOVE_LEADS = '300' } = process.env;
const LEADS = Number(MOVE_LEADS);
const IS_LARGE = LEADS > 10_000;
const numberOf = (n: number) => `+1212${5_550_100 + n}`;

/** A desk with a campaign in calls.db, half of it called and paused, and a schema that does not exist yet. */
async function half(leads: number, { pause = true } = {}) {
  const { schema, ...place } = aSchema();
  const url = `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
  const service = await simulatedService({ timeScale: IS_LARGE ? 50_000 : 2_000 });
  const at = desk(
    { CALLSHEET_DB: 'calls.db', PGPASSWORD: password, VOICE_API_KEY: KEY },
    undefined,
    main,
  );
  const run = (...argv: string[]) => at.run(argv, { disk: anyDisk });
  const done = async (...argv: string[]) => {
    const ended = await run(...argv);
    if (ended.code !== 0) expect({ argv, ...ended }).toEqual({ code: 0 });
    return ended;
  };
  const rows = Array.from({ length: leads }, (_, n) => `P${n},${numberOf(n)}`);
  at.write('leads.csv', `name,phone\n${rows.join('\n')}\n`);
  const to = ['--agent', AGENT, '--service-url', service.url, '--rules', 'always'];
  await done('import', 'spring', 'leads.csv', '--db', 'calls.db', ...to);
  await done('suppress', 'add', numberOf(leads - 1));
  const calls = leads >> 1;
  await done('set', 'spring', `stop.calls=${calls}`, `concurrency=${IS_LARGE ? 1_000 : 100}`);
  const dial = (db: string) => run('run', 'spring', '--yes', '--db', db);
  expect(await dial('calls.db')).toMatchObject({ code: 3 });
  if (pause) await done('pause', 'spring');
  const move = (...more: string[]) => run('move', '--yes', '--to', url, ...more);
  return { at, run, done, dial, move, url, service, place: { ...place, schema } };
}

const exportOf = ['export', 'spring', '-o', '-'];

it(
  'a campaign that is half done goes on: its export is equal, and nobody rings twice',
  async () => {
    const { at, run, done, dial, move, url, service, place } = await half(LEADS);
    const { io, ended } = at.begin(['users', 'add', 'Ann', '--role', 'admin']);
    io.stdin.end('correct horse battery staple\n');
    expect(await ended).toMatchObject({ code: 0 });
    const before = await done(...exportOf);
    const began = performance.now();
    const { code, err, out } = await move('--json');
    console.log(`moved ${LEADS} leads in ${Math.round(performance.now() - began)} ms`);
    expect({ code, err }).toEqual({ code: 0, err: expect.anything() as string });
    expect(JSON.parse(out)).toMatchObject({ to: url, leads: LEADS, campaigns: 1 });
    expect((await done(...exportOf, '--db', url)).out).toBe(before.out);
    expect((await done('users', 'list', '--db', url)).out).toMatch(/^Ann +admin/m);

    const read = await done(...exportOf);
    expect(read.out).toBe(before.out);
    expect(read.err.match(/was moved to/g)).toHaveLength(1);
    expect((await done('status', 'spring')).err.match(/was moved to/g)).toHaveLength(1);
    expect((await done('list')).err.match(/was moved to/g)).toHaveLength(1);
    for (const argv of [
      ['resume', 'spring'],
      ['run', 'spring', '--yes'],
      ['set', 'spring', 'concurrency=1'],
    ]) {
      const refused = await run(...argv);
      expect({ argv, ...refused }).toMatchObject({ code: 2 });
      expect(refused.err).toContain(`was moved to ${url}`);
    }
    expect((await move()).err).toContain('was moved to');

    const engine = serverEngine(place);
    onTestFinished(() => {
      engine.close();
    });
    const last = engine.db.prepare('SELECT max(seq) FROM attempts').pluck().get() as number;
    const goesOn = IS_LARGE ? { stop: (LEADS >> 1) + 1_000, code: 3 } : { stop: LEADS, code: 0 };
    await done('set', 'spring', `stop.calls=${goesOn.stop}`, '--db', url);
    await done('resume', 'spring', '--db', url);
    expect(await dial(url)).toMatchObject({ code: goesOn.code });
    const after = engine.db
      .prepare('SELECT min(seq) FROM attempts WHERE seq > ?')
      .pluck()
      .get(last);
    expect(after).toBe(last + 1);
    const { numbers } = await ledgerAt(service.url, KEY);
    expect(numbers).toHaveLength(IS_LARGE ? goesOn.stop : LEADS - 1);
    expect(rangTwice(numbers)).toEqual([]);
  },
  IS_LARGE ? 3_600_000 : 120_000,
);

it('what is not settled is refused, with the command that settles it; nothing is moved', async () => {
  const { run, move, done, at, url } = await half(6, { pause: false });
  const refused = async (said: string, next: string) => {
    const { code, err } = await move();
    expect({ code, err }).toMatchObject({ code: 2 });
    expect(err).toContain(said);
    expect(err).toContain(next);
  };
  await refused('would go on calling from the file: spring', 'callsheet pause spring --db ');
  await done('pause', 'spring');
  const db = new Sqlite(at.path('calls.db'));
  db.prepare('SELECT 1 FROM leads').get();
  await expect(move()).resolves.toMatchObject({
    code: 1,
    err: expect.stringContaining('so it was not moved') as string,
  });
  const open = (change: string) => db.prepare(`UPDATE attempts SET ${change} WHERE seq = 1`).run();
  open(
    "state = 'unknown', settled_at = NULL, slot_until = 9, call_id = NULL, result = NULL, result_source = NULL",
  );
  db.close();
  await refused('are not settled: spring (1)', 'callsheet resolve spring --db ');
  expect((await run('list', '--db', url)).err).toContain('There is no schema of callsheet');
  expect((await move('--db', url)).err).toContain('needs a database in a file');
  const toFile = await run('move', '--yes', '--to', 'other.db');
  expect(toFile).toMatchObject({ code: 2 });
  expect((await run('move', '--to', url)).err).toContain('needs a yes');
});

it('a call that only the journal knows is found before the move', async () => {
  const { move, at } = await half(6);
  const db = new Sqlite(at.path('calls.db'));
  db.exec(`PRAGMA foreign_keys = OFF; DELETE FROM evidence; DELETE FROM analytics; DELETE FROM attempts WHERE seq = 3;
    UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL, spent = 0 WHERE row NOT IN (SELECT lead_row FROM attempts);
    DELETE FROM meta WHERE key LIKE 'journal%'`);
  db.close();
  expect((await move()).err).toContain('are not settled: spring (1)');
});

it('a text that PostgreSQL cannot hold is named, and a schema that is not empty is refused', async () => {
  const { move, at, place, run, url } = await half(6);
  await run('migrate', '--db', url);
  await asServer(`INSERT INTO ${place.schema}.proven_services VALUES ('x', 1)`);
  expect((await move()).err).toContain('is not empty: proven_services has rows');
  await asServer(`DELETE FROM ${place.schema}.proven_services`);
  const db = new Sqlite(at.path('calls.db'));
  const change = db.prepare("UPDATE leads SET reason = 'a' || char(?) || 'b' WHERE row = 2");
  change.run(0);
  db.close();
  const { code, err } = await move();
  expect({ code, err }).toMatchObject({ code: 2 });
  expect(err).toContain('table leads, row 2, column reason');
  const again = new Sqlite(at.path('calls.db'));
  again.exec(`UPDATE leads SET reason = 'é😀' WHERE row = 2; UPDATE campaigns SET pace_due_at = 1.1e21;
    UPDATE leads SET not_before = 9007199254740993 WHERE row = 3`);
  again.close();
  expect(await move()).toMatchObject({ code: 0 });
});

it.each([
  ['finishes where nothing has changed', '', 0],
  [
    'is refused where the file went on',
    "UPDATE campaigns SET state = 'cancelled', pause_reason = NULL",
    2,
  ],
])('a move that was killed before the file knew of it, %s', async (_, change, code) => {
  const { move, at, run, url } = await half(6);
  expect(await move()).toMatchObject({ code: 0 });
  const db = new Sqlite(at.path('calls.db'));
  db.exec(`DELETE FROM meta WHERE key = 'moved_to'; ${change}`);
  db.close();
  const again = await move();
  expect(again).toMatchObject({ code });
  expect((await run('resume', 'spring')).err.includes(`was moved to ${url}`)).toBe(code === 0);
});

it('the server waits for a move while a large table of the file is read', async () => {
  const { move, place, run, url } = await half(6);
  await run('migrate', '--db', url);
  const { schema } = place;
  await asServer(`CREATE FUNCTION ${schema}.waits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_setting('idle_in_transaction_session_timeout') <> '0' THEN RAISE 'it does not'; END IF; RETURN NEW;
    END $$; CREATE TRIGGER waits BEFORE INSERT ON ${schema}.leads FOR EACH ROW EXECUTE FUNCTION ${schema}.waits()`);
  const { code, err } = await move();
  expect({ code, err }).toMatchObject({ code: 0 });
});

it('a move that was killed in its middle leaves a file from which nobody calls before it is moved again', async () => {
  const { move, at, run, url } = await half(6);
  const db = new Sqlite(at.path('calls.db'));
  db.prepare("INSERT INTO meta VALUES ('moves_to', ?)").run(url);
  db.close();
  const start = await run('resume', 'spring');
  expect(start).toMatchObject({ code: 2 });
  expect(start.err).toContain('was broken off');
  expect(await move()).toMatchObject({ code: 0 });
  expect((await run('resume', 'spring')).err).toContain(`was moved to ${url}`);
});

it('a move that failed is open only while the server may have all of it, and then for no other server', async () => {
  const { move, at, run, url } = await half(6);
  const begun = (to: string, reason: string) => {
    const db = new Sqlite(at.path('calls.db'));
    db.prepare("INSERT OR REPLACE INTO meta VALUES ('moves_to', ?)").run(to);
    db.prepare('UPDATE leads SET reason = ? WHERE row = 2').run(reason);
    db.close();
  };
  begun(`${url}2`, 'no');
  const other = await move();
  expect(other).toMatchObject({ code: 2 });
  expect(other.err).toContain(`to ${url}2 was broken off`);
  expect(other.err).toContain('gone for good');
  expect((await run('resume', 'spring')).err).toContain('was broken off');

  // With the lock, what is not there now will never be.
  begun(url, 'a\0b');
  expect(await move()).toMatchObject({ code: 2 });
  expect((await run('pause', 'spring')).err).not.toContain('was broken off');

  begun(url, 'no');
  expect(await move()).toMatchObject({ code: 0 });
  const db = new Sqlite(at.path('calls.db'));
  db.exec("DELETE FROM meta WHERE key = 'moved_to'; UPDATE leads SET reason = 'yes' WHERE row = 2");
  db.close();
  expect((await move()).err).toContain('A move has ended before');
  expect((await run('resume', 'spring')).err).toContain('was broken off');
});

it('a rehearsal says the same of a campaign on a server', async () => {
  const { move, done, at, url, service } = await half(40);
  at.write('more.csv', `name,phone\nNew,${numberOf(99)}\nOld,${numberOf(2)}\n`);
  await done(
    'import',
    'other',
    'more.csv',
    '--agent',
    AGENT,
    '--service',
    'simulated',
    '--db',
    'calls.db',
  );
  const plays = [
    ['check', '--rehearse', 'spring', '--json'],
    [
      'check',
      '--rehearse',
      'more.csv',
      '--agent',
      AGENT,
      '--service-url',
      service.url,
      '--rules',
      'always',
      '--json',
    ],
    ['check', '--rehearse', 'other', '--json'],
  ];
  const at9 = ['--at', '2031-01-06 09:00'];
  const here: string[] = [];
  for (const argv of plays) here.push((await done(...argv, ...at9)).out);
  expect(await move()).toMatchObject({ code: 0 });
  for (const [n, argv] of plays.entries())
    expect((await done(...argv, ...at9, '--db', url)).out).toBe(here[n]);
});
