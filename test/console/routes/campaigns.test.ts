import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Campaign, CampaignDetail } from '../../../src/console/contract/campaigns.ts';
import type { Job } from '../../../src/console/contract/jobs.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { desk } from '../../helpers/callsheet.ts';

interface Changed {
  messages: { text: string }[];
  campaign: Campaign;
}

const LIST = `name,phone\n${[1, 2, 3, 4, 5, 6].map((n) => `Person ${n},+1212555010${n}`).join('\n')}\n`;

let console: TestConsole;
beforeAll(async () => {
  const here = desk({}, afterAll);
  here.write('spring.csv', LIST);
  here.write('autumn.csv', LIST);
  for (const name of ['spring', 'autumn'])
    expect(
      (await here.run(['import', name, `${name}.csv`, '--service', 'simulated', '--again'])).code,
    ).toBe(0);
  console = await startTestConsole({ folder: here.cwd });
});
afterAll(async () => {
  await console.close();
});

const look = (name: string, role: 'viewer' | 'operator' = 'operator') =>
  console.json<CampaignDetail>('GET', `/api/v1/campaigns/${name}`, undefined, role);
const change = (name: string, what: string, body: unknown) =>
  console.json<Changed>('POST', `/api/v1/campaigns/${name}/${what}`, body);

describe('campaigns over HTTP', () => {
  it('are listed with their figures, rehearsals marked', async () => {
    const { items } = await console.json<{ items: Campaign[] }>('GET', '/api/v1/campaigns');
    expect(items.map(({ name }) => name).toSorted()).toEqual(['autumn', 'spring']);
    expect(items[0]).toMatchObject({
      state: 'draft',
      simulated: true,
      progress: { total: 6, waiting: 6, done: 0 },
    });
  });

  it('are told by the same words as `callsheet set` takes', async () => {
    const { settings, lists, history } = await look('spring');
    expect(settings).toMatchObject({ concurrency: '5', pace: 'none' });
    expect(lists).toMatchObject([{ number: 1, good: 6, rejected: 0, finished: true }]);
    expect(history[0]).toMatchObject({ what: 'campaign.created' });
  });

  it('are unknown in the words of the command line', async () => {
    const answer = await console.ask('GET', '/api/v1/campaigns/winter');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'CAMPAIGN_UNKNOWN' });
  });

  it('change their settings, and refuse what `set` refuses with the field that is meant', async () => {
    const path = '/api/v1/campaigns/spring/settings';
    const { campaign } = await console.json<Changed>('PATCH', path, { set: { concurrency: '3' } });
    expect(campaign.concurrency).toBe(3);
    const refused = await console.ask('PATCH', path, { set: { concurrency: 'many' } });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: 'SETTING_INVALID' });
  });

  it('refuse a change by somebody who saw an older version, and change nothing', async () => {
    const { version } = await look('spring');
    const path = '/api/v1/campaigns/spring/settings';
    await console.json('PATCH', path, { set: { concurrency: '4' }, ifVersion: version });
    for (const [method, what, body] of [
      ['PATCH', 'settings', { set: { concurrency: '9' } }],
      ['POST', 'rename', { name: 'late' }],
      ['POST', 'archive', {}],
      ['POST', 'pause', {}],
      ['POST', 'cancel', { confirmed: true }],
    ] as const) {
      const late = { ...body, ifVersion: version };
      const answer = await console.ask(method, `/api/v1/campaigns/spring/${what}`, late);
      expect([what, answer.status]).toEqual([what, 409]);
      expect(await answer.json()).toMatchObject({ code: 'CAMPAIGN_CHANGED' });
    }
    expect((await look('spring')).concurrency).toBe(4);
  });

  it('are not started by somebody who saw an older version', async () => {
    const { version } = await look('spring');
    const path = '/api/v1/campaigns/spring';
    await console.json('PATCH', `${path}/settings`, { set: { concurrency: '5' } });
    const job = await console.json<Job>('POST', `${path}/start`, { ifVersion: version });
    const { state, problem } = await console.jobEnd(job.id);
    expect(state).toBe('failed');
    expect(problem).toMatchObject({ code: 'CAMPAIGN_CHANGED' });
    expect((await look('spring')).progress.dials).toBe(0);
  });

  it('show masked numbers in their history to whoever may not read what was said', async () => {
    await console.json('POST', '/api/v1/campaigns/autumn/people/1-2/cancel', {});
    const texts = async (role: 'viewer' | 'operator') =>
      (await look('autumn', role)).history.map(({ text }) => text).join();
    expect(await texts('operator')).toContain('+12125550101');
    expect(await texts('viewer')).not.toContain('+12125550101');
    await console.json('POST', '/api/v1/campaigns/autumn/people/1-2/cancel', { undo: true });
  });

  it('are paused, resumed and called to their end by the console, with the name of the token in the history', async () => {
    const started = await console.json<Job>('POST', '/api/v1/campaigns/spring/start', {});
    const end = await console.jobEnd(started.id);
    expect(end).toMatchObject({ state: 'done', result: { state: 'completed', code: 0 } });
    const { progress, history, calls } = await look('spring');
    expect(progress).toMatchObject({ waiting: 0, done: 6, dials: 6 });
    expect(calls).toEqual([]);
    expect(history.find(({ what }) => what === 'campaign.started')?.who).toBe('token operator');
  });

  it('are paused before anybody is called', async () => {
    expect((await change('autumn', 'pause', {})).campaign).toMatchObject({
      state: 'paused',
      pauseReason: 'operator',
    });
  });

  it('are cancelled and brought back', async () => {
    expect((await change('autumn', 'cancel', {})).campaign.state).toBe('cancelled');
    expect((await change('autumn', 'cancel', { undo: true })).campaign.state).toBe('paused');
  });

  it('are renamed and archived', async () => {
    expect((await change('spring', 'rename', { name: 'early' })).campaign.name).toBe('early');
    expect((await change('early', 'archive', {})).campaign.archived).toBe(true);
    const { hidden } = await console.json<{ hidden: number }>('GET', '/api/v1/campaigns');
    expect(hidden).toBe(1);
  });

  it('are rehearsed: all nights are played, and nobody is called', async () => {
    const { id } = await console.json<Job>('POST', '/api/v1/campaigns/autumn/rehearse', {});
    const { state, result } = await console.jobEnd(id);
    expect(state).toBe('done');
    expect(JSON.stringify(result)).toContain('reached');
    expect((await look('autumn')).progress.dials).toBe(0);
  });
});

describe('events of a page', () => {
  it('begin with the counters as they are, and go on with what changes', async () => {
    const leave = new AbortController();
    const { body, headers } = await fetch(`${console.url}/api/v1/events?campaign=autumn`, {
      headers: { authorization: `Bearer ${console.tokens.viewer ?? ''}` },
      signal: leave.signal,
    });
    expect(headers.get('content-type')).toContain('text/event-stream');
    const reader = (body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let text = '';
    const until = async (wanted: string) => {
      while (!text.includes(wanted)) text += (await reader.read()).value ?? '';
    };
    await until('event: counters');
    await until('"concurrency":5');
    await console.json('PATCH', '/api/v1/campaigns/autumn/settings', { set: { concurrency: '7' } });
    await until('"concurrency":7');
    leave.abort();
  });

  it('say that a campaign is gone', async () => {
    const leave = new AbortController();
    const { body } = await fetch(`${console.url}/api/v1/events?campaign=nowhere`, {
      headers: { authorization: `Bearer ${console.tokens.viewer ?? ''}` },
      signal: leave.signal,
    });
    const reader = (body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let text = '';
    while (!text.includes('event: gone')) text += (await reader.read()).value ?? '';
    leave.abort();
  });
});
