import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { AGENT, KEY, simulatedService } from '../../../helpers/services/simulated-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const HEAD = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d \[([0-9a-f]{6})\] /;
const PHONES = ['+12125550101', '+12125550102', '+12125550103'];
const FLAGS = ['--agent', AGENT, '--yes', '--set', 'polling.floor=20ms'];
/** As cron runs it: nobody looks on, and what is written is kept. */
const AT_NIGHT = { logTime: true };
const LOG = ['--quiet', '--log-file', 'logs/night-{date}.log'];

async function aNight() {
  const simulator = await simulatedService();
  const at = desk({ VOICE_API_URL: simulator.url, VOICE_API_KEY: KEY });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  return { simulator, at, run: ['run', 'leads.csv', ...FLAGS] };
}

/** Of the machine's day, which tests have in New York. */
function today(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format();
}

describe('the messages of a run off a terminal', () => {
  it('begin with the time and the id of the run, and say first when it is and how it calls', async () => {
    const { at, run } = await aNight();
    const { code, err } = await at.run([...run, '--limit', '2', '--pace', '100/s'], AT_NIGHT);
    expect(code).toBe(3);
    const lines = err.trimEnd().split('\n');
    const ids = new Set(lines.map((line) => HEAD.exec(line)?.[1]));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    expect(err).toMatch(new RegExp(`] Run ${id} of "leads", \\w{3} ${today()} `));
    expect(err).toContain(
      ` America/New_York: agent ${AGENT}, concurrency 5, pace 100/s, requests 5, rules always, longestCall 15m, limit 2.`,
    );
    const again = await at.run([...run], AT_NIGHT);
    expect(HEAD.exec(again.err)?.[1]).not.toBe(id);
  });

  it('have no time with --no-log-time, and have it on a terminal with --log-time', async () => {
    const { at, run } = await aNight();
    const without = await at.run([...run, '--limit', '1', '--no-log-time'], AT_NIGHT);
    expect(without.err).not.toMatch(/^\d{4}-/m);
    const withTime = await at.run([...run, '--limit', '1', '--log-time'], { stderrIsTty: true });
    expect(withTime.err).toMatch(HEAD);
    const both = await at.run([...run, '--log-time', '--no-log-time']);
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('contradict each other')]);
  });
});

describe('--quiet with --log-file', () => {
  it('leaves nothing for a mail on a normal night, and all of it in the file of the day', async () => {
    const { at, run } = await aNight();
    const some = await at.run([...run, '--limit', '1', ...LOG], AT_NIGHT);
    expect(some).toEqual({ code: 3, out: '', err: '' });
    const all = await at.run([...run, ...LOG], AT_NIGHT);
    expect(all).toEqual({ code: 0, out: '', err: '' });
    const collected = await at.run(['collect', 'leads', ...LOG], AT_NIGHT);
    expect(collected).toEqual({ code: 0, out: '', err: '' });

    const file = `logs/night-${today()}.log`;
    expect(statSync(at.path(file)).mode & 0o777).toBe(0o600);
    const lines = at.read(file).trimEnd().split('\n');
    expect(lines.every((line) => HEAD.test(line))).toBe(true);
    expect(new Set(lines.map((line) => HEAD.exec(line)?.[1])).size).toBe(3);
    expect(lines.filter((line) => line.includes('] Run '))).toHaveLength(3);
    expect(lines.at(-1)).toMatch(/\] Every lead is final\.$/);
    expect(at.read(file)).toContain('3 done, 0 in progress, 0 waiting');
    expect(at.read(file)).toContain(': only collecting.');
  });

  it("mails this night's trouble alone, with where the rest is, also where nothing was begun", async () => {
    const { at, run } = await aNight();
    await at.run([...run, '--limit', '1', ...LOG], AT_NIGHT);
    const { code, err } = await at.run([...run, '--concurrency', '-3', ...LOG], AT_NIGHT);
    expect(code).toBe(2);
    const lines = err.trimEnd().split('\n');
    expect(lines.every((line) => HEAD.test(line))).toBe(true);
    expect(lines.map((line) => line.replace(HEAD, ''))).toEqual([
      expect.stringMatching(/^callsheet: .*concurrency/),
      expect.stringMatching(/^ {2}next: /),
      `All messages of run ${HEAD.exec(err)?.[1] ?? ''} are in ${at.path(`logs/night-${today()}.log`)}.`,
    ]);
    expect(at.read(`logs/night-${today()}.log`)).toContain(lines[0]);
  });

  it('tells a problem and how the run ended when a person is needed', async () => {
    const service = await voiceServer({
      agents: () => ({ body: [{ id: AGENT }] }),
      dial: (_, callId, nth) => (nth === 2 ? { status: 500, body: '' } : { body: { id: callId } }),
    });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
    const fast = ['--set', 'unknown.reconcileFor=1s'];
    const run = ['run', 'leads.csv', ...FLAGS, ...fast, '--limit', '2', ...LOG];
    const { code, err } = await at.run(run, AT_NIGHT);
    expect(code).toBe(5);
    expect(err).toContain('] The answer of a call was lost: ');
    expect(err).toContain('] A person is needed: ');
    expect(err).not.toContain('in progress, 2 waiting');
    expect(err).not.toContain('] Run ');
  });

  it('still shows on a terminal what is asked about, and how it ended', async () => {
    const { at, run } = await aNight();
    const asked = run.filter((word) => word !== '--yes');
    const { code, err } = await at.run([...asked, '--quiet'], { typed: '' });
    expect(code).toBe(0);
    expect(err).toContain('LOOPBACK http://');
    expect(err).not.toContain('Run ');
    expect(err).not.toContain('100%');
    expect(err).toContain('Every lead is final.');
  });
});

describe('a log file', () => {
  it.each<[string, string, RegExp]>([
    ['the list', 'leads.csv', /does not begin as a log of callsheet; give a new file/],
    ['the database', 'data/callsheet.db', /is part of the database/],
    ['a folder', 'folder', /EISDIR/],
    ['no name of a file', 'folder/', /is no file's name/],
    ['the standard output', '-', /messages are on stderr without it/],
    ['below a file', 'leads.csv/night.log', /ENOTDIR|EEXIST/],
    [
      'by a sign that means nothing there',
      'night-%F.log',
      /%F means nothing .*night-\{date\}\.log/,
    ],
  ])('is refused before anything is called where it is %s', async (_what, path, why) => {
    const { at, run, simulator } = await aNight();
    mkdirSync(at.path('folder'));
    const before = at.read('leads.csv');
    const { code, err } = await at.run([...run, '--log-file', path]);
    expect([code, err]).toEqual([2, expect.stringMatching(why)]);
    expect(err).toMatch(/\n {2}next: /);
    expect(at.read('leads.csv')).toBe(before);
    expect(simulator.ledger()).toEqual([]);
  });

  it('that cannot be written any more is told once, and stops nothing', async () => {
    const { at, run, simulator } = await aNight();
    const { code, err } = await at.run([...run, '--log-file', '/dev/full']);
    expect(code).toBe(0);
    expect(simulator.ledger()).toHaveLength(PHONES.length);
    expect(err.match(/The log file \/dev\/full cannot be written \(ENOSPC/g)).toHaveLength(1);
  });

  it('keeps the mode that somebody gave it, and the log of --log-level', async () => {
    const { at, run } = await aNight();
    const log = ['--log-file', 'own.log', '--log-level', 'info'];
    await at.run([...run, '--limit', '1', ...log], AT_NIGHT);
    chmodSync(at.path('own.log'), 0o640);
    const { err } = await at.run([...run, ...log], AT_NIGHT);
    expect(err).not.toContain('call.placed');
    expect(at.read('own.log')).toMatch(/\] \{"level":"info",.*"run":"[0-9a-f]{6}".*call\.placed/);
    expect(statSync(at.path('own.log')).mode & 0o777).toBe(0o640);
  });
});
