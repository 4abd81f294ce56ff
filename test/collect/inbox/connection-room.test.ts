import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSigner } from '../../../src/service/webhooks/signatures.ts';
import { aReceiver, SECRET, send, type Desk } from '../../helpers/services/webhooks.ts';

const EVENT = { type: 'call.finished', data: { call_id: 'call_1' } };
const ELSEWHERE = '127.0.0.2';

/** Waited for from the beginning: it may come before anybody asks. */
const closings = new WeakMap<Socket, Promise<unknown>>();
const closed = (socket: Socket) => closings.get(socket);

/** Connects and says nothing, or half of something. */
async function aStranger(desk: Desk, { from = '127.0.0.1', says = '' } = {}): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(desk.url).port),
    host: '127.0.0.1',
    localAddress: from,
  });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.resume();
  // `once` of node:events would fail where the connection is reset.
  closings.set(socket, new Promise((resolve) => socket.once('close', resolve)));
  await once(socket, 'connect');
  socket.write(says);
  return socket;
}

const strangers = (desk: Desk, count: number, from?: string) =>
  Promise.all(
    Array.from({ length: count }, () => aStranger(desk, from === undefined ? {} : { from })),
  );

const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === 'open';

/** One delivery over a connection that may stay. */
async function deliverBy(agent: Agent, desk: Desk, id: string): Promise<number> {
  const body = Buffer.from(JSON.stringify(EVENT));
  const signed = createSigner({ scheme: 'standard', tolerance: 300 }, SECRET)(body, id, Date.now());
  const answer = await request(desk.url, {
    method: 'POST',
    dispatcher: agent,
    headers: signed,
    body,
  });
  await answer.body.dump();
  return answer.statusCode;
}

describe('connections that show nothing', () => {
  it('are closed soon, and others are served', async () => {
    const desk = await aReceiver({ limits: { strangerMs: 100 } });
    const silent = await aStranger(desk);

    await closed(silent);
    expect(desk.receiver.counts.of('sent_away')).toBe(1);
    expect(await send(desk.url, EVENT)).toMatchObject({ status: 200 });
  });

  it('that go on sending a head a byte at a time are closed as soon', async () => {
    const desk = await aReceiver({ limits: { strangerMs: 150 } });
    const slow = await aStranger(desk, { says: 'POST / HTTP/1.1\r\nX-A: ' });
    const drip = setInterval(() => slow.write('a'), 10);
    await closed(slow);
    clearInterval(drip);
    expect(desk.receiver.counts.of('sent_away')).toBe(1);
  });

  it('do not keep a service out, however many they are: the oldest make room', async () => {
    const limits = {
      connections: 40,
      strangers: 20,
      strangersPerAddress: 1_000,
      strangerMs: 60_000,
    };
    const desk = await aReceiver({ limits });
    const silent = await strangers(desk, 60, ELSEWHERE);

    expect(await send(desk.url, EVENT)).toMatchObject({ status: 200 });
    await expect.poll(() => silent.filter(isOpen).length).toBeLessThanOrEqual(20);
    expect(desk.receiver.counts.of('sent_away')).toBeGreaterThanOrEqual(40);
  });

  it('from one address have a limit of their own, and those of others stay', async () => {
    const desk = await aReceiver({ limits: { strangersPerAddress: 3, strangerMs: 60_000 } });
    const other = await aStranger(desk);
    const many = await strangers(desk, 10, ELSEWHERE);

    await expect.poll(() => many.filter(isOpen).length).toBe(3);
    expect(isOpen(other)).toBe(true);
  });

  it('may be many from an address that deliveries were taken from', async () => {
    const desk = await aReceiver({ limits: { strangersPerAddress: 3, strangerMs: 60_000 } });
    await send(desk.url, EVENT);
    const many = await strangers(desk, 10);

    expect(await send(desk.url, EVENT, { id: 'evt_2' })).toMatchObject({ status: 200 });
    expect(many.filter(isOpen)).toHaveLength(10);
    expect(desk.receiver.counts.of('sent_away')).toBe(0);
  });
});

describe('a connection', () => {
  it.each<[string, string, object]>([
    ['to no address of ours', '/webhooks/main/hook_000000000002', {}],
    ['with a wrong signature', '', { headers: { 'webhook-id': 'evt_9' } }],
    ['without a signature', '', { secret: null }],
  ])('%s is answered and closed', async (_, path, how) => {
    const desk = await aReceiver();
    const url = path === '' ? desk.url : desk.receiver.url + path;

    expect(await send(url, EVENT, how)).toMatchObject({ headers: { connection: 'close' } });
  });

  it('over which a delivery was taken stays for the next one, beyond the time of a stranger', async () => {
    const desk = await aReceiver({ limits: { strangerMs: 50 } });
    let connected = 0;
    const agent = new Agent({ connections: 1 });
    agent.on('connect', () => (connected += 1));
    onTestFinished(() => agent.close());

    expect(await deliverBy(agent, desk, 'evt_1')).toBe(200);
    const silent = await aStranger(desk);
    await closed(silent);
    expect(await deliverBy(agent, desk, 'evt_2')).toBe(200);
    expect(connected).toBe(1);
  });

  it('of somebody who knows the address and sends its body too slowly is cut off', async () => {
    const desk = await aReceiver({ limits: { requestMs: 200, strangerMs: 50 } });
    const { pathname } = new URL(desk.url);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n`;
    const slow = await aStranger(desk, { says: head });
    const drip = setInterval(() => slow.write('x'), 10);
    await closed(slow);
    clearInterval(drip);

    expect(desk.receiver.counts.toJSON()).toEqual({ malformed: 1 });
    expect(await send(desk.url, EVENT)).toMatchObject({ status: 200 });
  });
});
