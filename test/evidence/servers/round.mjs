// A round: a world, its faults by seed, then nothing more breaks, all machines finish, and the judge looks.
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../dist/runtime/random.js';
import { FAULTS, play } from './faults.mjs';
import { judge } from './judge.mjs';
import { makeStandbys } from './standbys.mjs';
import { begin, finishes, makeWorld } from './world.mjs';

/** So many calls follow the last fault, if they are begun within this time. */
const MORE = 100;
const MORE_WITHIN_MS = 90_000;
/** Intents of a machine that stays away are in doubt after two minutes. */
const FINISHES_WITHIN_MS = 300_000;

/**
 * @param wanted how many faults of each kind
 * @returns counts, violations, what was `done` of each kind, and the `server` that is the primary now
 */
export async function playRound({ folder, serversFolder, seed, wanted, end, ...options }) {
  const world = await makeWorld({ folder, seed, ...options });
  const done = Object.fromEntries(Object.keys(wanted).map((kind) => [kind, 0]));
  Object.assign(world, {
    isCalm: false,
    dials: 0,
    troubles: new Set(),
    forgotten: new Set(),
    tail: 0,
  });
  if (wanted.failovers > 0 || wanted.forgets > 0)
    world.standbys = await makeStandbys(serversFolder);
  try {
    await begin(world);
    const watching = watch(world, end);
    await Promise.all(
      Object.entries(wanted).map(([kind, count]) =>
        play(world, kind, { random: seededRandom(`${seed}/${kind}`), count, done }),
      ),
    );
    await Promise.all(world.troubles);
    await callsMore(world);
    world.isCalm = true;
    await watching;
    const isFinished = await finishes(world, FINISHES_WITHIN_MS);
    await Promise.all(world.machines.map((machine) => machine.stop()));
    const found = judge(await gather(world));
    const { double, above, lost } = found;
    const { tail } = world;
    const late = isFinished ? [] : ['the round was not finished in time'];
    return {
      ...{ ...found, tail, done, server: world.server },
      violations: [...double, ...above, ...lost, ...late],
    };
  } finally {
    await world.close();
    await world.standbys?.drop();
  }
}

/** Calls go on after the last fault: whom it made somebody call twice shows then. */
async function callsMore(world) {
  const { dials } = world;
  const until = Date.now() + MORE_WITHIN_MS;
  while (!world.isCalm && world.dials < dials + MORE && Date.now() < until) await sleep(200);
}

/** Counts the calls; faults end where hardly anybody is left to be called. */
async function watch(world, end) {
  while (!world.isCalm) {
    await sleep(300);
    const [found] = await world.query(
      `SELECT (SELECT count(*) FROM attempts)::int AS dials, count(*)::int AS waiting
       FROM leads JOIN campaigns c ON c.id = campaign_id WHERE leads.state = 'waiting' AND c.name IN ('plain', 'retried')`,
    );
    world.dials = found?.dials ?? world.dials;
    if (found?.waiting < 20 || Date.now() > end) world.isCalm = true;
  }
}

async function gather(world) {
  const { service, campaigns, command, query } = world;
  const { ledger, peak } = await service.seen();
  const exported = [];
  for (const campaign of campaigns) {
    const read = async (...how) =>
      (await command('export', campaign.name, '-o', '-', '--format', 'jsonl', ...how))
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map(JSON.parse);
    exported.push({ ...campaign, leads: await read(), rows: await read('--per', 'attempt') });
  }
  const claims = await query('SELECT call_id, seq FROM attempts WHERE call_id IS NOT NULL');
  return {
    ...{ ledger, peak, campaigns: exported },
    claims: new Map(claims.map(({ call_id: id, seq }) => [id, Number(seq)])),
    isForgotten: (key) => world.forgotten.has(key),
  };
}
