import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE_MS } from '../../src/domain/time-units.ts';
import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import type { Simulator } from '../../src/simulator/server.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import { aPhone } from '../helpers/factory.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { hostileService, plain } from '../helpers/services/hostile-service.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';

const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=1s', '--yes'];
const DOWN = { status: 503, body: { error: 'down for maintenance' } };

/** A desk whose service is down. */
async function aDownService() {
  const service = await hostileService(() => DOWN);
  const at: Desk = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'some-key-of-mine' });
  at.write('leads.csv', `phone\n${aPhone(0)}\n${aPhone(1)}\n`);
  return { service, at };
}

/** A port of this machine on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a service that is down when a run begins', () => {
  it('is waited for, which is told with place, reason and end, and then everybody is called once', async () => {
    const { service, at } = await aDownService();
    const { io, ended } = at.begin([...RUN, '--wait', '3h'], { clock: hastyClock(50) });
    await io.written('It is asked again until');
    service.behave(plain);

    expect(await ended).toMatchObject({ code: 0 });
    const err = io.err().replaceAll(/\s+/g, ' ');
    expect(err).toMatch(/GET http:\S+agents was answered with HTTP 503/);
    expect(err).toContain('down for maintenance');
    expect(err).toContain('The service answers.');
    expect(service.dialled()).toHaveLength(2);
  });

  it('for a quarter of an hour costs the line of the README for cron no night', async () => {
    const [, line = ''] = /callsheet\.js (run .*)$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
    const port = await freePort();
    const at = desk({ MAIN_KEY: KEY });
    mkdirSync(at.path('campaigns'));
    at.write(
      'campaigns/services.yaml',
      `main: { url: 'http://127.0.0.1:${port}', keyEnv: MAIN_KEY }\n`,
    );
    const list = at.write('leads.csv', `phone\n${aPhone(0)}\n${aPhone(1)}\n`);
    const own = line.replace('/srv/lists/renewals.csv', list).replace('ag_123', AGENT);
    const argv = own.split(' ').map((word) => word.replaceAll("'", ''));
    const atEnd = onTestFinished;
    let service: Simulator | undefined;
    let waitedMs = 0;
    /** What is slept while nobody listens takes no time. */
    const clock: Clock = {
      ...systemClock,
      now: () => systemClock.now() + waitedMs,
      monotonic: () => systemClock.monotonic() + waitedMs,
      sleep: async (ms, signal) => {
        if (service !== undefined) return systemClock.sleep(ms / 50, signal);
        waitedMs += Math.ceil(ms);
        if (waitedMs > 15 * MINUTE_MS)
          service = await simulatedService({ port, fixedCallMs: 10 }, atEnd);
      },
    };

    const { code, out } = await at.run(argv, { clock });

    expect([code, out]).toEqual([0, '']);
    expect(service?.ledger().map(({ rings }) => rings.length)).toEqual([1, 1]);
  });

  it('is waited for no longer than given', async () => {
    const { service, at } = await aDownService();

    const ended = await at.run([...RUN, '--wait', '5s'], { clock: hastyClock(50) });

    expect(ended.code).toBe(1);
    expect(service.dialled()).toEqual([]);
  });

  it.each([
    ['a key that it refuses', { status: 401, body: {} }, 4],
    ['an agent that it does not have', { body: { data: [{ id: 'ag_2', name: 'B' }] } }, 2],
  ])('is not waited for with %s', async (_, answer, code) => {
    const { service, at } = await aDownService();
    service.behave(() => answer);

    const ended = await at.run(RUN, { clock: hastyClock(50) });

    expect(ended.code).toBe(code);
    expect(ended.err).not.toContain('It is asked again');
  });
});

describe('serve', () => {
  const SERVE = ['serve', '--port', '0', '--service', 'main'];

  /** A desk whose service takes one key, which is in a file. */
  async function aKeyFile() {
    const { service, at } = await aDownService();
    let taken = 'first-key-0123456789';
    service.behave((asked) =>
      asked.head.includes(taken) ? plain(asked) : { status: 401, body: {} },
    );
    at.write('key', taken);
    at.write('services.yaml', `main: { url: ${service.url}, keyFile: ${at.path('key')} }\n`);
    const more = ['--services', 'services.yaml'];
    const begin = () => at.begin([...SERVE, ...more], { clock: hastyClock(20) });
    const imported = await at.run([
      ...['import', 'spring', 'leads.csv', '--agent', 'ag_1', '--service', 'main', ...more],
      ...['--set', 'polling.floor=1s'],
    ]);
    expect(imported.code).toBe(0);
    expect((await at.run(['resume', 'spring', ...more])).code).toBe(0);
    return { service, at, begin, take: (key: string) => (taken = key) };
  }

  it('goes on with the key that is in the file once the old one is refused', async () => {
    const { service, at, begin, take } = await aKeyFile();
    take('second-key-0123456789');
    const { io, ended } = begin();
    await io.written('Paused by callsheet');
    at.write('key', 'second-key-0123456789');
    await io.written('completed; results:');
    io.signal();
    await ended;

    expect(io.err().replaceAll(/\s+/g, ' ')).toContain('so calling goes on.');
    expect(service.dialled()).toHaveLength(2);
  });

  it('asks a service that is down before the first dial, and calls when it answers', async () => {
    const { service, begin } = await aKeyFile();
    service.behave(() => DOWN);
    const { io, ended } = begin();
    await io.written('The service fails');
    expect(service.dialled()).toEqual([]);
    service.behave(plain);
    await io.written('completed; results:');
    io.signal();
    await ended;

    expect(service.dialled()).toHaveLength(2);
  });
});
