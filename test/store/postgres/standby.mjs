// npm run standby: a primary of Debian's PostgreSQL and its standby. The standby alone is refused, and of both the primary is
// taken, in whichever order they are named. After a promotion the same addresses lead to the new primary.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

const version = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().at(-1) : undefined;
if (version === undefined) {
  console.log("skipped: Debian's PostgreSQL is not installed (apt-get install postgresql)");
  process.exit(0);
}
const { migrateServer, openServerStore } = await import('../../../dist/store/postgres/open.js');

const folder = mkdtempSync('/tmp/callsheet-standby-');
chmodSync(folder, 0o777);
const [primary, standby] = [await aServer('primary'), await aServer('standby')];
try {
  run('initdb', '-D', primary.data, '-U', 'postgres', '--auth=trust', '--no-sync');
  start(primary);
  const from = `host=127.0.0.1 port=${primary.port} user=postgres`;
  run('pg_basebackup', '-D', standby.data, '-d', from, '-R', '--no-sync');
  start(standby);

  await assert.rejects(migrateServer(through(standby)), ({ code, message }) => {
    assert.equal(code, 'STORE_UNUSABLE');
    assert.match(message, /is a standby/);
    return true;
  });
  assert.equal(await migrateServer(through(standby, primary)), true);
  const store = await openServerStore(through(standby, primary));
  await store.addSuppressionFile(aFile(1));
  run('pg_ctl', '-D', primary.data, 'stop', '-m', 'immediate');
  run('pg_ctl', '-D', standby.data, 'promote', '-w');
  await store.addSuppressionFile(aFile(2));
  assert.equal((await store.suppressionFiles()).at(0).path, 'file 2');
  await store.close();
  console.log('the standby was refused, the primary found, and the promoted standby after it');
} finally {
  for (const { data } of [primary, standby]) {
    if (existsSync(join(data, 'postmaster.pid')))
      run('pg_ctl', '-D', data, 'stop', '-m', 'immediate');
  }
  rmSync(folder, { recursive: true, force: true });
}

function aFile(n) {
  return { path: `file ${n}`, asOf: n, at: n, who: 'ada', registry: null, areas: null };
}

function through(...servers) {
  const hosts = servers.map(({ port }) => ({ host: '127.0.0.1', port }));
  const address = { hosts, user: 'postgres', database: 'postgres', application_name: 'standby' };
  return { address, schema: 'callsheet', name: 'the database callsheet', folder: '' };
}

async function aServer(name) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return { data: join(folder, name), port };
}

function start({ data, port }) {
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  run('pg_ctl', '-D', data, '-o', options, '-l', `${data}.log`, '-w', 'start');
}

/** PostgreSQL refuses to run as root. */
function run(program, ...args) {
  const command = [join(DEBIAN, version, 'bin', program), ...args];
  if (userInfo().uid === 0) command.unshift('runuser', '-u', 'postgres', '--');
  const [first, ...rest] = command;
  execFileSync(first, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
