import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { simulatedService } from '../../helpers/services/simulated-service.ts';
import { aDesk, deskAt, expectSaid, filesOf, GOOD, KEY, RUN } from '../lists/bad-input.ts';

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
    const ended = await at.run([...RUN, '--wait', '0s'], { env, clock: hastyClock(20) });
    // The pauses before it is asked again may take longer than 3 s.
    const err = ended.err.replace(/^Waiting for .*, 3 s so far; .*\n/, '');
    expectSaid(
      { ...ended, err },
      1,
      /cannot be reached: GET http:\/\/127\.0\.0\.1:9\/v1\/agents: .*ECONNREFUSED/,
      /check that the service runs/,
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
    expectSaid(problem, 2, new RegExp(`The results file ${at.path(path)} `), /-o/);
    expect(service.dialled).toEqual([]);
    expect(filesOf(at)).toEqual(before);
    const exported = await at.run([...RUN, '--db', 'calls.db']);
    expect(exported.code).toBe(0);
    const refused = await at.run(['export', 'leads', '--db', 'calls.db', '-o', path]);
    expectSaid(refused, 2, /The results file/, /-o/);
  });
});

function otherProgram(path: string): void {
  const db = new Sqlite(path);
  db.exec('CREATE TABLE notes (text)');
  db.close();
}
