import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { Health } from '../../../src/collect/inbox/receiver-options.ts';
import { aReceiver, send } from '../../helpers/services/webhooks.ts';

/** A receiver whose health the test sets. */
async function aMonitored(limits = {}) {
  const now: { health: ReturnType<Health> } = { health: null };
  const health = () => now.health;
  const desk = await aReceiver({ health, limits });
  const ask = async (path: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const answer = await request(desk.receiver.url + path, { method });
    return { status: answer.statusCode, body: await answer.body.text(), headers: answer.headers };
  };
  return { ...desk, now, ask };
}

describe('a receiver that monitors ask', () => {
  it('says ok with 200, and with 503 the reason as a word and nothing else', async () => {
    const { now, ask } = await aMonitored();
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    now.health = 'stuck';
    expect(await ask('/healthz')).toMatchObject({
      status: 503,
      body: '{"status":"unwell","reason":"stuck"}',
    });
    expect(await ask('/healthz', 'HEAD')).toMatchObject({ status: 503, body: '' });
  });

  it('counts who asks as nothing that a service sent, and keeps no connection for them', async () => {
    const { ask, receiver, notices } = await aMonitored();
    const { headers } = await ask('/healthz');
    expect(headers).toMatchObject({ connection: 'close', 'cache-control': 'no-store' });
    await ask('/healthz', 'HEAD');
    expect(receiver.counts.toJSON()).toEqual({});
    expect(notices).toEqual([]);
  });

  it('answers nothing else there', async () => {
    const { ask, receiver } = await aMonitored();
    expect((await ask('/healthz', 'POST')).status).toBe(404);
    expect((await ask('/healthz/')).status).toBe(404);
    expect((await ask('/metrics')).status).toBe(404);
    expect(receiver.counts.toJSON()).toEqual({ not_found: 3 });
  });

  it('lets nobody stay longer because they ask for its health: they are strangers all the same', async () => {
    const { receiver, url } = await aMonitored({ strangerMs: 100 });
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    await once(socket, 'connect');
    // Half a request: its head never ends.
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(receiver.counts.of('sent_away')).toBe(1);
    expect(await send(url, { type: 'call.finished' })).toMatchObject({ status: 200 });
  });

  it('closes a connection that asks and goes on sending', async () => {
    const { receiver } = await aMonitored();
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    let answers = '';
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    const asked = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n';
    socket.write(asked.repeat(50));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });
});

it('a receiver of a single run tells nothing of its health', async () => {
  const { receiver } = await aReceiver();
  const { statusCode } = await request(`${receiver.url}/healthz`);
  expect(statusCode).toBe(404);
});
