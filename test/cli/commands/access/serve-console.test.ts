import { describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../../src/views/jobs.ts';
import type { Campaign } from '../../../../src/views/campaigns.ts';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { AGENT, KEY, simulatedService } from '../../../helpers/services/simulated-service.ts';
import { until } from '../../../helpers/until.ts';

const loaded = vi.hoisted(() => ({ console: false }));
vi.mock('../../../../src/console/console.ts', (original) => {
  loaded.console = true;
  return original();
});

const LIST = `phone\n${[1, 2, 3, 4].map((n) => aPhone(n)).join('\n')}\n`;
const FREE_PORTS = ['--port', '0', '--console-port', '0'];

/** `serve` with the console on free ports, and requests to the console with a token. */
async function served(at: Desk, flags: string[]) {
  const made = await at.run(['tokens', 'add', 'crm', '--role', 'operator', ...flags]);
  const argv = ['serve', '--console', ...FREE_PORTS, ...flags];
  const { io, ended } = at.begin(argv, { clock: hastyClock(20) });
  await io.written('The console is at');
  const [, url = ''] = /The console is at (\S+);/.exec(io.err()) ?? [];
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${made.out.trim()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as T;
  };
  const jobEnd = async (id: string) => {
    let job = await ask<Job>('GET', `/jobs/${id}`);
    await until(async () => (job = await ask<Job>('GET', `/jobs/${id}`)).endedAt !== null);
    return job;
  };
  return { io, ended, url, ask, jobEnd };
}

describe('serve without --console', () => {
  it('does not load it', async () => {
    const { io, ended } = desk().begin(['serve', '--port', '0', '--service', 'simulated']);
    await io.written('Webhooks of');
    io.signal();
    await ended;
    expect(loaded.console).toBe(false);
  });

  it('refuses the flags of the console, which would do nothing', async () => {
    const { code, err } = await desk().run(['serve', '--console-port', '4299']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--console-port goes with --console alone.'),
    ]);
  });
});

describe('serve --console', () => {
  it('calls what is started in the console, by itself, and a stop ends both', async () => {
    const service = await simulatedService({ timeScale: 600 });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    at.write('leads.csv', LIST);
    const flags = ['--db', 'data/callsheet.db'];
    const { io, ended, url, ask, jobEnd } = await served(at, flags);
    expect(loaded.console).toBe(true);
    expect(await ask('GET', '/session')).toMatchObject({ dials: 'serve' });
    const imported = ['import', 'spring', 'leads.csv', '--agent', AGENT, ...flags];
    expect((await at.run([...imported, '--set', 'polling.floor=50ms'])).code).toBe(0);

    const some = await ask<Job>('POST', '/campaigns/spring/start', { yes: true, limit: 1 });
    expect((await jobEnd(some.id)).problem).toMatchObject({ code: 'LIMIT_NOT_KEPT' });
    const { id } = await ask<Job>('POST', '/campaigns/spring/start', { yes: true });
    const { state, messages } = await jobEnd(id);
    expect(state).toBe('done');
    expect(messages.at(-1)?.text).toBe('Campaign "spring" is started; `callsheet serve` calls.');
    await io.written('spring: completed; results:');
    expect(service.ledger()).toHaveLength(4);

    io.signal();
    expect((await ended).code).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect((await at.run(['console', '--link', ...flags])).err).toContain('No console runs');
  });

  it('calls a rehearsal that `serve` does not see from the console', async () => {
    const at = desk();
    at.write('leads.csv', LIST);
    await at.run(['suppress', 'add', aPhone(9), '--db', 'data/callsheet.db']);
    const { io, ended, ask, jobEnd } = await served(at, []);
    const imported = await at.run(['import', 'spring', 'leads.csv', '--service', 'simulated']);
    expect(imported.code).toBe(0);
    const { id } = await ask<Job>('POST', '/campaigns/spring/start', { limit: 1 });
    expect(await jobEnd(id)).toMatchObject({ state: 'done', result: { state: 'running' } });
    const { dials } = await ask<Campaign>('GET', '/campaigns/spring');
    expect(dials.made).toBe(1);
    io.signal();
    expect((await ended).code).toBe(0);
  });

  it('prints no link where nobody looks, and for programs both addresses', async () => {
    const at = desk();
    const argv = ['serve', '--console', ...FREE_PORTS, '--service', 'simulated', '--json'];
    const { io, ended } = at.begin(argv);
    await io.written('openapi.json');
    await until(() => io.out().endsWith('}\n'));
    const { webhooks, console } = JSON.parse(io.out()) as Record<string, unknown>;
    expect(webhooks).toHaveLength(1);
    expect(console).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    });
    io.signal();
    await ended;

    const plain = at.begin(argv.filter((word) => word !== '--json'));
    await plain.io.written('The console is at');
    expect(plain.io.err()).toMatch(/\d; `npx callsheet console --link` prints a link that lets/);
    expect(plain.io.err() + plain.io.out()).not.toContain('/link/');
    const { out } = await at.run(['console', '--link']);
    expect((await fetch(out.trim(), { redirect: 'manual' })).status).toBe(303);
    plain.io.signal();
    await plain.ended;
  });

  it('ends the console when serving fails', async () => {
    const at = desk();
    const first = at.begin(['serve', '--port', '0', '--service', 'simulated', '--json']);
    await first.io.written('"url"');
    const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(first.io.out()) ?? [];
    const argv = ['serve', '--console', '--console-port', '0', '--port', port];
    const { code, err, out } = await at.run([...argv, '--service', 'simulated']);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toContain('The console is at');
    expect((await at.run(['console', '--link'])).err).toContain('No console runs');
    first.io.signal();
    await first.ended;
  });
});
