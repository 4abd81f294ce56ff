import { describe, expect, it } from 'vitest';
import type { WebhookFault } from '../../../src/simulator/wire/faults.ts';
import { until } from '../../helpers/until.ts';
import { aReceiver } from './receiver.ts';
import { aService, phone } from '../service.ts';
import type { TestService } from '../service.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('an event with the fault', () => {
  it('webhook-lost is never sent', async () => {
    const { service, receiver } = await told('webhook-lost');
    await service.dial(phone(0));
    await service.clock.advance(1_000_000);
    expect(service.events()).toMatchObject([{ state: 'lost', tries: 0, fault: 'webhook-lost' }]);
    expect(receiver.got).toEqual([]);
  });

  it('webhook-repeat comes two or three times, the same each time', async () => {
    const { service, receiver } = await told('webhook-repeat');
    for (let index = 0; index < 8; index++) await service.dial(phone(index));
    await advanceUntil(service, () => service.events().every(({ state }) => state !== 'waiting'));
    for (const { event_id, tries } of service.events()) {
      const same = receiver.got.filter(({ json }) => json.id === event_id);
      expect(same).toHaveLength(tries);
      expect(new Set(same.map(({ body }) => body)).size).toBe(1);
    }
    const times = service.events().map(({ tries }) => tries);
    expect(new Set(times)).toEqual(new Set([2, 3]));
  });

  it('webhook-early is there before the dial is answered, with analytics that can be read', async () => {
    const { service, receiver } = await told('webhook-early');
    let isAnswered = false;
    const dialling = service.dial(phone(0), { 'idempotency-key': 'k1' });
    void dialling.then(() => (isAnswered = true));
    await until(() => receiver.got.length > 0);
    // Another whole request, in which the dial's answer would have come.
    await service.get('/v1/agents');
    expect(isAnswered).toBe(false);
    receiver.release();
    const { call_id } = (await dialling).json;
    expect(receiver.got[0]?.json.data).toEqual({
      ...(await service.analytics(call_id)).json,
      idempotency_key: 'k1',
    });
    await service.clock.advance(1_000_000);
    expect(service.events()).toMatchObject([{ state: 'acknowledged', tries: 1 }]);
  });

  it('webhook-late comes 5 to 60 minutes later', async () => {
    const { service, receiver } = await told('webhook-late');
    await service.dial(phone(0));
    await service.clock.advance(10_000 + 299_999);
    expect(receiver.got).toEqual([]);
    await service.clock.advance(3_300_001);
    await until(() => receiver.got.length === 1);
  });

  it('webhook-reorder is overtaken by events of later calls', async () => {
    const { service, receiver } = await told('webhook-reorder');
    for (let index = 0; index < 8; index++) {
      await service.dial(phone(index));
      await service.clock.advance(1_000);
    }
    await advanceUntil(service, () => receiver.got.length === 8);
    const happened = receiver.got.map(({ json }) => json.timestamp);
    expect(happened).not.toEqual(happened.toSorted());
  });

  it('webhook-unsigned has no signature', async () => {
    const { service, receiver } = await told('webhook-unsigned');
    await service.dial(phone(0));
    await service.clock.advance(10_000);
    await until(() => receiver.got.length === 1);
    expect(receiver.got[0]?.headers).not.toHaveProperty('webhook-signature');
    expect(receiver.got[0]?.headers).toHaveProperty('webhook-id');
  });
});

it('which event meets which fault follows from the seed', async () => {
  const faults = { 'webhook-lost': 0.3, 'webhook-repeat': 0.3 };
  const story = async (seed: string) => {
    const receiver = await aReceiver();
    const service = await aService({
      seed,
      faults,
      fixedCallMs: 60_000,
      webhooks: { url: receiver.url, secret: null },
    });
    for (let index = 0; index < 30; index++) await service.dial(phone(index));
    return service.events().map(({ type, fault }) => `${type} ${String(fault)}`);
  };
  const first = await story('spring');
  expect(new Set(first).size).toBeGreaterThan(3);
  expect(await story('spring')).toEqual(first);
  expect(await story('autumn')).not.toEqual(first);
});

/** A service all of whose events meet this fault, with calls too short for anything to be captured. */
async function told(fault: WebhookFault) {
  const receiver = await aReceiver();
  const early = fault === 'webhook-early';
  if (early) receiver.answers.push('hold');
  const service = await aService({
    faults: { [fault]: 1 },
    fixedCallMs: 10_000,
    webhooks: { url: receiver.url, secret: SECRET },
  });
  return { service, receiver };
}

async function advanceUntil(service: TestService, isSo: () => boolean): Promise<void> {
  await until(async () => {
    await service.clock.advance(1_000);
    return isSo();
  });
}
