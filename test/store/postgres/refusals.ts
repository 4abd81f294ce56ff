import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type * as Opening from '../../../src/store/postgres/open.ts';
import type * as Server from '../../../src/store/postgres/server.ts';
import { aSchema, asServer, built } from './a-schema.ts';
import { startServer } from './server.ts';

const { troubleOf } = await built<typeof Server>('server');
const { migrateServer } = await built<typeof Opening>('open');

/** What a good server says. */
const GOOD = {
  ...{ version: 'PostgreSQL 16.4 on x86_64', number: 160_004, clockOffMs: 3, host: 'db-1' },
  ...{
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    isPooled: false,
    isStandby: false,
  },
};

describe('a server', () => {
  it.each([
    [{}, undefined],
    [{ number: 150_000, clockOffMs: 2_000, synchronousCommit: 'remote_apply' }, undefined],
    [{ number: 140_013 }, 'PostgreSQL 14, and callsheet needs 15'],
    [{ version: 'CockroachDB CCL v23.1', isPooled: true }, 'is CockroachDB'],
    [{ version: 'PostgreSQL 11.2-YB-2.18.0.0-b0', number: 110_002 }, 'is YugabyteDB'],
    [{ isPooled: true }, 'at db-1 is a pooler'],
    [{ isStandby: true }, 'is a standby'],
    [{ fsync: 'off', synchronousCommit: 'local' }, 'fsync is off and synchronous_commit is local'],
    [{ fullPageWrites: 'off' }, 'full_page_writes is off'],
    [{ clockOffMs: 2_001 }, 'by 2.0 s; at most 2 s'],
  ])('that says %j is judged', (facts, sentence) => {
    const trouble = troubleOf({ ...GOOD, ...facts }, 'the database x');
    if (sentence === undefined) expect(trouble).toBeUndefined();
    else
      expect(trouble).toMatchObject({
        code: 'STORE_UNUSABLE',
        message: expect.stringContaining(sentence) as string,
      });
  });

  it.each(['off', 'local'])('whose user has synchronous_commit %s is refused', async (setting) => {
    const options = aSchema();
    const user = `who_${options.schema}`;
    await asServer(`CREATE ROLE ${user} LOGIN SUPERUSER PASSWORD 'postgres'`);
    onTestFinished(() => asServer(`DROP ROLE ${user}`));
    await asServer(`ALTER ROLE ${user} SET synchronous_commit = ${setting}`);
    const address = { ...options.address, user };
    await isRefused({ ...options, address }, `synchronous_commit is ${setting}`);
  });

  it('that may lose what it has written is refused', async () => {
    const { address, stop } = await startServer();
    onTestFinished(stop);
    const { host, port, ...who } = address;
    const options = {
      ...aSchema(),
      address: { hosts: [{ host, port }], ...who, application_name: 'x' },
    };
    const admin = new pg.Client(address);
    await admin.connect();
    for (const setting of ['fsync', 'full_page_writes']) {
      await admin.query(`ALTER SYSTEM SET ${setting} = off`);
      await admin.query('SELECT pg_reload_conf()');
      const seen = async () =>
        (await admin.query<Record<string, string>>(`SHOW ${setting}`)).rows[0];
      await expect.poll(seen).toEqual({ [setting]: 'off' });
      await isRefused(options, `${setting} is off`);
      await admin.query('ALTER SYSTEM RESET ALL');
    }
    await admin.end();
  });

  it('behind a pooler is refused', async () => {
    const key = Buffer.from([0x4b, 0, 0, 0, 12]);
    // The number of another process than the one that answers.
    await isRefused(
      await behind((bytes) => {
        const at = bytes.indexOf(key);
        if (at !== -1) bytes.writeInt32BE(1, at + key.length);
      }),
      'is a pooler',
    );
  });

  it('of another kind that lacks a setting is refused by its name', async () => {
    await isRefused(
      await behind(
        (bytes) => {
          replace(bytes, 'PostgreSQL', 'YugabyteDB');
        },
        (bytes) => {
          replace(bytes, 'plan_cache_mode', 'plan_cache_none');
        },
      ),
      'is YugabyteDB',
    );
  });
});

it.each([true, false])(
  'a standby beside a server that does not answer is about to take over: it is waited for (named first: %s)',
  async (isFirst) => {
    const options = await behind((bytes) => {
      // The answer to pg_is_in_recovery().
      const at = bytes.indexOf(Buffer.from([0, 2, 0, 0, 0, 1, 'f'.charCodeAt(0)]));
      if (at !== -1) bytes.write('t', at + 6);
    });
    const dead = { host: '127.0.0.1', port: 1 };
    const standby = options.address.hosts;
    const hosts = isFirst ? [...standby, dead] : [dead, ...standby];
    await expect(
      migrateServer({ ...options, address: { ...options.address, hosts } }),
    ).rejects.toMatchObject({ code: 'STORE_AWAY' });
  },
);

async function isRefused(options: ReturnType<typeof aSchema>, sentence: string): Promise<void> {
  await expect(migrateServer(options)).rejects.toMatchObject({
    code: 'STORE_UNUSABLE',
    exitCode: 2,
    message: expect.stringContaining(sentence) as string,
  });
}

function replace(bytes: Buffer, from: string, to: string): void {
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from)) bytes.write(to, at);
}

/** How to open a schema of the server by way of somebody who changes what passes. */
async function behind(toClient: (bytes: Buffer) => void, toServer?: (bytes: Buffer) => void) {
  const proxy = createServer((client) => {
    const server = connect(inject('postgres').port, '127.0.0.1');
    for (const [from, to, change] of [
      [client, server, toServer],
      [server, client, toClient],
    ] as const) {
      from.on('data', (bytes) => {
        change?.(bytes);
        to.write(bytes);
      });
      from.on('close', () => to.destroy()).on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
  });
  const options = aSchema();
  const hosts = [{ host: '127.0.0.1', port: (proxy.address() as AddressInfo).port }];
  return { ...options, address: { ...options.address, hosts } };
}
