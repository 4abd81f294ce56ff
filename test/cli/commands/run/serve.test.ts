import { createServer } from 'node:http';
import type { Deliveries } from '../../../../src/views/calls.ts';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { desk, rowsOf, type Desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { AGENT, KEY, simulatedService } from '../../../helpers/services/simulated-service.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { until } from '../../../helpers/until.ts';
import { send } from '../../../helpers/services/webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const LIST = `phone\n${aPhone(0)}\n${aPhone(1)}\n`;
const IMPORT = ['import', 'spring', 'leads.csv', '--agent', AGENT];

async function aDesk(env: Record<string, string> = {}) {
  const service = await simulatedService({ timeScale: 600 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY, ...env });
  at.write('leads.csv', LIST);
  return { at, service };
}

/** Begins to serve, and tells the address of the webhooks once it listens. */
async function served(at: Desk, url: string, flags: string[] = []) {
  const argv = ['serve', '--port', '0', '--service-url', url, ...flags];
  const { io, ended } = at.begin(argv, { clock: hastyClock(20) });
  await io.written('Webhooks of');
  return { io, ended, address: /go to (\S+) \(/.exec(io.err())?.[1] ?? '' };
}

describe('callsheet serve', () => {
  it('calls a campaign that is started meanwhile, writes its results, and ends with Ctrl-C', async () => {
    const { at, service } = await aDesk();
    const { io, ended, address } = await served(at, service.url, ['--db', 'data/callsheet.db']);
    service.sendWebhooksTo({ url: address, secret: null });
    expect((await at.run(IMPORT)).code).toBe(0);
    expect((await at.run(['resume', 'spring'])).code).toBe(0);

    await io.written('completed; results:');
    io.signal();

    expect(await ended).toMatchObject({ code: 0 });
    expect(service.ledger()).toHaveLength(2);
    const rows = rowsOf(at.read('data/results/spring.csv'));
    expect(rows.map((row) => row['call_state'])).toEqual(['done', 'done']);
    expect(io.err()).toMatch(/Stopped\. Deliveries: \d+ kept/);
  });

  it('calls although the database of rehearsals beside its own cannot be read', async () => {
    const { at, service } = await aDesk();
    expect((await at.run(IMPORT)).code).toBe(0);
    expect((await at.run(['resume', 'spring'])).code).toBe(0);
    at.write('data/simulated.db', 'this is no database');

    const { io, ended } = await served(at, service.url);
    await io.written('completed; results:');
    io.signal();

    expect(await ended).toMatchObject({ code: 0 });
    expect(service.ledger()).toHaveLength(2);
  });

  it('leaves a campaign alone that was not started, and one whose time has not come', async () => {
    const { at, service } = await aDesk();
    await at.run(IMPORT);
    const other = ['import', 'nightly', 'leads.csv', '--agent', AGENT];
    expect(await at.run([...other, '--set', 'schedule=0 3 1 1 *'])).toMatchObject({ code: 0 });
    const started = await at.run(['resume', 'nightly']);
    expect(started.code).toBe(0);
    expect(started.err.replaceAll(/\s+/g, ' ')).toContain(
      'is started; `npx callsheet serve` calls at its schedule, `npx callsheet run nightly` at once.',
    );

    const { io, ended } = await served(at, service.url);
    await io.written('nightly: schedule 0 3 1 1 *, next at');
    io.signal();
    await ended;

    expect(service.ledger()).toEqual([]);
  });

  it('leaves a campaign alone before its first day, as run does', async () => {
    const { at, service } = await aDesk();
    await at.run([...IMPORT, '--set', 'notBefore=2126-01-05', '--set', 'timezone=UTC']);
    const run = await at.run(['run', 'spring', '--service-url', service.url, '--yes']);
    expect(run.code).not.toBe(0);
    expect(run.err).toContain('notBefore');
    const { io, ended } = await served(at, service.url);
    io.signal();
    await ended;
    expect(service.ledger()).toEqual([]);
  });

  it('calls a campaign with a schedule when its time has come', async () => {
    const { at, service } = await aDesk();
    await at.run([...IMPORT, '--set', 'schedule=* * * * *']);
    expect((await at.run(['resume', 'spring'])).code).toBe(0);

    const argv = ['serve', '--port', '0', '--service-url', service.url];
    const { io, ended } = at.begin(argv, { clock: hastyClock(100) });
    await io.written('completed; results:');
    io.signal();
    await ended;

    expect(io.err()).toMatch(/schedule \* \* \* \* \*, next at [\s\S]*spring: calling\./);
    expect(service.ledger()).toHaveLength(2);
  });

  it('gives the same address again, and its token to nobody else', async () => {
    const { at, service } = await aDesk();
    const addressOf = async (db: string, publicUrl: string) => {
      const { io, ended, address } = await served(at, service.url, [
        ...['--db', db, '--public-url', publicUrl],
      ]);
      io.signal();
      await ended;
      return address;
    };
    const first = await addressOf('a.db', 'https://x.example');

    expect(first).toMatch(/^https:\/\/x\.example\/webhooks\/127-0-0-1-\d+\/hook_/);
    expect(await addressOf('a.db', 'https://x.example/')).toBe(first);
    expect(await addressOf('b.db', 'https://x.example')).not.toBe(first);
  });

  it('does not take unsigned deliveries because a secret is missing', async () => {
    const { at } = await aDesk({ MAIN_KEY: 'main-key' });
    at.write(
      'services.yaml',
      `main: { url: 'http://127.0.0.1:9', keyEnv: MAIN_KEY, webhookSecretEnv: [NEW_SECRET, OLD_SECRET] }\n`,
    );

    const argv = ['serve', '--services', 'services.yaml', '--port', '0', '--db', 'a.db'];
    const { code, err } = await at.run(argv);
    expect(code).toBe(2);
    expect(err).toContain('NEW_SECRET is empty or not set');
  });
});

describe('callsheet serve --test-webhook', () => {
  const TEST = ['serve', '--test-webhook', '--port', '0', '--db', 'a.db'];

  it('says that a signed delivery came through', async () => {
    const { at, service } = await aDesk({ VOICE_WEBHOOK_SECRET: SECRET });

    const { code, err } = await at.run([...TEST, '--service-url', service.url]);
    expect([code, err]).toEqual([0, expect.stringContaining('A delivery (signed) came')]);
    expect((await at.run(['inbox', 'list', '--db', 'a.db'])).out).toContain('callsheet.test');
  });

  const refused = (code: string) => `{"error":{"code":"${code}","by":"callsheet"}}`;

  it.each([
    ['nothing can be reached', null, '', 'cannot be reached from this machine'],
    ['the proxy has nothing behind it', 502, 'Bad Gateway', 'as if nothing listened'],
    ['the proxy leads elsewhere', 200, 'ok', 'another callsheet, or another program'],
    ['the secrets differ', 401, refused('signature_wrong'), 'signature wrong'],
    ['the proxy changes the path', 404, refused('not_found'), 'does not know this path'],
  ])('says where it got lost when %s', async (_, status, body, where) => {
    const { at, service } = await aDesk({ VOICE_WEBHOOK_SECRET: SECRET });
    const publicUrl = status === null ? 'http://127.0.0.1:9' : await proxy(status, body);

    const argv = [...TEST, '--service-url', service.url, '--public-url', publicUrl];
    const { code, err } = await at.run(argv, { clock: hastyClock(20) });
    expect([code, err]).toEqual([1, expect.stringContaining(where)]);
  });
});

describe('callsheet inbox', () => {
  it('lists, shows and replays what was delivered', async () => {
    const { at, service } = await aDesk();
    const { io, ended, address } = await served(at, service.url, ['--db', 'data/callsheet.db']);
    const event = { type: 'call.finished', data: { call_id: 'call_of_nobody', note: '\u001b[2J' } };
    expect(await send(address, event, { secret: null })).toMatchObject({ status: 200 });
    await until(async () => (await at.run(['inbox', 'list'])).out.includes('unmatched'));
    io.signal();
    await ended;

    const { out } = await at.run(['inbox', 'list', '--json']);
    const [kept] = (JSON.parse(out) as Deliveries).items;
    expect(kept).toMatchObject({ state: 'unmatched', signed: false, type: 'call.finished' });
    const shown = await at.run(['inbox', 'show', kept?.id ?? '']);
    expect(shown.out).toContain('call_of_nobody');
    expect(shown.out).not.toContain('\u001b');
    const replay = ['inbox', 'replay', kept?.id ?? '', '--service-url', service.url];
    const { code, err } = await at.run(replay);
    expect([code, err]).toEqual([0, expect.stringContaining('is unmatched')]);
  });

  it('names what it does not know', async () => {
    const { at } = await aDesk();
    await at.run(IMPORT);

    expect(await at.run(['inbox', 'show', 'dlv_9'])).toMatchObject({ code: 2 });
    expect(await at.run(['inbox', 'replay', 'dlv_9'])).toMatchObject({ code: 2 });
    expect(await at.run(['inbox', 'replay'])).toMatchObject({ code: 2 });
    expect((await at.run(['inbox', 'list'])).err).toContain('No delivery has come yet');
  });
});

/** What stands before callsheet, as it should not. */
async function proxy(status: number, body: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
