import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { VirtualClock } from '../../helpers/clock.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { until } from '../../helpers/until.ts';
import { aReceiver } from './receiver.ts';
import { aService, everybody, KEY, OTHER_KEY, phone } from '../service.ts';
import type { TestService } from '../service.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const FIXED = { fixedCallMs: 10_000 };

describe('call.finished', () => {
  it('comes when analytics can be read, holds them, and says which dial it was', async () => {
    const receiver = await aReceiver();
    const service = await aService({
      fixedCallMs: 10_000,
      processingLagMs: 5_000,
      webhooks: { url: receiver.url, secret: null },
    });
    const dialled = (await service.dial(phone(0), { 'idempotency-key': 'k1' })).json;
    await service.clock.advance(14_999);
    expect(receiver.got).toEqual([]);
    await service.clock.advance(1);
    await until(() => receiver.got.length === 1);
    const analytics = (await service.analytics(dialled.call_id)).json;
    expect(receiver.got[0]?.json).toEqual({
      type: 'call.finished',
      id: receiver.got[0]?.headers['webhook-id'],
      timestamp: '2026-01-05T15:00:15.000Z',
      data: { ...analytics, idempotency_key: 'k1' },
    });
    await until(() => stateOf(service) === 'acknowledged');
  });

  it('is signed so that the reference library accepts it, and any change is noticed', async () => {
    const receiver = await aReceiver();
    const service = await aService({ ...FIXED, webhooks: { url: receiver.url, secret: SECRET } });
    await service.dial(phone(0));
    await service.clock.advance(10_000);
    await until(() => receiver.got.length === 1);
    const { body, headers } = receiver.got[0] ?? { body: '', headers: {} };
    vi.setSystemTime(service.clock.now());
    try {
      const webhook = new Webhook(SECRET);
      expect(webhook.verify(body, headers)).toMatchObject({ type: 'call.finished' });
      expect(() => webhook.verify(body.replace('completed', 'failed'), headers)).toThrow();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not told of calls that were placed while there was nowhere to send it', async () => {
    const receiver = await aReceiver();
    const service = await aService(FIXED);
    await service.dial(phone(0));
    service.sendWebhooksTo({ url: receiver.url, secret: null });
    await service.dial(phone(1));
    await service.clock.advance(10_000);
    await until(() => receiver.got.length === 1);
    expect(receiver.got[0]?.json.data).toMatchObject({ phone_number: phone(1) });
    expect(service.events()).toHaveLength(1);
  });

  it('says how an unanswered call ended as analytics do, and nothing of a call that is never reported', async () => {
    const receiver = await aReceiver();
    const webhooks = { url: receiver.url, secret: null };
    const mix = everybody('busy');
    const saying = await aService({ mix, webhooks, unanswered: 'status' });
    await saying.dial(phone(0));
    await saying.clock.advance(1_000_000);
    await until(() => receiver.got.length === 1);
    expect(receiver.got[0]?.json.data).toMatchObject({ status: 'busy', duration_seconds: 0 });
    const silent = await aService({ mix, webhooks, unanswered: 'never' });
    await silent.dial(phone(0));
    expect(silent.events()).toEqual([]);
  });
});

describe('an event that is not acknowledged', () => {
  it.each([500, 404, 302, { status: 503, retryAfter: 'soon' }])(
    'is sent again with the same id and body after %j, signed anew',
    async (answer) => {
      const receiver = await aReceiver();
      receiver.answers.push(answer);
      const service = await aService({ ...FIXED, webhooks: { url: receiver.url, secret: SECRET } });
      await service.dial(phone(0));
      await service.clock.advance(10_000);
      await triedTimes(service, 1);
      await service.clock.advance(10_000);
      await until(() => stateOf(service) === 'acknowledged');
      const [first, second] = receiver.got;
      expect(second?.body).toBe(first?.body);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      const seconds = receiver.got.map(({ headers }) => Number(headers['webhook-timestamp']));
      expect((seconds[1] ?? 0) - (seconds[0] ?? 0)).toBeGreaterThanOrEqual(4);
      expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    },
  );

  it('waits as long as Retry-After asks', async () => {
    const receiver = await aReceiver();
    receiver.answers.push({ status: 503, retryAfter: '60' });
    const service = await aService({ ...FIXED, webhooks: { url: receiver.url, secret: null } });
    await service.dial(phone(0));
    await service.clock.advance(10_000);
    await triedTimes(service, 1);
    await service.clock.advance(59_999);
    expect(receiver.got).toHaveLength(1);
    await service.clock.advance(1);
    await until(() => stateOf(service) === 'acknowledged');
  });

  it('waits longer each time, in simulated time, and is given up after eight tries', async () => {
    const receiver = await aReceiver();
    receiver.answers.push(...Array.from({ length: 8 }, () => 500));
    const service = await aService({
      ...FIXED,
      timeScale: 10,
      webhooks: { url: receiver.url, secret: null },
    });
    await service.dial(phone(0));
    await service.clock.advance(10_000);
    for (const [index, waitS] of [5, 30, 120, 600, 1_800, 3_600, 7_200].entries()) {
      await triedTimes(service, index + 1);
      const from = service.clock.monotonic();
      service.clock.wakeNext();
      const waited = (service.clock.monotonic() - from) / (waitS * 100);
      expect(waited).toBeGreaterThanOrEqual(0.8);
      expect(waited).toBeLessThanOrEqual(1.2);
    }
    await until(() => stateOf(service) === 'given_up');
    expect(receiver.got).toHaveLength(8);
    expect(service.clock.sleeping).toBe(0);
  });

  it('is told after a restart, and one that was acknowledged is not', async () => {
    const state = join(tempFolder(), 'simulated.jsonl');
    const clock = new VirtualClock();
    const receiver = await aReceiver();
    const webhooks = { url: receiver.url, secret: null };
    const before = await aService({ ...FIXED, state, clock, webhooks });
    await before.dial(phone(0));
    await clock.advance(10_000);
    await until(() => stateOf(before) === 'acknowledged');
    receiver.answers.push('hold');
    await before.dial(phone(1));
    await before.dial(phone(2));
    await clock.advance(10_000);
    await until(() => receiver.got.length === 3);
    await until(() => before.events().filter((event) => event.state === 'waiting').length === 1);
    await before.close();

    const after = await aService({ state, clock });
    await clock.advance(100_000);
    expect(
      after
        .events()
        .map((event) => event.state)
        .toSorted(),
    ).toEqual(['acknowledged', 'acknowledged', 'waiting']);
    after.sendWebhooksTo(webhooks);
    await clock.advance(0);
    await until(() => after.events().every((event) => event.state === 'acknowledged'));
    expect(receiver.got[3]?.body).toBe(receiver.got[1]?.body);
    expect(receiver.got).toHaveLength(4);
  });

  it('leaves room: 32 are on their way at once without a warning, the others follow', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.name);
    process.on('warning', listen);
    onTestFinished(() => {
      process.off('warning', listen);
    });
    const receiver = await aReceiver();
    receiver.answers.push(...Array.from({ length: 32 }, () => 'hold' as const));
    const service = await aService({ ...FIXED, webhooks: { url: receiver.url, secret: null } });
    for (let index = 0; index < 40; index++) await service.dial(phone(index));
    await service.clock.advance(10_000);
    await until(() => receiver.got.length === 32);
    // Whole requests, in which more would have come.
    for (let index = 0; index < 5; index++) await service.get('/v1/agents');
    expect(receiver.got).toHaveLength(32);
    receiver.release();
    await until(() => service.events().every((event) => event.state === 'acknowledged'));
    expect(receiver.got).toHaveLength(40);
    expect(warnings).toEqual([]);
  });

  it('is held back while there is nowhere to send it', async () => {
    const receiver = await aReceiver();
    const webhooks = { url: receiver.url, secret: null };
    const service = await aService({ ...FIXED, webhooks });
    await service.dial(phone(0));
    service.sendWebhooksTo(null);
    await service.clock.advance(100_000);
    expect(service.events()).toMatchObject([{ state: 'waiting', tries: 0 }]);
    service.sendWebhooksTo(webhooks);
    await service.clock.advance(0);
    await until(() => stateOf(service) === 'acknowledged');
    expect(receiver.got).toHaveLength(1);
  });
});

it('the ledger lists the events of its own key', async () => {
  const receiver = await aReceiver();
  const service = await aService({ ...FIXED, webhooks: { url: receiver.url, secret: null } });
  const { call_id } = (await service.dial(phone(0))).json;
  expect(service.events(OTHER_KEY)).toEqual([]);
  const ledger = JSON.parse((await service.get('/ledger', KEY)).text) as { events: unknown[] };
  expect(ledger.events).toEqual(service.events());
  expect(ledger.events).toMatchObject([{ call_id, type: 'call.finished', tries: 0, fault: null }]);
});

it.each([
  [{ url: 'ftp://127.0.0.1/', secret: null }, 'webhook-url: "ftp://127.0.0.1/"'],
  [{ url: 'here', secret: null }, 'webhook-url: "here"'],
  [{ url: 'http://127.0.0.1/', secret: 'whsec_c2hvcnQ=' }, 'base64 of 24 to 64 bytes'],
  [{ url: 'http://127.0.0.1/', secret: SECRET.slice(6) }, 'base64 of 24 to 64 bytes'],
])('the target %j is refused, at the start and later', async (target, message) => {
  await expect(aService({ webhooks: target })).rejects.toThrow(message);
  const service = await aService();
  expect(() => {
    service.sendWebhooksTo(target);
  }).toThrow(message);
});

function stateOf(service: TestService): string | undefined {
  return service.events()[0]?.state;
}

/** Its last try has been answered, and it waits for the next. */
async function triedTimes(service: TestService, tries: number): Promise<void> {
  await until(() => service.events()[0]?.tries === tries && service.clock.sleeping === 1);
}
