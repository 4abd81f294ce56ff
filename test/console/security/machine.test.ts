import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';

const LIST = 'name,phone\nAnn,+12125550101\n';

let here: Desk;
let console: TestConsole;
beforeAll(async () => {
  here = desk({}, afterAll);
  here.write('leads.csv', LIST);
  here.write('others.csv', 'name,phone\nBen,+12125550102\n');
  here.write('night.yaml', 'name: night\nleads: others.csv\nservice: simulated\n');
  here.write('secret.yaml', 'password: four fictional words\n');
  const imported = await here.run(['import', 'spring', 'leads.csv', '--service', 'simulated']);
  expect(imported).toMatchObject({ code: 0 });
  console = await startTestConsole({ folder: here.cwd });
});
afterAll(async () => {
  await console.close();
});

const encoded = encodeURIComponent;

describe('the name of a campaign over HTTP', () => {
  it('is never the path of a list or of a campaign file on this machine', async () => {
    const names = ['others.csv', 'night.yaml', here.path('others.csv'), './night.yaml', '-'];
    for (const name of names)
      for (const what of ['resume', 'resume', 'rehearse', 'collect']) {
        const path = `/api/v1/campaigns/${encoded(name)}/${what}`;
        const answer = await console.ask('POST', path, {});
        const { id } = (await answer.json()) as Job;
        const { state, problem } = await console.jobEnd(id);
        expect([name, what, state, problem?.code]).toEqual([
          name,
          what,
          'failed',
          'CAMPAIGN_UNKNOWN',
        ]);
      }
    const { items } = await console.json<{ items: { name: string }[] }>('GET', '/api/v1/campaigns');
    expect(items.map(({ name }) => name)).toEqual(['spring']);
  });

  it('is the campaign, where a file is called the same', async () => {
    here.write('spring', LIST.replace('Ann', 'Somebody else'));
    const { id } = await console.json<Job>('POST', '/api/v1/campaigns/spring/rehearse', {});
    expect((await console.jobEnd(id)).state).toBe('done');
  });

  it('has no slash, also when it is a new one', async () => {
    const path = '/api/v1/campaigns/spring/rename';
    for (const name of ['../spring', '/etc/cron.d/x', '..\\x', 'a/b', '-x', 'x\u0000y', 'x\r\ny']) {
      const answer = await console.ask('POST', path, { name });
      expect([name, answer.status]).toEqual([name, 422]);
    }
  });
});

describe('settings over HTTP', () => {
  // Each runs a program, writes or reads a file, or sends a secret of this machine somewhere.
  const REACHING: Record<string, string> = {
    notify: '[{ on: [finished], command: [/bin/sh, -c, touch ran] }]',
    'results.file': '/etc/cron.d/callsheet',
    rules: './secret.yaml',
    leadsKeyEnv: 'VOICE_API_KEY',
    'service.url': 'https://elsewhere.example',
    'service.profile': './secret.yaml',
    leads: './others.csv',
  };
  const tricks = (key: string, value: string): [string, string][] => [
    [key, value],
    [` ${key} `, value],
    [`${key}=${value}`, ''],
    [`${key} =${value} #`, ''],
  ];

  it('reach no program and no file of this machine', async () => {
    const before = await console.json<CampaignDetail>('GET', '/api/v1/campaigns/spring');
    for (const [name, text] of Object.entries(REACHING))
      for (const [key, value] of tricks(name, text))
        for (const role of ['operator', 'admin'] as const) {
          const set = { [key]: value };
          const path = '/api/v1/campaigns/spring/settings';
          const answer = await console.ask('PATCH', path, { set }, { role });
          const told = await answer.text();
          expect([key, answer.status, told]).toEqual([key, 422, expect.any(String)]);
          expect(told).not.toContain('fictional');
        }
    const { settings, version } = await console.json<CampaignDetail>(
      'GET',
      '/api/v1/campaigns/spring',
    );
    expect([settings, version]).toEqual([before.settings, before.version]);
  });

  it('of a new campaign do not, either', async () => {
    const sent = await fetch(`${console.url}/api/v1/uploads?name=new.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
      body: LIST,
    });
    const { id: upload } = (await sent.json()) as { id: string };
    await console.json('POST', '/api/v1/campaigns', { uploads: [upload] });
    const at = '/api/v1/campaigns/new';
    await console.json('PATCH', `${at}/settings`, { set: { service: 'simulated' } });
    for (const [name, text] of Object.entries(REACHING))
      for (const [key, value] of tricks(name, text)) {
        const changed = await console.ask('PATCH', `${at}/settings`, { set: { [key]: value } });
        expect([key, changed.status]).toEqual([key, 422]);
        expect(await changed.text()).not.toContain('fictional');
      }
    for (const service of ['http://127.0.0.1:9', '../services', './secret.yaml', 'nowhere']) {
      const changed = await console.ask('PATCH', `${at}/settings`, { set: { service } });
      expect([service, changed.ok]).toEqual([service, false]);
    }
    expect(here.has('ran')).toBe(false);
    expect(existsSync('/etc/cron.d/callsheet')).toBe(false);
    expect(await console.json('GET', at)).toMatchObject({ total: 0 });
  });

  it('say what is chosen at the terminal alone', async () => {
    const set = { 'results.file': 'x.csv' };
    const answer = await console.ask('PATCH', '/api/v1/campaigns/spring/settings', { set });
    expect(await answer.json()).toMatchObject({
      code: 'SETTING_NOT_HERE',
      hint: expect.stringContaining('callsheet set') as string,
    });
  });
});

describe('rules and services over HTTP', () => {
  it('are known by name, never by the path of a file', async () => {
    const paths = ['./secret.yaml', here.path('secret.yaml'), '../secret', 'secret.yaml'];
    for (const path of paths) {
      for (const role of ['viewer', 'admin'] as const) {
        const rule = await console.ask('GET', `/api/v1/rules/${encoded(path)}`, undefined, {
          role,
        });
        const said = await rule.text();
        expect([path, rule.status]).toEqual([path, path.length > 64 ? 400 : 404]);
        expect(said).not.toContain('password');
      }
      const agents = await console.ask('GET', `/api/v1/services/${encoded(path)}/agents`);
      expect([404, 422]).toContain(agents.status);
    }
    const check = `/api/v1/services/${encoded('http://127.0.0.1:9')}/check`;
    expect((await console.ask('POST', check, {})).status).toBe(404);
  });
});
