import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { noticeReceiver, type Received } from '../../../app/notices/receiver.ts';
import type { Desk } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { until } from '../../../helpers/until.ts';
import { page } from '../../../docs/pages.ts';
import { aDesk, RUN } from '../desk.ts';

/** Notes down what it was told, a line each. */
const TELL =
  '#!/bin/sh\n{ cat; } >> told.jsonl\necho "$CALLSHEET_EVENT: $CALLSHEET_TEXT" >> told.txt\nenv >> env.txt\n';
const EVERYTHING = 'on: [attention, finished, started]';

/** A desk whose services.yaml names a command, which is told of everything. */
async function tellingDesk(notify = `- { ${EVERYTHING}, command: [./tell] }`) {
  const { at, service } = await aDesk();
  mkdirSync(at.path('campaigns'));
  at.write('campaigns/services.yaml', `notify:\n  ${notify}\n`);
  chmodSync(at.write('campaigns/tell', TELL), 0o755);
  return { at, service };
}

const toldOf = (at: Desk) =>
  at
    .read('campaigns/told.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Received['notice']);

describe('a run', () => {
  it('tells a command that a night has begun and has ended, in the folder of services.yaml', async () => {
    const { at } = await tellingDesk();
    expect(await at.run(RUN)).toMatchObject({ code: 0 });

    expect(toldOf(at)).toMatchObject([
      { event: 'started', campaign: 'leads' },
      {
        event: 'finished',
        reason: 'campaign',
        counts: { leads: 3, done: 3 },
        tonight: { calls: 3 },
      },
    ]);
    expect(toldOf(at)[1]).toMatchObject({ results: at.path('data/results/leads.csv') });
    expect(at.read('campaigns/told.txt')).toMatch(
      /^finished: leads: the campaign is completed: tonight 3 calls made, 0 refused, 0 in doubt, 0 not made/m,
    );
    // The key of the service is in the environment of callsheet, and not in that of the command.
    expect(at.read('campaigns/env.txt')).not.toContain('VOICE_API_KEY');
  });

  it('tells that a person is needed, and the next run tells nothing new', async () => {
    const { at, service } = await tellingDesk();
    service.behave({ dial: () => ({ status: 401, body: { error: 'no' } }) });
    expect((await at.run(RUN)).code).toBe(4);
    expect((await at.run(RUN)).code).not.toBe(0);
    const told = toldOf(at).filter(({ event }) => event === 'attention');
    expect(told).toHaveLength(1);
    expect(told).toMatchObject([{ reason: 'key' }]);
  });

  it('tells of a run that is refused before its first call when nobody is there', async () => {
    const { at } = await tellingDesk();
    expect((await at.run([...RUN, '--limit', '1'])).code).toBe(3);
    const old = await at.run([...RUN, '--set', 'suppression.maxAge=1d']);
    expect(old.err).toContain('suppression.maxAge allows 1 day');
    const told = toldOf(at).filter(({ event }) => event === 'attention');
    expect(told).toMatchObject([{ reason: 'suppression_too_old', campaign: 'leads' }]);
  });

  it('does not fail when nobody can be told; the next command tells it, with the same id', async () => {
    const receiver = await noticeReceiver();
    receiver.behave(503);
    const { at } = await tellingDesk(`- { on: finished, url: ${receiver.url} }`);
    const { code, err } = await at.run(RUN);
    expect(code).toBe(0);
    expect(err).toContain('A notice (finished) did not come to http://127.0.0.1');
    expect(err).not.toContain('T0PSECRET');
    const { out, code: found } = await at.run(['doctor']);
    expect(found).toBe(5);
    expect(out).toMatch(/notices\s+NO\s+finished to http:\/\/127\.0\.0\.1:\d+ \(not signed\)/);
    expect(out).toContain('it answered with HTTP 503');
    expect(out).not.toContain('T0PSECRET');

    receiver.behave(200);
    const later = { now: () => systemClock.now() + 60_000 };
    expect((await at.run(RUN, { clock: { ...systemClock, ...later } })).code).toBe(0);
    const ids = receiver.received.map(({ notice }) => notice.id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect((await at.run(['doctor'])).out).toMatch(/notices\s+yes/);
  });
});

describe('a campaign file', () => {
  it('may not name a command that services.yaml does not name', async () => {
    const { at } = await tellingDesk('- { on: none, command: [./tell] }');
    at.write(
      'spring.yaml',
      `leads: leads.csv\nagent: ag_1\nnotify: [{ ${EVERYTHING}, command: [rm, -rf, x] }]\n`,
    );
    const { code, err } = await at.run(['run', 'spring.yaml']);
    expect(code).toBe(2);
    expect(err).toContain('The campaign file wants notices to go to command rm');
    expect((await at.run(['check', 'spring.yaml'])).err).toContain('does not allow that');

    at.write(
      'spring.yaml',
      `leads: leads.csv\nagent: ag_1\nnotify: [{ on: finished, command: [./tell] }]\n`,
    );
    expect((await at.run(['run', 'spring.yaml', '--set', 'polling.floor=20ms'])).code).toBe(0);
    expect(toldOf(at)).toMatchObject([{ event: 'finished', campaign: 'spring' }]);
  });
});

describe('callsheet serve', () => {
  const serveAt = (url: string) => ['serve', '--port', '0', '--service-url', url];

  it('says at its start who is told, and tells them', async () => {
    const { at, service } = await tellingDesk();
    await at.run(['import', 'leads', 'leads.csv', ...RUN.slice(2)]);
    await at.run(['resume', 'leads']);
    const { io, ended } = at.begin(serveAt(service.url), { clock: hastyClock(20) });
    await io.written('completed; results:');
    await io.written('Notices: attention, finished, started to command tell in');
    await until(
      () =>
        at.has('campaigns/told.txt') && at.read('campaigns/told.txt').includes('finished: leads'),
    );
    io.signal();
    await ended;
    expect(toldOf(at)).toMatchObject([
      { event: 'started' },
      { event: 'finished', reason: 'campaign' },
    ]);
  });

  it('says whom a campaign file names without leave; doctor does, too', async () => {
    const { at, service } = await tellingDesk('- { on: none, command: [./tell] }');
    at.write('spring.yaml', 'agent: ag_1\nnotify: [{ on: finished, command: [./tell] }]\n');
    at.write('spring.yaml', `leads: leads.csv\n${at.read('spring.yaml')}`);
    expect((await at.run(['run', 'spring.yaml', '--limit', '1'])).code).toBe(3);
    at.write('campaigns/services.yaml', '');
    const refused = 'spring: command tell is not told, as its campaign file names it';
    const doctor = await at.run(['doctor']);
    expect(doctor.code).toBe(5);
    expect(doctor.out).toContain(refused);
    const { io, ended } = at.begin(serveAt(service.url), { clock: hastyClock(20) });
    await io.written(refused);
    io.signal();
    await ended;
  });

  it('says that nobody is told', async () => {
    const { at, service } = await aDesk();
    await at.run(['import', 'leads', 'leads.csv', ...RUN.slice(2)]);
    const { io, ended } = at.begin(serveAt(service.url), { clock: hastyClock(20) });
    await io.written('Nobody is told when a person is needed: `notify` in campaigns/services.yaml');
    io.signal();
    await ended;
  });
});

describe('callsheet notify test', () => {
  it('sends each receiver one notice and says whose did not come', async () => {
    const receiver = await noticeReceiver();
    receiver.behave(404);
    const { at } = await tellingDesk(
      `- { ${EVERYTHING}, command: [./tell] }\n  - { on: attention, url: ${receiver.url} }`,
    );
    const { code, out } = await at.run(['notify', 'test']);
    expect(code).toBe(1);
    expect(out).toMatch(/command tell\s+attention, finished, started\s+yes/);
    expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+\s+attention\s+NO\s+it answered with HTTP 404/);
    expect(toldOf(at)).toMatchObject([{ event: 'test' }]);
    expect(receiver.received).toMatchObject([{ notice: { event: 'test', campaign: null } }]);
    expect(at.has('data/callsheet.db')).toBe(false);
  });

  it('also tells those whom a campaign names, and says when nobody is named', async () => {
    const receiver = await noticeReceiver();
    const { at } = await aDesk();
    expect((await at.run(['notify', 'test'])).err).toContain('Nobody is named: add `notify` to');
    const notify = `notify=[{ on: [attention], url: ${receiver.url} }]`;
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1', '--set', notify]);
    expect((await at.run(['notify', 'test', 'spring'])).code).toBe(0);
    expect(receiver.received).toMatchObject([{ notice: { event: 'test', campaign: 'spring' } }]);
    expect((await at.run(['notify', 'test', 'sprong'])).err).toContain('did you mean "spring"');
  });
});

it('the example of mail on the page writes a mail that sendmail takes', async () => {
  const { at } = await tellingDesk('- { on: attention, command: [sh, mail.sh, ops@example.com] }');
  const script = /^```sh mail\n([^]*?)```$/m.exec(page('campaigns/README.md').whole)?.[1] ?? '';
  expect(script).toContain('| /usr/sbin/sendmail -t\n');
  at.write('campaigns/mail.sh', script.replace('/usr/sbin/sendmail -t', 'cat > mail.txt'));
  expect((await at.run(['notify', 'test'])).code).toBe(0);
  const [head = '', text = '', json = ''] = at.read('campaigns/mail.txt').split('\n\n');
  expect(head.split('\n')).toEqual([
    'To: ops@example.com',
    'Subject: callsheet:  test',
    'Content-Type: text/plain; charset=utf-8',
  ]);
  expect(text).toBe('this is a test of callsheet; nobody has to do anything.');
  expect(JSON.parse(json)).toMatchObject({ event: 'test' });
});
