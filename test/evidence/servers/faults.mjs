// The faults, each a loop beside the others until it was done so often or the world is over.
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE } from './world.mjs';
import { copyDatabase, putBack } from './cluster.mjs';
import { CUTS } from './proxy.mjs';

/**
 * The faults of a round by kind. `everyMs`: the mean time from the end of one to the next of its kind; `perDials`: so
 * many calls are begun in between, so that a slow machine is not only started again and again; `do`: does one, and is
 * true once it was done
 */
export const FAULTS = {
  kills: { everyMs: 700, perDials: 3, do: kill },
  stops: { everyMs: 2_000, perDials: 12, do: stop },
  restarts: { everyMs: 5_000, perDials: 30, do: restart },
  cuts: { everyMs: 150, perDials: 1, do: cut },
  partitions: { everyMs: 4_000, perDials: 30, do: partition },
  forgets: { everyMs: 5_000, perDials: 40, do: forget },
  failovers: { everyMs: 1_000, perDials: 40, do: failover },
  copies: { everyMs: 1_000, perDials: 40, do: copy },
  arrivals: { everyMs: 1_000, perDials: 40, do: arrive },
};

/** Plays faults of `kind` until `count` were done. @param done `done[kind]` counts them */
export async function play(world, kind, { random, count, done }) {
  const { everyMs, perDials, do: fault } = FAULTS[kind];
  while (!world.isCalm && done[kind] < count) {
    const from = world.dials;
    await sleep(everyMs * (0.4 + 1.2 * random()));
    // Fewer than before: an older copy.
    while (!world.isCalm && world.dials >= from && world.dials < from + perDials) await sleep(100);
    if (world.isCalm) return;
    if (await fault(world, random)) done[kind] += 1;
  }
}

const pick = (items, random) => items[Math.floor(random() * items.length)];

/** Some are killed while they start. */
async function kill({ machines }, random) {
  const isEarly = random() < 0.15;
  const machine = pick(
    machines.filter((one) => !one.isBusy && one.isRunning() && (isEarly || one.isReady)),
    random,
  );
  if (machine === undefined) return false;
  machine.isBusy = true;
  const isAway = random() < 0.04;
  const hit = await machine.end(isAway ? 4_000 + 8_000 * random() : 600 * random());
  machine.isBusy = false;
  return hit;
}

/** 1 to 20 s, most of them short; then the next may begin meanwhile. */
async function stop(world, random) {
  const { machines } = world;
  const free = machines.filter((one) => !one.isBusy && one.isReady);
  // Another one works.
  if (machines.filter(({ isBusy }) => isBusy).length >= machines.length - 1) return false;
  const machine = pick(free, random);
  if (machine === undefined || !machine.signal('SIGSTOP')) return false;
  machine.isBusy = true;
  const forMs = 1_000 + 19_000 * random() ** 3;
  world.troubles.add(
    sleep(forMs).then(() => {
      machine.signal('SIGCONT');
      machine.isBusy = false;
    }),
  );
  return true;
}

async function restart({ server }) {
  await server.restart();
  return true;
}

async function cut({ proxies, machines }, random) {
  const proxy = pick(
    proxies.filter((_, n) => machines[n].isReady && !machines[n].isBusy),
    random,
  );
  return proxy !== undefined && proxy.cutNext(pick(CUTS, random), 1_000);
}

/** 0.3 to 8 s, of one machine or of all; then the bytes come, or are lost. */
async function partition(world, random) {
  const { proxies } = world;
  const cutOff = random() < 0.3 ? proxies : [pick(proxies, random)];
  const isLost = random() < 0.5;
  for (const proxy of cutOff) proxy.hold();
  await sleep(300 + 7_700 * random() ** 2);
  for (const proxy of cutOff) proxy.release(isLost);
  return true;
}

/** The standby gets nothing for a while, then takes the place of the primary, which has confirmed more. */
async function failover(world, random, { whenLost = () => undefined } = {}) {
  const { standbys, proxies } = world;
  await standbys.ready(world);
  standbys.link.hold();
  await sleep(300 + 2_700 * random());
  await whenLost();
  const before = await dials(world);
  const old = world.server;
  world.server = undefined;
  for (const proxy of proxies) proxy.refuse(true);
  await old.stop();
  standbys.link.refuse(true);
  standbys.link.release(true);
  world.server = await standbys.takeOver();
  world.tail += before - (await dials(world));
  for (const proxy of proxies) proxy.refuse(false);
  await old.drop();
  return true;
}

/** A failover with which a machine and its journal are gone; a person says that nobody shall wait for it. */
async function forget(world, random) {
  let gone;
  const keysOf = async (id) =>
    (await world.query(`SELECT key FROM attempts WHERE owner_host = '${id}'`)).map(
      ({ key }) => key,
    );
  const lose = async () => {
    const machine = pick(
      world.machines.filter((one) => one.isReady),
      random,
    );
    const id = machine?.journalId();
    if (id === undefined || !(await machine.end(10_000))) return;
    gone = { machine, id, keys: await keysOf(id) };
    machine.loseJournal();
  };
  if (!(await failover(world, random, { whenLost: lose })) || gone === undefined) return false;
  const kept = new Set(await keysOf(gone.id));
  for (const key of gone.keys) if (!kept.has(key)) world.forgotten.add(key);
  await world.command('machines', 'forget', gone.id, '--yes');
  return true;
}

/** An older copy is put in the place of the database while machines work. @param meanwhile after the moment of the copy */
async function copy(world, random, { meanwhile = () => undefined } = {}) {
  const { server, proxies } = world;
  const apart = async (work) => {
    for (const proxy of proxies) proxy.refuse(true);
    await work();
    for (const proxy of proxies) proxy.refuse(false);
  };
  await apart(() => copyDatabase(server, DATABASE, 'older'));
  await sleep(300 + 5_000 * random());
  await meanwhile();
  await apart(async () => {
    const before = await dials(world);
    await putBack(server, DATABASE, 'older');
    world.tail += before - (await dials(world));
  });
  return true;
}

/** The copy does not know that a machine has come, which has called people and is away when the copy is put back. */
async function arrive(world, random) {
  const machine = pick(
    world.machines.filter((one) => one.isReady),
    random,
  );
  const id = machine?.journalId();
  if (id === undefined || !(await machine.end(600_000, 'SIGTERM'))) return false;
  const own = async () => {
    const [found] = await world.query(
      `SELECT count(*)::int AS calls FROM attempts WHERE owner_host = '${id}'`,
    );
    return found?.calls ?? 0;
  };
  let called = false;
  const come = async () => {
    const before = await own();
    machine.come();
    for (let tries = 0; tries < 600 && !called && !world.isCalm; tries += 1) {
      await sleep(100);
      called = (await own()) >= before + 3;
    }
    if (called) await machine.end(45_000 + 10_000 * random());
  };
  const isDone = await copy(world, random, { meanwhile: come });
  if (!called) machine.come();
  return isDone && called;
}

async function dials(world) {
  const [found] = await world.query('SELECT count(*)::int AS dials FROM attempts');
  return found?.dials ?? 0;
}
