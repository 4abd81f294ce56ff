import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScheduleDay } from '../../../src/views/campaigns.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';

const SERVICES = `
lab: { url: 'http://127.0.0.1:9', keyEnv: LAB_KEY }
ready: { url: 'http://127.0.0.1:9', keyEnv: READY_KEY }
strange: { url: 'http://127.0.0.1:9', profile: not-there }
`;
const LIST = 'name,"town, state",phone\nAnn,,+12125550101\nBen,,+13125550102\n';

let console: TestConsole;
beforeAll(async () => {
  const here = desk({}, afterAll);
  here.write('spring.csv', LIST);
  here.write('services.yaml', SERVICES);
  await here.run(['suppress', 'add', '+12125550199', '--db', 'data/callsheet.db']);
  const imported = await here.run([
    ...['import', 'spring', 'spring.csv', '--service', 'simulated'],
    ...['--set', 'stop.at=21:00', '--set', 'timezone=UTC'],
    ...['--set', 'schedule=0 18 * * 1-5'],
  ]);
  expect(imported).toMatchObject({ code: 0 });
  // At any hour, as nothing says when.
  const winter = ['import', 'winter', 'spring.csv', '--again', '--service', 'simulated'];
  expect(await here.run(winter)).toMatchObject({ code: 0 });
  const store = openSqliteStore({ path: here.path('data/callsheet.db'), mode: 'write' });
  const body = new TextEncoder().encode('{"phone":"+12125550101"}');
  const key = { id: 'dlv_1', service: 'main', key: 'k1', signed: false };
  const headers = { 'content-type': 'application/json', 'x-signature': 'ab12' };
  await store.inboxPut({ ...key, headers, receivedAt: 1, body });
  await store.close();
  console = await startTestConsole({
    folder: here.cwd,
    services: 'services.yaml',
    io: { env: { READY_KEY: 'key-1' } },
  });
});
afterAll(async () => {
  await console.close();
});

interface Page {
  items: Record<string, unknown>[];
  next: string | null;
}

describe('numbers that nobody calls, over HTTP', () => {
  it('are listed, added, found, lifted and imported from a file', async () => {
    const path = '/api/v1/suppression';
    await console.json('POST', path, { number: '+1 212 555 0123', note: 'by mail' });
    const found = await console.json<Page>('GET', `${path}?text=mail`);
    expect(found.items).toMatchObject([
      { phone: '+12125550123', note: 'by mail', who: 'token operator' },
    ]);
    expect((await console.json<Page>('GET', `${path}?limit=1`)).next).not.toBeNull();
    await console.json('DELETE', `${path}/${encodeURIComponent('+12125550123')}?note=again`);
    expect((await console.json<Page>('GET', `${path}?text=mail`)).items).toEqual([]);
    const file = await fetch(`${console.url}/api/v1/uploads?name=dnc.csv`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
      body: 'phone\n+12125550124\n+12125550125\n',
    });
    const { id: upload } = (await file.json()) as { id: string };
    const { id } = await console.json<Job>('POST', `${path}/import`, { upload });
    expect(await console.jobEnd(id)).toMatchObject({ state: 'done', result: { added: 2 } });
    const page = await console.json<Page>('GET', path);
    expect(page.items.map(({ phone }) => phone)).toEqual(
      expect.arrayContaining(['+12125550124', '+12125550125', '+12125550199']),
    );
  });

  it('are masked for a viewer', async () => {
    const text = JSON.stringify(
      await console.json('GET', '/api/v1/suppression', undefined, 'viewer'),
    );
    expect(text).not.toContain('+12125550199');
  });

  it('are refused as the command line refuses them', async () => {
    const answer = await console.ask('POST', '/api/v1/suppression', { number: '12' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'PHONE_INVALID' });
  });
});

describe('columns of results over HTTP', () => {
  it('are named with commas between them, or one by one where a header has a comma in it', async () => {
    const firstLine = async (columns: string) => {
      const answer = await console.ask('GET', `/api/v1/campaigns/spring/results?${columns}`);
      return (await answer.text()).split(/\r?\n/, 1)[0];
    };
    expect(await firstLine('columns=phone,name')).toBe('phone,name');
    expect(await firstLine('columns=town,%20state&columns=name')).toBe('"town, state",name');
  });
});

describe('services over HTTP', () => {
  it('are known by name, without their keys', async () => {
    const { items } = await console.json<Page>('GET', '/api/v1/services');
    expect(items.map(({ name }) => name)).toContain('simulated');
  });

  it('say whether their key was found, or that nobody looked for it', async () => {
    const { items } = await console.json<Page>('GET', '/api/v1/services');
    const keys = items.map(({ name, key, problem }) => [
      ...[name, key, (problem as { code: string } | null)?.code],
    ]);
    expect(keys).toEqual([
      ['simulated', null, undefined],
      ['lab', 'missing', 'SERVICE_KEY_MISSING'],
      ['ready', 'present', undefined],
      ['strange', null, 'PROFILE_NOT_FOUND'],
    ]);
  });

  it('are checked as `doctor` checks them', async () => {
    const { id } = await console.json<Job>('POST', '/api/v1/services/simulated/check', {});
    const { state, result } = await console.jobEnd(id);
    expect(state).toBe('done');
    expect((result as { findings: unknown[] }).findings.length).toBeGreaterThan(3);
  });

  it('list and make agents', async () => {
    const path = '/api/v1/services/simulated/agents';
    const made = await console.json('POST', path, { name: 'Renewals', systemPrompt: 'Say hello.' });
    expect(JSON.stringify(made)).toContain('Renewals');
    expect((await console.json<Page>('GET', path)).items.length).toBeGreaterThan(0);
  });
});

describe('the inbox over HTTP', () => {
  it('shows deliveries and what became of them, and looks at them again', async () => {
    const { items } = await console.json<Page>('GET', '/api/v1/inbox');
    expect(items).toMatchObject([{ id: 'dlv_1', state: 'received' }]);
    expect(await console.json('GET', '/api/v1/inbox/dlv_1')).toMatchObject({
      body: '{"phone":"+12125550101"}',
      headers: { 'content-type': 'application/json', 'x-signature': '(hidden)' },
    });
    expect(await console.json('GET', '/api/v1/inbox/dlv_1', undefined, 'viewer')).toMatchObject({
      body: null,
      headers: null,
      whyDropped: null,
    });
    expect((await console.ask('GET', '/api/v1/inbox/dlv_none')).status).toBe(404);
  });
});

describe('times over HTTP', () => {
  it('are told for two weeks, with who could be called and when `schedule` begins', async () => {
    const { items } = await console.json<Page>('GET', '/api/v1/schedule');
    // First the one in which somebody may be called first.
    expect(items).toMatchObject([{ campaign: 'winter' }, { campaign: 'spring' }]);
    const days = items[1]?.['days'] as ScheduleDay[];
    expect(days).toHaveLength(14);
    // Of today, its hours may be over.
    for (const { date, spans, firings } of days.slice(1)) {
      const isWeekday = [1, 2, 3, 4, 5].includes(new Date(date).getUTCDay());
      expect([date, firings.length]).toEqual([date, isWeekday ? 1 : 0]);
      const evening = { from: `${date}T18:00:00+00:00`, to: `${date}T21:00:00+00:00`, people: 2 };
      expect(spans).toEqual(isWeekday ? [evening] : []);
    }
  });

  it('are told of one campaign alone', async () => {
    const path = '/api/v1/schedule?campaign=winter&days=8';
    const { items } = await console.json<Page>('GET', path);
    expect(items.map(({ campaign, days }) => [campaign, (days as ScheduleDay[]).length])).toEqual([
      ['winter', 8],
    ]);
    const { items: none } = await console.json<Page>('GET', '/api/v1/schedule?campaign=nowhere');
    expect(none).toEqual([]);
  });

  it('by rules are listed and shown with their sources', async () => {
    const { items } = await console.json<Page>('GET', '/api/v1/rules');
    expect(items.map(({ name }) => name)).toContain('us-states');
    const rule = await console.json<{ lines: string[] }>(
      'GET',
      '/api/v1/rules/us-states?region=US-FL',
    );
    expect(rule.lines.join('\n')).toContain('Fla. Stat. 501.616');
    expect((await console.ask('GET', '/api/v1/rules/nowhere')).status).toBe(404);
  });
});
