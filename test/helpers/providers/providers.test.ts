import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aReceiver } from '../../simulator/webhooks/receiver.ts';
import { VirtualClock } from '../clock.ts';
import { until } from '../until.ts';
import { PROVIDERS } from './provider.ts';
import type { ProviderName, ProviderOptions } from './provider.ts';
import { expected, SPEECH } from './speech.ts';
import type { Json } from './speech.ts';
import { startProvider } from './start.ts';

describe.each(PROVIDERS)('the stand-in of %s', (name) => {
  it('takes a dial, and its reads agree with its ledger once the call is settled', async () => {
    const { provider, clock, dial, read } = await started(name);
    const ids: string[] = [];
    for (let index = 0; index < 40; index++) {
      const { status, json } = await dial(phone(index));
      expect([200, 201]).toContain(status);
      ids.push(String(SPEECH[name].idOf(json)));
    }
    expect(SPEECH[name].isSettled((await read(ids[0] ?? '')).json)).toBe(false);
    await clock.advance(400);
    const ledger = provider.ledger();
    expect(ledger.map((call) => call.callId)).toEqual(ids);
    expect(new Set(ledger.map((call) => call.outcome)).size).toBeGreaterThan(2);
    for (const call of ledger) {
      const { json } = await read(call.callId);
      expect(SPEECH[name].isSettled(json)).toBe(true);
      if (call.durationS > 0) {
        expect(SPEECH[name].seconds(json)).toBeCloseTo(call.durationS, 6);
        for (const line of call.transcript.split('\n')) {
          const words = line.replace(/^(agent|person): /, '');
          const quoted = name === 'elevenlabs' ? JSON.stringify(words).slice(1, -1) : words;
          expect(SPEECH[name].said(json)).toContain(quoted);
        }
      }
    }
  });

  it('refuses another key, a number that is none and more calls than it has room for', async () => {
    const { provider, dial, read } = await started(name, { capacity: 1 });
    const stranger = await dial(phone(0), 'another-key');
    expect(stranger.status).toBe(401);
    expect(stranger.json).toMatchObject(SPEECH[name].refusedKey);
    expect((await read('none', 'another-key')).status).toBe(401);
    const wrong = await dial('12');
    expect(wrong.status).toBeGreaterThanOrEqual(400);
    expect(wrong.status).toBeLessThan(500);
    expect(provider.ledger()).toEqual([]);
    await dial(phone(0));
    const full = await dial(phone(1));
    expect(full.status).toBe(name === 'vapi' ? 400 : 429);
    expect(provider.ledger()).toHaveLength(1);
    expect((await read('none')).status).toBe(UNKNOWN_CALL[name] ?? 404);
  });

  it('posts its events, signed so that its rule accepts them', async () => {
    const { provider, clock, dial } = await started(name);
    const receiver = await aReceiver();
    provider.sendWebhooksTo({ url: receiver.url });
    for (let index = 0; index < 10; index++) await dial(phone(index));
    await clock.advance(500);
    const [first] = provider.ledger();
    await until(() => {
      const told = receiver.got.map(({ body }) => body).join(' ');
      return provider.ledger().every((call) => told.includes(call.callId));
    });
    expect(first?.callId).toBeDefined();
    for (const { headers, body } of receiver.got) {
      expect(headers[SPEECH[name].signature]).toBe(expected(provider, headers, body, receiver.url));
    }
  });

  it('loses, repeats and hurries events when asked to', async () => {
    const { provider, clock, dial } = await started(name);
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

  it('posts an event again that was not taken', async () => {
    const { provider, clock, dial } = await started(name);
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

async function started(name: ProviderName, options: ProviderOptions = {}) {
  const clock = new VirtualClock();
  const provider = await startProvider(name, { ...options, clock });
  const dispatcher = new Agent();
  onTestFinished(async () => {
    await dispatcher.destroy();
    await provider.close();
  });
  const speech = SPEECH[name];
  const ask = async (path: string, key: string, body?: string, type = 'application/json') => {
    const answer = await request(`${provider.url}${path}`, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...speech.auth(key),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.statusCode, json: (await answer.body.json()) as Json };
  };
  return {
    provider,
    clock,
    dial: (to: string, key = provider.key) => {
      const { path, body, form } = speech.dial(to, provider.agent, provider.from);
      return form === true
        ? ask(path, key, new URLSearchParams(body as Record<string, string>).toString(), FORM)
        : ask(path, key, JSON.stringify(body));
    },
    read: async (id: string, key = provider.key) => {
      const { status, json } = await ask(speech.read(id), key);
      const more = speech.more && (await ask(speech.more(id), key)).json;
      return { status, json: { ...json, ...more } };
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';

/** The status of an answer about a call that is none, where it is not 404. */
const UNKNOWN_CALL: Partial<Record<ProviderName, number>> = { bolna: 400, retell: 422 };

function phone(index: number): string {
  return `+1${212 + Math.floor(index / 100)}55501${String(index % 100).padStart(2, '0')}`;
}
