import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallMinutes, Campaign, CampaignDetail } from '../../../src/views/campaigns.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
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
  console = await startTestConsole({ folder: here.cwd, io: { clock: hastyClock(20) } });
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
      total: 6,
      waiting: 6,
      done: 0,
    });
  });

  it('are told by the same words as `callsheet set` takes', async () => {
    const { settings, lists, history } = await look('spring');
    expect(settings).toMatchObject({ concurrency: '5', pace: 'none' });
    expect(lists).toMatchObject([
      { number: 1, good: 6, rejected: 0, finishedAt: expect.any(String) as unknown },
    ]);
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
    expect(await refused.json()).toMatchObject({
      code: 'SETTING_INVALID',
      errors: [{ field: 'concurrency', detail: '"many" is not a whole number from 1 to 10,000.' }],
    });
    const set = { schedule: '6pm mon-fri', 'stop.at': '25:00', notBefore: '2026-12-01' };
    const two = await console.ask('PATCH', path, { set });
    expect(await two.json()).toMatchObject({
      errors: [
        {
          field: 'schedule',
          detail: expect.stringMatching(/^"6pm mon-fri" is not a sched/) as string,
        },
        { field: 'stop.at', detail: expect.stringMatching(/^"25:00" is not a time/) as string },
      ],
    });
    expect(await look('spring')).toMatchObject({ settings: { schedule: 'none', stop: 'none' } });
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
    expect((await look('spring')).dials.made).toBe(0);
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
    const spring = await look('spring');
    const { history } = spring;
    expect(spring).toMatchObject({ waiting: 0, done: 6, dials: { made: 6 }, heldSlots: [] });
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
    expect((await look('autumn')).dials.made).toBe(0);
  });
});

describe('a page that asks again', () => {
  const AT = '/api/v1/campaigns/autumn';
  const ask = (path: string, tag?: string, role: 'viewer' | 'operator' = 'operator') =>
    console.ask('GET', path, undefined, {
      role,
      headers: tag === undefined ? {} : { 'if-none-match': tag },
    });

  it.each(['/api/v1/campaigns', AT])(
    'is sent nothing where nothing has changed, and all of it where something has: %s',
    async (path) => {
      const first = await ask(path);
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[\w-]{20,}"$/);
      for (const known of [tag, `W/${tag}`, `"another", ${tag}`]) {
        const again = await ask(path, known);
        expect([again.status, await again.text()]).toEqual([304, '']);
        expect(again.headers.get('etag')).toBe(tag);
        expect(again.headers.get('cache-control')).toBe('no-store');
        expect(again.headers.get('content-type')).toBeNull();
      }
      const concurrency = path === AT ? '8' : '7';
      await console.json('PATCH', `${AT}/settings`, { set: { concurrency } });
      const changed = await ask(path, tag);
      expect(changed.status).toBe(200);
      expect(await changed.text()).toContain(`"concurrency":${concurrency}`);
      expect(changed.headers.get('etag')).not.toBe(tag);
    },
  );

  it('has the tag of its own view: who may see less is not told that nothing has changed', async () => {
    const tag = (await ask(AT)).headers.get('etag') ?? '';
    expect((await ask(AT, tag, 'viewer')).status).toBe(200);
  });

  it('gets no tag with what was refused, and none of a change', async () => {
    const gone = await ask('/api/v1/campaigns/nowhere', '*');
    expect([gone.status, gone.headers.get('etag')]).toEqual([404, null]);
    const headers = { 'if-none-match': '*' };
    const change = await console.ask('POST', `${AT}/pause`, {}, { headers });
    expect([change.status, change.headers.get('etag')]).toEqual([200, null]);
  });

  it('sees the calls that ended last', async () => {
    const { ended } = await look('early');
    expect(ended).toHaveLength(6);
    const { results } = await look('early');
    for (const [result, people] of Object.entries(results))
      expect(ended.filter((call) => call.result === result)).toHaveLength(people);
    expect((await look('autumn')).ended).toEqual([]);
  });

  it('sees the calls of the last hours by the minute, and later only those that are new', async () => {
    const at = '/api/v1/campaigns/early/minutes';
    const minutes = (query = '') => console.json<CallMinutes>('GET', at + query);
    const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
    // The last of them may be of the minute that goes on.
    await expect.poll(async () => sum((await minutes()).begun), { timeout: 9_000 }).toBe(6);
    const all = await minutes();
    expect(all.held).toHaveLength(all.begun.length);
    const next = new Date(Date.parse(all.from) + 60_000).toISOString();
    const later = await minutes(`?from=${next}`);
    expect(Date.parse(later.from)).toBeGreaterThanOrEqual(Date.parse(next));
    expect((await console.ask('GET', `${at}?from=noon`)).status).toBe(400);
    const none = { begun: [], held: [] };
    expect(await console.json('GET', '/api/v1/campaigns/autumn/minutes')).toMatchObject(none);
  });
});
