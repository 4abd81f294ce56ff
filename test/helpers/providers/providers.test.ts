import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aReceiver } from '../../simulator/webhooks/receiver.ts';
import { VirtualClock } from '../clock.ts';
import { until } from '../until.ts';
import { startProvider } from './start.ts';

// That each stand-in speaks as its provider does, and signs so, is shown by the campaigns of test/e2e/services.
describe('the events of a stand-in', () => {
  it('are lost, repeated and early when that is asked for', async () => {
    const { provider, clock, dial } = await started();
    const receiver = await aReceiver();
    provider.sendWebhooksTo({ url: receiver.url, faults: { lost: 1 } });
    await dial(phone(0));
    await clock.advance(1_000);
    expect(receiver.got).toEqual([]);

    provider.sendWebhooksTo({ url: receiver.url, faults: { repeated: 1 } });
    await dial(phone(1));
    await clock.advance(1_000);
    await until(() => receiver.got.length > 1 && receiver.got.length % 2 === 0);
    const bodies = new Set(receiver.got.map(({ body }) => body.replace(/\d{10,13}/g, '')));
    expect(bodies.size).toBeLessThan(receiver.got.length);

    const before = receiver.got.length;
    provider.sendWebhooksTo({ url: receiver.url, faults: { early: 1 } });
    await dial(phone(2));
    expect(receiver.got.length).toBeGreaterThan(before);
    expect(receiver.got.at(-1)?.body).toContain(provider.ledger().at(-1)?.callId);
  });

  it('are posted again when they were not taken', async () => {
    const { provider, clock, dial } = await started();
    const receiver = await aReceiver();
    provider.sendWebhooksTo({ url: receiver.url });
    receiver.answers.push(500, 500, 500);
    await dial(phone(0));
    await until(async () => {
      await clock.advance(300);
      return receiver.got.length > 3;
    });
    expect(receiver.got.at(-1)?.body).toContain(provider.ledger()[0]?.callId);
  });
});

async function started() {
  const clock = new VirtualClock();
  const provider = await startProvider('vapi', { clock });
  const dispatcher = new Agent();
  onTestFinished(async () => {
    await dispatcher.destroy();
    await provider.close();
  });
  const dial = async (number: string) => {
    const { body } = await request(`${provider.url}/call`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${provider.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        assistantId: provider.agent,
        phoneNumberId: provider.from,
        customer: { number },
      }),
    });
    await body.dump();
  };
  return { provider, clock, dial };
}

function phone(index: number): string {
  return `+12125550${100 + index}`;
}
