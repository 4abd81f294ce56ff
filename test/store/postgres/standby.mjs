// npm run standby: a primary of Debian's PostgreSQL and its standby. The standby alone is refused, and of both the primary is
// taken, in whichever order they are named. A machine that comes calls nobody before the standby knows it. After a
// promotion the same addresses lead to the new primary.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

const DEBIAN = '/usr/lib/postgresql';

const version = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().at(-1) : undefined;
if (version === undefined) {
  console.log("skipped: Debian's PostgreSQL is not installed (apt-get install postgresql)");
  process.exit(0);
}
const { migrateServer, openServerStore } = await import('../../../dist/store/postgres/open.js');

const CAMPAIGN = {
  ...{ id: 'cmp_1', name: 'spring', kind: 'list', service: 'main', simulated: false, createdAt: 0 },
  settings: { concurrency: 1, pace: null, rules: ['always'], timezone: 'UTC' },
};
const folder = mkdtempSync('/tmp/callsheet-standby-');
chmodSync(folder, 0o777);
const [primary, standby] = [await aServer('primary'), await aServer('standby')];
try {
  run('initdb', '-D', primary.data, '-U', 'postgres', '--auth=trust', '--no-sync');
  start(primary);
  const from = `host=127.0.0.1 port=${primary.port} user=postgres`;
  run('pg_basebackup', '-D', standby.data, '-d', from, '-R', '--no-sync');
  start(standby);
  await ask(primary, 'CREATE ROLE callsheet LOGIN');
  await ask(primary, 'GRANT CREATE ON DATABASE postgres TO callsheet');

  await assert.rejects(migrateServer(through(standby)), ({ code, message }) => {
    assert.equal(code, 'STORE_UNUSABLE');
    assert.match(message, /is a standby/);
    return true;
  });
  assert.equal(await migrateServer(through(standby, primary)), true);

  const receiver = await ask(standby, 'SELECT pid FROM pg_stat_wal_receiver');
  process.kill(receiver, 'SIGSTOP');
  const journal = join(folder, 'here.dials');
  const machine = await openServerStore({ ...through(primary), mode: 'dial', journal });
  await machine.createCampaign(CAMPAIGN, {
    at: 0,
    who: 'ada',
    what: 'campaign.created',
    detail: {},
  });
  assert.equal(await waits(machine), true);
  process.kill(receiver, 'SIGCONT');
  // Without it, each machine that comes waits for a minute.
  await ask(primary, 'GRANT pg_monitor TO callsheet');
  while (await waits(machine)) await setTimeout(100);
  assert.equal(await ask(standby, 'SELECT count(*) FROM callsheet.machines'), '1');
  await machine.close();

  const store = await openServerStore(through(standby, primary));
  await store.addSuppressionFile(aFile(1));
  run('pg_ctl', '-D', primary.data, 'stop', '-m', 'immediate');
  run('pg_ctl', '-D', standby.data, 'promote', '-w');
  await store.addSuppressionFile(aFile(2));
  assert.equal((await store.suppressionFiles()).at(0).path, 'file 2');
  await store.close();
  console.log(
    'the standby was refused, the primary found, a machine waited for the standby, and the promoted standby was found',
  );
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

async function waits(store) {
  const gates = await store.claimGates({
    campaignId: CAMPAIGN.id,
    serviceSlots: null,
    now: Date.now(),
  });
  return gates.some(({ why }) => why === 'machines_awaited');
}

/** The first value that a server answers. */
async function ask({ port }, text) {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  await client.connect();
  const { rows } = await client.query({ text, rowMode: 'array' });
  await client.end();
  return rows[0]?.[0];
}

function through(...servers) {
  const hosts = servers.map(({ port }) => ({ host: '127.0.0.1', port }));
  const address = { hosts, user: 'callsheet', database: 'postgres', application_name: 'standby' };
  const journal = join(folder, 'nowhere.dials');
  const place = { schema: 'callsheet', name: 'the database callsheet', folder: '' };
  return { address, ...place, mode: 'write', journal };
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
