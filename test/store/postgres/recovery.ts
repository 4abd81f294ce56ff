import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { SyncMessagePort } from 'sync-message-port';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isLost } from '../../../src/app/monitoring/monitor.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import type * as Failures from '../../../src/store/postgres/failures.ts';
import type * as Wire from '../../../src/store/postgres/wire.ts';
import type * as Opening from '../../../src/store/postgres/open.ts';
import { aRunningCampaign, CAMPAIGN, ENTRY, claimedOne } from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aSchema, asServer, built } from './a-schema.ts';
import { startServer } from './server.ts';

const { CommitUnknown, explain } = await built<typeof Failures>('failures');
const { ServerError } = await built<typeof Wire>('wire');
const { openServerStore, migrateServer } = await built<typeof Opening>('open');

it('a commit whose answer is lost, and that nobody looks up, is told as a database that does not answer', () => {
  const lost = new CommitUnknown('x', new ServerError('gone', 'AWAY'));
  expect(explain(lost, 'x')).toMatchObject({
    code: 'STORE_AWAY',
    message: 'The database x does not answer: gone.',
  });
});

it('a connection that the server ends is made again, by reads and by writes', async () => {
  const options = aSchema();
  await migrateServer(options);
  const store = await openServerStore(options);
  onTestFinished(() => store.close());
  await aRunningCampaign(store, { leads: 5 });
  const endAll = () =>
    asServer(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${options.schema}'`,
    );
  await endAll();
  expect(await store.progress(CAMPAIGN, START)).toMatchObject({ waiting: 5 });
  await endAll();
  expect(await claimedOne(store)).toMatchObject({ ordinal: 1 });
});

it.each(['before it arrives', 'after it'])(
  'a commit that is cut off %s is looked up, and its change is made once',
  async (when) => {
    const options = aSchema();
    await migrateServer(options);
    const [server] = options.address.hosts;
    const proxy = await cuttingProxy(server?.port ?? 0);
    const address = { ...options.address, hosts: [{ host: '127.0.0.1', port: proxy.port }] };
    const store = await openServerStore({ ...options, address });
    onTestFinished(() => store.close());
    await aRunningCampaign(store, { leads: 1 });
    const before = await store.history(CAMPAIGN);

    proxy.cutCommit(when === 'after it');
    await store.addHistory(CAMPAIGN, ENTRY);
    expect(proxy.cuts()).toBe(1);
    expect(await store.history(CAMPAIGN)).toEqual([...before, ENTRY]);
  },
);

it('a claim whose commit was made, and whose answer is lost, gives its people', async () => {
  const options = aSchema();
  await migrateServer(options);
  const [server] = options.address.hosts;
  const proxy = await cuttingProxy(server?.port ?? 0);
  const address = { ...options.address, hosts: [{ host: '127.0.0.1', port: proxy.port }] };
  const store = await openServerStore({ ...options, address });
  onTestFinished(() => store.close());
  await aRunningCampaign(store, { leads: 2 });

  proxy.cutCommit(true);
  const first = await claimedOne(store);
  expect(proxy.cuts()).toBe(1);
  const second = await claimedOne(store);
  expect(second.phone).not.toBe(first.phone);
});

it('a connection that is made too late does not take the place of a newer one', async () => {
  const options = aSchema();
  const { host = '', port = 0 } = options.address.hosts[0] ?? {};
  let letGo: (() => void) | undefined;
  const stalled = createServer((client) => {
    letGo = () => {
      const server = connect(port, host);
      client.pipe(server).pipe(client);
      for (const socket of [client, server]) socket.on('error', () => undefined);
    };
  }).listen(0, '127.0.0.1');
  await once(stalled, 'listening');
  onTestFinished(() => {
    stalled.close();
  });
  const late = { host: '127.0.0.1', port: (stalled.address() as AddressInfo).port };
  const { ask, answerTo } = wireThread();

  ask({ connect: { ...options.address, hosts: [late], application_name: 'late' } });
  await expect.poll(() => letGo).toBeDefined();
  ask({ connect: { ...options.address, application_name: 'newer' } });
  expect(await answerTo(2)).toMatchObject({ server: { host } });
  letGo?.();
  await answerTo(1);
  ask({ statements: [{ name: 'who', text: 'SHOW application_name', values: [] }] });
  expect(await answerTo(3)).toMatchObject({ found: [{ rows: [['newer']] }] });
  ask({ end: true });
  await answerTo(4);
});

it('a thread of the store that has ended by a defect is told with its cause, and a new start is needed', async () => {
  const options = aSchema();
  await migrateServer(options);
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  const store = await openServerStore(options);
  await store.listCampaigns();
  const thread = posted.mock.contexts.at(-1) as Worker;
  posted.mockRestore();
  thread.postMessage(null);
  const failure = () =>
    store.listCampaigns().then(
      () => undefined,
      (error: unknown) => error,
    );
  await expect.poll(failure).toMatchObject({
    code: 'STORE_THREAD_ENDED',
    message: expect.stringContaining('as it is null') as string,
  });
  const { message, code } = (await failure()) as AppError;
  expect(isLost(new AppError(code, message))).toBe(true);
});

it('a commit that the standby has not confirmed is told once it has, and made once', async () => {
  const { address, stop } = await startServer();
  onTestFinished(stop);
  const admin = new pg.Client(address);
  await admin.connect();
  const { host, port, ...who } = address;
  const options = {
    ...aSchema(),
    address: { hosts: [{ host, port }], ...who, application_name: 'x' },
  };
  await migrateServer(options);
  const store = await openServerStore(options);
  await aRunningCampaign(store, { leads: 1 });
  const before = await store.history(CAMPAIGN);
  const set = async (standbys: string) => {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
    await admin.query('SELECT pg_reload_conf()');
  };
  const waiting = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
    return rows.map(({ pid }) => pid);
  };
  let isTold = false;
  await set('nobody');
  await expect
    .poll(async () => (await admin.query('SHOW synchronous_standby_names')).rows[0] as object)
    .toEqual({ synchronous_standby_names: 'nobody' });
  const written = store.addHistory(CAMPAIGN, ENTRY).then(() => (isTold = true));
  await expect.poll(waiting).toHaveLength(1);
  const [first] = await waiting();
  // The server then says that it has committed, with a notice.
  await admin.query('SELECT pg_cancel_backend($1)', [first]);
  await expect.poll(async () => (await waiting()).filter((pid) => pid !== first)).toHaveLength(1);
  expect(isTold).toBe(false);
  await set('');
  await written;
  expect(await store.history(CAMPAIGN)).toEqual([...before, ENTRY]);
  await store.close();
  await admin.end();
});

/** The thread that talks to servers, as `Wire` asks it, without waiting. */
function wireThread() {
  const thread = new Worker(
    new URL('../../../dist/store/postgres/wire-thread.js', import.meta.url),
  );
  onTestFinished(async () => {
    await thread.terminate();
  });
  const { port1, port2 } = SyncMessagePort.createChannel();
  thread.postMessage(port2, [port2]);
  const port = new SyncMessagePort(port1);
  const answers: { id: number }[] = [];
  port.on('message', (answer: { id: number }) => answers.push(answer));
  let asked = 0;
  return {
    ask: (question: object) => {
      port.postMessage({ ...question, id: ++asked });
    },
    answerTo: async (id: number) => {
      const find = () => answers.find((answer) => answer.id === id);
      await expect.poll(find).toBeDefined();
      return find();
    },
  };
}

/** Stands between the store and the server, and cuts the connection of the next commit. */
async function cuttingProxy(port: number) {
  let next: { isSent: boolean } | undefined;
  let cuts = 0;
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    let isCut = false;
    client.on('data', (bytes) => {
      const cut = bytes.includes('COMMIT') ? next : undefined;
      if (cut === undefined) {
        server.write(bytes);
        return;
      }
      next = undefined;
      cuts += 1;
      isCut = true;
      if (cut.isSent) server.write(bytes);
      else end();
    });
    server.on('data', (bytes) => {
      if (isCut) end();
      else client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    cuts: () => cuts,
    cutCommit: (isSent: boolean) => {
      next = { isSent };
    },
  };
}
