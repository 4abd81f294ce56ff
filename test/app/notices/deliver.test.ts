import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deliverDue, deliverUntil, writeNotice } from '../../../src/app/notices/outbox.ts';
import type { NoticeTarget } from '../../../src/domain/notices.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { Store } from '../../../src/store/port.ts';
import { START, VirtualClock } from '../../helpers/clock.ts';
import { aCampaign, CREATED } from '../../helpers/factory.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { aConnection, aDatabasePath, aStore } from '../../store/sqlite/database.ts';
import { insteadOf } from '../lists/a-folder.ts';
import { noticeReceiver } from './receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEVER = new AbortController().signal;

/** A database with a campaign, and processes that deliver its notices. */
async function aScene(targetOf: (url: string) => NoticeTarget = hook) {
  const receiver = await noticeReceiver();
  const path = aDatabasePath();
  const store = aStore(path);
  await store.createCampaign(aCampaign(), CREATED);
  const campaign = await store.findCampaign('spring');
  if (campaign === undefined) throw new Error('no campaign');
  const own = [targetOf(receiver.url)];
  const clock = new VirtualClock();
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const env = { OPS_SECRET: SECRET, VOICE_API_KEY: 'k3y' };
  const world = fakeWorld({ cwd: tempFolder(), clock, env, random: () => 0 });
  /** @returns how many came to the receiver */
  const deliver = async (using: Store = store) => {
    const before = receiver.received.length;
    await deliverDue({ store: using, own, log, late: NEVER }, world);
    return receiver.received.length - before;
  };
  const write = (reason: string) =>
    writeNotice(
      { event: 'attention', campaign, reason, text: `needed: ${reason}` },
      { store, own },
      world,
    );
  return { receiver, path, store, own, clock, lines, log, world, deliver, write };
}

const hook = (url: string): NoticeTarget => ({ on: ['attention'], url, secretEnv: 'OPS_SECRET' });

describe('a notice to a webhook', () => {
  it('is signed as Standard Webhooks requires, and comes once', async () => {
    const { receiver, deliver, write } = await aScene();
    await write('key');
    expect(await deliver()).toBe(1);
    expect(await deliver()).toBe(0);

    const [only] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    const said = { event: 'attention', reason: 'key', text: 'spring: needed: key' };
    expect(only?.notice).toMatchObject(said);
    expect(only?.headers['webhook-id']).toBe(only?.notice.id);
    expect(only?.headers['webhook-timestamp']).toBe(String(START / 1_000));
    // The reference library refuses times that are not today's, so its own signature of this time is compared.
    const { id = '' } = only?.notice ?? {};
    const signature = new Webhook(SECRET).sign(id, new Date(START), only?.body ?? '');
    expect(only?.headers['webhook-signature']).toBe(signature);
  });

  it('comes with the same id when the process died between sending and recording', async () => {
    const { receiver, path, store, deliver, write, clock } = await aScene();
    await write('key');
    const killed = () => Promise.reject(new Error('killed'));
    const dying = insteadOf('outboxTried', killed)(aStore(path));
    await expect(deliver(dying)).rejects.toThrow('killed');
    expect(await deliver(store)).toBe(0);
    await clock.advance(MINUTE);
    expect(await deliver(store)).toBe(1);
    await clock.advance(HOUR);
    expect(await deliver(store)).toBe(0);

    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('comes once from two processes that look at the same moment', async () => {
    const { receiver, path, store, deliver, write } = await aScene();
    const other = aStore(path);
    for (let i = 0; i < 20; i += 1) await write(`reason_${i}`);
    await Promise.all([deliver(store), deliver(other)]);
    const ids = receiver.received.map(({ notice }) => notice.id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it('comes after those that were written before it, never beside one of them', async () => {
    const { receiver, deliver, write } = await aScene();
    const reasons = Array.from({ length: 20 }, (_, i) => `reason_${i}`);
    for (const reason of reasons) await write(reason);
    await deliver();
    expect(receiver.received.map(({ notice }) => notice.reason)).toEqual(reasons);
    expect(receiver.mostAtOnce()).toBe(1);
  });

  it('waits for the next look where its receiver took more than a minute for those before it', async () => {
    const { receiver, deliver, write, clock } = await aScene();
    const reasons = Array.from({ length: 8 }, (_, i) => `reason_${i}`);
    for (const reason of reasons) await write(reason);
    receiver.whenAsked(() => clock.advance(MINUTE / 6));
    expect(await deliver()).toBe(6);
    expect(await deliver()).toBe(2);
    expect(receiver.received.map(({ notice }) => notice.reason)).toEqual(reasons);
  });

  it('waits for the next look after another one to its receiver has failed', async () => {
    const { receiver, deliver, write, clock } = await aScene();
    receiver.behave(503);
    for (const reason of ['key', 'doubts', 'breaker']) await write(reason);
    expect(await deliver()).toBe(1);
    receiver.behave(204);
    expect(await deliver()).toBe(2);
    await clock.advance(MINUTE);
    expect(await deliver()).toBe(1);
    const reasons = receiver.received.map(({ notice }) => notice.reason);
    expect(reasons).toEqual(['key', 'doubts', 'breaker', 'key']);
  });

  it('comes in the end when the receiver is down for a day, with tries ever more seldom', async () => {
    const { receiver, clock, deliver, write, store, world } = await aScene();
    receiver.behave(503);
    await write('key');
    let tries = 0;
    for (let at = 0; at < 24 * HOUR; at += MINUTE / 2) {
      tries += await deliver();
      await clock.advance(MINUTE / 2);
    }
    expect(tries).toBe(9);
    expect(await store.undelivered(0)).toMatchObject([
      { givenUp: false, tries: 9, why: 'it answered with HTTP 503' },
    ]);
    receiver.behave(204);
    for (let at = 0; at < 6 * HOUR; at += MINUTE) {
      await deliver();
      await clock.advance(MINUTE);
    }
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await store.undelivered(0)).toEqual([]);
    expect(world.err().match(/did not come to/g)).toHaveLength(1);
  });

  it('is given up after three days, which is told', async () => {
    const { receiver, clock, deliver, write, store, world } = await aScene();
    receiver.behave(500);
    await write('key');
    for (let at = 0; at < 96 * HOUR; at += 10 * MINUTE) {
      await deliver();
      await clock.advance(10 * MINUTE);
    }
    expect(await store.undelivered(0)).toMatchObject([{ givenUp: true }]);
    expect(world.err()).toContain('It is given up; `npx callsheet doctor` lists');
    expect(receiver.received).toHaveLength(17);
  });

  it('waits as long as Retry-After asks', async () => {
    const { receiver, clock, deliver, write } = await aScene();
    receiver.behave(429, { 'retry-after': '1800' });
    await write('key');
    await deliver();
    await clock.advance(30 * MINUTE - 1);
    expect(await deliver()).toBe(0);
    await clock.advance(1);
    expect(await deliver()).toBe(1);
  });

  it('follows no redirect, and takes a connection that was closed for a failure', async () => {
    const { receiver, deliver, write, store, clock } = await aScene();
    const elsewhere = await noticeReceiver();
    receiver.behave(307, { location: elsewhere.url });
    await write('key');
    await deliver();
    expect(elsewhere.received).toEqual([]);
    expect(await store.undelivered(0)).toMatchObject([
      { why: 'it answered with HTTP 307, and redirects are not followed' },
    ]);
    receiver.behave(200, {}, true);
    await clock.advance(HOUR);
    await deliver();
    const [found] = await store.undelivered(0);
    expect(found?.why).toContain('the connection was closed before an answer came');
  });

  it('leaves neither secret nor address in the database, the log and what is told', async () => {
    const { receiver, path, lines, deliver, write, world, store } = await aScene();
    receiver.behave(503);
    await write('key');
    await deliver();
    await store.close();
    const db = aConnection(path);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const everything = readFileSync(path, 'latin1') + lines.join('') + world.err();
    expect(everything).toContain('ntc_');
    for (const secret of [SECRET, SECRET.slice(6), 'T0PSECRET'])
      expect(everything).not.toContain(secret);
  });

  it('fails without its secret, which is named and not guessed', async () => {
    const { receiver, deliver, write, store } = await aScene((url) => ({
      on: ['attention'],
      url,
      secretEnv: 'NOT_SET',
    }));
    await write('key');
    await deliver();
    expect(receiver.received).toEqual([]);
    expect(await store.undelivered(0)).toMatchObject([{ why: 'NOT_SET is empty or not set' }]);
  });
});

describe('a process that delivers', () => {
  it('sends what is written while it works, and ends when it is stopped', async () => {
    const { receiver, clock, write, own, store, log, world } = await aScene();
    const stop = new AbortController();
    const working = deliverUntil(stop.signal, { store, own, log, late: NEVER }, world);
    await write('key');
    while (receiver.received.length === 0) await clock.advance(1_000);
    stop.abort();
    await working;
    expect(receiver.received).toHaveLength(1);
  });

  it('goes on when the database fails for a while', async () => {
    const { receiver, clock, write, own, store, log, world } = await aScene();
    let fails = true;
    const failing = insteadOf('outboxDue', (call) =>
      fails ? Promise.reject(new Error('locked')) : call(),
    )(store);
    const stop = new AbortController();
    const working = deliverUntil(stop.signal, { store: failing, own, log, late: NEVER }, world);
    onTestFinished(() => {
      stop.abort();
    });
    await write('key');
    await clock.advance(5_000);
    expect(receiver.received).toEqual([]);
    fails = false;
    while (receiver.received.length === 0) await clock.advance(1_000);
    stop.abort();
    await working;
  });

  it('gives up what nobody can be told any more, and says so', async () => {
    const { clock, write, store, log, world } = await aScene();
    await write('key');
    await deliverDue({ store, own: [], log, late: NEVER }, world);
    expect(world.err()).toBe('');
    await clock.advance(73 * HOUR);
    const stop = new AbortController();
    const working = deliverUntil(stop.signal, { store, own: [], log, late: NEVER }, world);
    while (!world.err().includes('no settings name this receiver any more'))
      await clock.advance(1_000);
    stop.abort();
    await working;
    expect(await store.undelivered(0)).toMatchObject([{ givenUp: true }]);
  });
});
