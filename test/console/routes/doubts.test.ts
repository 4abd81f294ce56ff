import { describe, expect, it, onTestFinished } from 'vitest';
import type { Doubt } from '../../../src/views/calls.ts';
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
  it('are listed with what is needed to look them up, and settled one by one', async () => {
    const { service, console } = await aLostCall();
    const path = '/api/v1/campaigns/leads/doubts';
    const { items } = await console.json<{ items: Doubt[] }>('GET', path);
    expect(items).toMatchObject([{ person: '1-3', phone: '+12125550101', name: 'Bo' }]);
    const [doubt] = items;
    await console.json('POST', `${path}/${doubt?.attempt ?? ''}`, {
      as: 'unconfirmed',
      note: 'no log kept',
    });
    expect((await console.json<{ items: Doubt[] }>('GET', path)).items).toEqual([]);
    expect(service.dialled.filter((phone) => phone === '+12125550101')).toHaveLength(1);
  });

  it('are settled by nobody who only looks, and need a reason', async () => {
    const { console } = await aLostCall();
    const path = '/api/v1/campaigns/leads/doubts';
    const { items } = await console.json<{ items: Doubt[] }>('GET', path, undefined, 'viewer');
    expect(items[0]?.phone).not.toBe('+12125550101');
    const settle = `${path}/${items[0]?.attempt ?? ''}`;
    const body = { as: 'unconfirmed', note: 'x' };
    expect((await console.ask('POST', settle, body, { role: 'viewer' })).status).toBe(403);
    expect((await console.ask('POST', settle, { as: 'unconfirmed' })).status).toBe(400);
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
