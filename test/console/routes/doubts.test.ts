import { describe, expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../../src/views/access.ts';
import type { Doubts, SettledDoubts } from '../../../src/views/calls.ts';
import type { Done } from '../../../src/views/fields.ts';
import type { Campaign } from '../../../src/views/campaigns.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { systemClock, type Clock } from '../../../src/runtime/clock.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole } from '../../helpers/console.ts';
import { leadTo, LIVE, livePhone } from '../../helpers/services/live-service.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

/** The longest call is over. */
const later: Clock = { ...systemClock, now: () => systemClock.now() + 16 * 60_000 };

/** A campaign of which one call's answer was lost, in a console a quarter of an hour later. */
async function aLostCall() {
  const service = await voiceServer({
    dial: ({ body }, callId) =>
      body['phone_number'] === '+12125550101'
        ? { status: 500, body: 'oops' }
        : { body: { call_id: callId } },
  });
  const env = { VOICE_API_URL: service.url, VOICE_API_KEY: 'k' };
  const here = desk(env);
  here.write('leads.csv', 'name,phone\nAl,+12125550100\nBo,+12125550101\n');
  const run = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
  expect((await here.run(run)).code).toBe(5);
  const console = await startTestConsole({ folder: here.cwd, io: { env, clock: later } });
  onTestFinished(console.close);
  return { service, console };
}

describe('calls in doubt over HTTP', () => {
  const path = '/api/v1/campaigns/leads/doubts';
  const BODY = { as: 'unconfirmed', note: 'no log kept' };
  type Settled = Done & SettledDoubts;

  it('are listed with what is needed to look them up, and settled together', async () => {
    const { service, console } = await aLostCall();
    const { items, needsYes } = await console.json<Doubts>('GET', path);
    expect(items).toMatchObject([{ person: '1-3', phone: '+12125550101', name: 'Bo' }]);
    // A service on this machine calls nobody.
    expect(needsYes).toBe(false);
    const attempts = [...items.map(({ attempt }) => attempt), 'a99'];
    const report = await console.json<Settled>('POST', path, { ...BODY, attempts });
    expect(report).toMatchObject({
      settled: [{ phone: '+12125550101', as: 'unconfirmed' }],
      refused: [{ attempt: 'a99', line: null }],
      stillInDoubt: 0,
    });
    expect((await console.json<Doubts>('GET', path)).items).toEqual([]);
    expect(service.dialled.filter((phone) => phone === '+12125550101')).toHaveLength(1);
    const { items: log } = await console.json<Log>('GET', '/api/v1/log', undefined, 'admin');
    expect(log.map(({ text }) => text)).toContain(
      'token operator settled doubts of the campaign "leads".',
    );
  });

  it('are settled by nobody who only looks, need a reason, and as made a call id each', async () => {
    const { console } = await aLostCall();
    const { items } = await console.json<Doubts>('GET', path, undefined, 'viewer');
    expect(items[0]?.phone).not.toBe('+12125550101');
    const attempts = [items[0]?.attempt ?? ''];
    const status = async (at: string, body: object, role: 'viewer' | 'operator' = 'operator') =>
      (await console.ask('POST', at, body, { role })).status;
    expect(await status(path, { ...BODY, attempts }, 'viewer')).toBe(403);
    expect(await status(path, { as: 'unconfirmed', attempts })).toBe(400);
    expect(await status(path, { as: 'placed', attempts })).toBe(400);
    const both = { as: 'placed', callId: 'c1', attempts: [...attempts, 'a99'] };
    expect(await status(path, both)).toBe(400);
    const log = '/api/v1/campaigns/leads/call-log';
    expect(await status(log, { upload: 'up_1' }, 'viewer')).toBe(403);
    expect(await status(log, { upload: 'up_1' })).toBe(404);
  });

  it('are found in a call log that was sent, by a job that asks first', async () => {
    const { service, console } = await aLostCall();
    const { items } = await console.json<Doubts>('GET', path);
    const callId = `call-${service.dialled.indexOf('+12125550101') + 1}`;
    const begin = async () => {
      const sent = await fetch(`${console.url}/api/v1/uploads?name=calls.csv`, {
        ...{ method: 'POST', body: `to,id,time\n+12125550101,${callId},${items[0]?.sentAt}\n` },
        headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
      });
      const { id: upload } = (await sent.json()) as { id: string };
      const log = '/api/v1/campaigns/leads/call-log';
      return (await console.json<Job>('POST', log, { upload })).id;
    };
    const no = await console.jobEnd(await begin(), ['no']);
    expect(no).toMatchObject({ state: 'failed', problem: { code: 'NOT_CONFIRMED' } });
    expect((await console.json<Doubts>('GET', path)).items).toHaveLength(1);

    const yes = await console.jobEnd(await begin(), ['yes']);
    expect(yes).toMatchObject({ state: 'done', result: { settled: [{ as: 'placed' }] } });
    expect((await console.json<Doubts>('GET', path)).items).toEqual([]);
    expect(await console.json('GET', '/api/v1/uploads')).toMatchObject({ items: [] });
  });
});

describe('a campaign of a live service over HTTP', () => {
  it('calls nobody before the typed yes, and everybody once after it', async () => {
    const service = await voiceServer();
    const connect = leadTo({ [LIVE]: service.url });
    const env = { VOICE_API_URL: LIVE, VOICE_API_KEY: 'k' };
    const here = desk(env);
    const phones = [livePhone(1), livePhone(2)];
    here.write('live.csv', `phone\n${phones.join('\n')}\n`);
    const set = ['--rules', 'always', '--set', 'polling.floor=20ms'];
    const imported = await here.run(['import', 'live', 'live.csv', '--agent', 'ag_1', ...set], {
      connect,
      stdinIsTty: true,
      stderrIsTty: true,
    });
    expect(imported).toMatchObject({ code: 0 });
    const console = await startTestConsole({ folder: here.cwd, io: { env, connect } });
    onTestFinished(console.close);
    const start = () => console.json<Job>('POST', '/api/v1/campaigns/live/start', {});

    const refused = await console.jobEnd((await start()).id, ['y']);
    expect(refused).toMatchObject({ state: 'failed', problem: { code: 'NOT_CONFIRMED' } });
    expect(service.dialled).toEqual([]);

    const asking = await console.jobEnd((await start()).id);
    expect(asking.question).toMatchObject({ word: 'yes' });
    expect(asking.question?.text).toContain('This calls 2 real people.');
    expect(service.dialled).toEqual([]);

    expect((await console.jobEnd(asking.id, ['yes'])).state).toBe('done');
    expect(service.dialled.toSorted()).toEqual(phones);
    const { history } = await console.json<Campaign & { history: { what: string; who: string }[] }>(
      'GET',
      '/api/v1/campaigns/live',
    );
    expect(history.find(({ what }) => what === 'campaign.started')?.who).toBe('token operator');
  });
});
