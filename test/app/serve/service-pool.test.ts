import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { servicePool } from '../../../src/app/serve/serve.ts';
import type { OpenService } from '../../../src/app/services/service.ts';
import { startListener } from '../../../src/app/webhooks/webhook-listener.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import type { Store } from '../../../src/store/port.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { PROFILE } from '../../service/helpers.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';

/** A pool whose services read their key from one file and have the fingerprint that `is` names. */
function aPool() {
  const keyFile = join(tempFolder(), 'key.txt');
  const world = fakeWorld({ cwd: tempFolder() });
  const open = new Set<string>();
  const is = { fingerprint: 'one' };
  const openNamed = (name: string): Promise<OpenService> => {
    const key = readFileSync(keyFile, 'utf8');
    open.add(key);
    const config = { key, keyFile, keyAt: 'key.txt' };
    const close = () => Promise.resolve(void open.delete(key));
    const opened = { config, service: { name, ...is }, close };
    return Promise.resolve(opened as unknown as OpenService);
  };
  const pool = servicePool(openNamed, world);
  const keyNow = async () => (await pool.open('main'))?.config.key;
  const err = () => world.err().replaceAll(/\s+/g, ' ');
  return { keyFile, pool, keyNow, open, is, err };
}

it('opens a service again when the file of its key has changed, and closes both clients at the end', async () => {
  const { keyFile, pool, keyNow, open, err } = aPool();
  writeFileSync(keyFile, 'first');
  expect(await keyNow()).toBe('first');
  expect(await keyNow()).toBe('first');
  expect(err()).toBe('');

  writeFileSync(keyFile, 'the second');
  expect(await keyNow()).toBe('the second');
  expect(err()).toContain('Service main: its key was read again from key.txt.');
  expect(open.size).toBe(2);

  await pool.close();
  expect(open.size).toBe(0);
});

it('keeps the client while the file of the key cannot be read, says so once, and reads it once it can', async () => {
  const { keyFile, keyNow, pool, err } = aPool();
  writeFileSync(keyFile, 'first');
  await keyNow();

  rmSync(keyFile);
  // A link to itself can be neither read nor asked for its size, whoever asks.
  symlinkSync(keyFile, keyFile);
  expect([await keyNow(), await keyNow()]).toEqual(['first', 'first']);
  expect(err().match(/Service main keeps its key: .*ELOOP/g)).toHaveLength(1);

  rmSync(keyFile);
  writeFileSync(keyFile, 'second');
  expect(await keyNow()).toBe('second');
  await pool.close();
});

it('keeps the client where its name has become another service', async () => {
  const { keyFile, keyNow, is } = aPool();
  writeFileSync(keyFile, 'first');
  await keyNow();

  is.fingerprint = 'two';
  writeFileSync(keyFile, 'of another');
  expect(await keyNow()).toBe('first');
});

it('the webhook address of a service waits for a database that does not answer', async () => {
  const store = aStore(aDatabasePath());
  let asked = 0;
  const webhookToken: Store['webhookToken'] = (...of) =>
    asked++ === 0
      ? Promise.reject(new AppError('STORE_AWAY', 'It is away.'))
      : store.webhookToken(...of);
  const world = fakeWorld({ cwd: tempFolder() });
  const listenAt = { host: '127.0.0.1', port: 0 };
  const away = { ...store, webhookToken };
  const listener = await startListener({ store: away, listenAt, notices: null }, world);
  onTestFinished(() => listener.close());
  const config = { key: 'key', webhookSecretEnv: [] };
  const opened = { config, service: { name: 'main' }, profile: PROFILE, embedded: null };

  await listener.add(opened as unknown as OpenService);

  expect(listener.addresses).toMatchObject([{ service: 'main' }]);
  expect(world.err()).toContain('waiting for it, at most ten minutes');
});
