import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/runtime/errors.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import type { Store } from '../../../src/store/port.ts';
import { PROFILE_TEXT } from '../../service/helpers.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { gate } from '../../helpers/services/voice-server.ts';
import { aReceiver, protocol, send, TOKEN } from '../../helpers/services/webhooks.ts';

const EVENT = { type: 'call.finished', data: { call_id: 'call_1' } };
const OTHER = 'whsec_b3RoZXItc2VjcmV0LW90aGVyLXNlY3JldA==';

describe('a webhook that is delivered', () => {
  it('is answered with 200 once it is kept, with its bytes and its signature', async () => {
    const desk = await aReceiver();

    expect(await send(desk.url, EVENT)).toMatchObject({ status: 200 });

    const [kept] = await desk.kept();
    expect(kept).toMatchObject({ service: 'main', key: 'evt_1', signed: true, state: 'received' });
    const found = await desk.store.findDelivery(kept?.id ?? '');
    expect(Buffer.from(found?.body ?? []).toString()).toBe(JSON.stringify(EVENT));
    expect(desk.receiver.counts.toJSON()).toEqual({ kept: 1 });
  });

  it('is not answered before it is on disk', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const disk = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = {
      inboxPut: async () => {
        order.push('asked');
        await disk;
        order.push('on disk');
        return true;
      },
    } as unknown as Store;
    const desk = await aReceiver({ store });
    const answered = send(desk.url, EVENT).then(() => order.push('answered'));
    await expect.poll(() => order).toEqual(['asked']);

    release();
    await answered;
    expect(order).toEqual(['asked', 'on disk', 'answered']);
  });

  it('counts once when it comes again', async () => {
    const desk = await aReceiver();
    await send(desk.url, EVENT);
    await send(desk.url, EVENT);

    expect(await desk.kept()).toMatchObject([{ times: 2 }]);
    expect(desk.receiver.counts.toJSON()).toEqual({ kept: 1, repeated: 1 });
  });

  it('is known by its bytes where it has no name', async () => {
    const desk = await aReceiver({ protocol: protocol([]) });
    await send(desk.url, EVENT, { secret: null });
    await send(desk.url, EVENT, { secret: null });
    await send(desk.url, { ...EVENT, more: 1 }, { secret: null });

    expect((await desk.kept()).map(({ times }) => times).sort()).toEqual([1, 2]);
  });

  it('is kept unsigned where no secret is known, the way being the proof', async () => {
    const desk = await aReceiver({ protocol: protocol([]) });

    expect(await send(desk.url, EVENT, { secret: null })).toMatchObject({ status: 200 });
    expect(await desk.kept()).toMatchObject([{ signed: false }]);
  });

  it('is kept even if it is no JSON or nothing at all: a person can see it', async () => {
    const desk = await aReceiver();

    expect(await send(desk.url, Buffer.from('<xml/>'))).toMatchObject({ status: 200 });
    expect(await send(desk.url, Buffer.alloc(0), { id: 'evt_2' })).toMatchObject({ status: 200 });
    expect(await desk.kept()).toHaveLength(2);
  });
});

describe('what is no delivery', () => {
  it.each([
    ['without a signature', { secret: null }, 'signature_missing'],
    ['signed by another secret', { secret: OTHER }, 'signature_wrong'],
    ['signed for other bytes', { headers: { 'webhook-id': 'evt_9' } }, 'signature_wrong'],
    ['replayed after ten minutes', { at: Date.now() - 600_000 }, 'time_wrong'],
    ['from a clock ahead by ten minutes', { at: Date.now() + 600_000 }, 'time_wrong'],
  ])('%s is answered with 401, counted, and kept nowhere', async (_, how, why) => {
    const desk = await aReceiver();

    const answer = await send(desk.url, EVENT, how);

    expect(answer).toMatchObject({ status: 401 });
    expect(JSON.parse(answer.body)).toEqual({ error: { code: why, by: 'callsheet' } });
    expect(desk.receiver.counts.toJSON()).toEqual({ [why]: 1 });
    expect(await desk.kept()).toEqual([]);
    expect(desk.notices).toMatchObject([{ event: 'webhook.refused', why }]);
  });

  it('is told with the headers that may hold a signature', async () => {
    const desk = await aReceiver();
    await send(desk.url, EVENT, { secret: null, headers: { 'x-voice-sig': 'abc', 'x-sent': '1' } });
    expect(desk.notices).toMatchObject([{ headers: ['x-voice-sig', 'x-sent'] }]);
  });

  it.each([
    ['a token that is not ours', `/webhooks/main/${TOKEN.slice(0, -1)}2`],
    ['half a token', `/webhooks/main/${TOKEN.slice(0, 5)}`],
    ['the token of another service', `/webhooks/other/${TOKEN}`],
    ['no token', '/webhooks/main/'],
    ['another path', '/'],
    ['a path beyond all length', `/webhooks/main/${'x'.repeat(5_000)}`],
    ['a path that cannot be decoded', '/webhooks/main/%ff%zz'],
  ])('with %s is not found', async (_, path) => {
    const desk = await aReceiver();

    const { status } = await send(desk.receiver.url + path, EVENT);

    expect([400, 404, 414]).toContain(status);
    expect(await desk.kept()).toEqual([]);
  });

  it('larger than a megabyte is answered with 413', async () => {
    const desk = await aReceiver({ limits: { bodyBytes: 1_000 } });

    const answer = await send(desk.url, Buffer.alloc(1_001, 'x'));

    expect(answer.status).toBe(413);
    expect(desk.receiver.counts.toJSON()).toEqual({ too_large: 1 });
    expect(await desk.kept()).toEqual([]);
  });

  it('that is no HTTP is counted and changes nothing', async () => {
    const desk = await aReceiver();
    const socket = connect(Number(new URL(desk.url).port), '127.0.0.1');
    socket.resume();
    socket.end('GET\0 /\r\n\r\n');
    await once(socket, 'close');

    expect(desk.receiver.counts.toJSON()).toEqual({ malformed: 1 });
    expect(await send(desk.url, EVENT)).toMatchObject({ status: 200 });
  });

  it('from another address than the listed ones is refused; a proxy on this machine may name it', async () => {
    const start = PROFILE_TEXT.indexOf('\nwebhooks:');
    const section = `\nwebhooks: { type: [type], callId: [call_id], events: {}, ips: [192.0.2.7] }\n`;
    const profile = loadProfile(PROFILE_TEXT.slice(0, start) + section, 'mine.yaml');
    const desk = await aReceiver({ protocol: createDeliveryProtocol(profile, []) ?? protocol() });
    const by = (forwarded: string) =>
      send(desk.url, EVENT, { secret: null, headers: { 'x-forwarded-for': forwarded } });

    expect(await send(desk.url, EVENT, { secret: null })).toMatchObject({ status: 401 });
    expect(await by('192.0.2.7, 192.0.2.9')).toMatchObject({ status: 401 });
    expect(await by('192.0.2.9, 192.0.2.7')).toMatchObject({ status: 200 });
    expect(desk.receiver.counts.toJSON()).toEqual({ address_wrong: 2, kept: 1 });
  });
});

describe('a delivery that cannot be kept', () => {
  it.each(['STORE_FULL', 'STORE_LOCKED', 'STORE_AWAY', 'STORE_IO_FAILED'])(
    '(%s) is answered with 503 and a time to come again',
    async (code) => {
      const inboxPut = () => Promise.reject(new AppError(code, 'the disk is full'));
      const desk = await aReceiver({ store: { inboxPut } as unknown as Store });

      const answer = await send(desk.url, EVENT);

      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
      expect(desk.receiver.counts.toJSON()).toEqual({ unavailable: 1 });
    },
  );

  it('because too many wait for the disk is asked to come again', async () => {
    let release: (isNew: boolean) => void = () => undefined;
    const waits = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    const store = { inboxPut: () => waits } as unknown as Store;
    const desk = await aReceiver({ store, limits: { waiting: 1 } });
    const first = send(desk.url, EVENT);
    await expect.poll(() => send(desk.url, EVENT).then(({ status }) => status)).toBe(503);

    release(true);
    expect(await first).toMatchObject({ status: 200 });
    expect(await send(desk.url, EVENT)).toMatchObject({ status: 200 });
  });
});

describe('the end of receiving', () => {
  it('waits for a delivery that is being written, and for no other one over its connection', async () => {
    const disk = gate();
    const store = { inboxPut: () => disk.pass().then(() => true) } as unknown as Store;
    const desk = await aReceiver({ store });
    const answered = send(desk.url, EVENT);
    await disk.waiting(1);

    const closed = desk.receiver.close();
    disk.open();

    expect(await answered).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await closed;
  });

  it('does not wait for the rest of a delivery', async () => {
    const clock = new VirtualClock();
    let held = 0;
    const desk = await aReceiver({ clock, onHeld: (bytes) => (held = bytes) });
    const { port, pathname } = new URL(desk.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf`);
    await expect.poll(() => held).toBe(4);

    const gone = once(socket, 'close');
    const closed = desk.receiver.close();
    await clock.advance(1_500);

    await Promise.all([closed, gone]);
  });
});

describe('a port that is taken', () => {
  it('is told with what to do', async () => {
    const desk = await aReceiver();
    const { listenForWebhooks } = await import('../../../src/collect/inbox/webhooks.ts');

    await expect(
      listenForWebhooks({
        host: '127.0.0.1',
        port: Number(new URL(desk.url).port),
        endpoints: [],
        store: desk.store,
        clock: { now: () => 0 } as never,
        newId: (prefix) => prefix,
        notify: () => undefined,
        onDelivery: () => undefined,
      }),
    ).rejects.toMatchObject({ code: 'WEBHOOK_PORT_UNAVAILABLE', exitCode: 2 });
  });
});
