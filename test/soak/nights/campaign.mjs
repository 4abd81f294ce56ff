// The nights themselves: two `serve` processes that are killed again and again while time passes quickly.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { freePort, startService } from '../processes.mjs';
import { differences } from './consoles.mjs';
import { command, firingsOf, resultsOf, serve, undelivered, writeDesk } from './desk.mjs';
import { FILE, planOf, PRICE, SERVER } from './plan.mjs';
import { startReceiver, toldByCommand } from './receiver.mjs';
import { timetableOf } from './timetable.mjs';
import { makeTrouble, serviceOf } from './troubles.mjs';

/** The program with its clock exchanged: its compiled files, not the packed one, in which none could be exchanged. */
const FAST = [
  ...['--import', fileURLToPath(new URL('fast-clock.mjs', import.meta.url))],
  fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url)),
];
/** One answer in three is late, and a few requests fail; a call costs as `priceOf` says. */
const SERVICE = [
  '--faults',
  'delay=0.3,429=0.01,503=0.002,drop-response=0.002,read-500=0.01,read-drop=0.01',
  '--cost',
  `${PRICE.perCall}+${PRICE.perMinute}`,
];
/** The share of notices that the receiver fails to take, until the nights are over. */
const FAILING = 0.4;
/** A process is started again at most so long after it was killed. */
const DEAD_MS = 1_500;
/** A machine stays away so long one time in eight: the other one takes its calls over. */
const AWAY_MS = 8_000;
/** The share of kills around the openings, when schedules fire, and how near they are. */
const AT_OPENINGS = 0.2;
const NEAR_MS = 2_500;
const ENDS_IN_MS = 60_000;

/**
 * @param options `nights`, `campaigns` (see `writeDesk`), `kills`, `chance`: a new `Math.random` for each number, so that who
 *   asks for it how often makes no difference to the others
 * @param place see places.mjs
 * @param tell is called with a sentence now and then
 * @returns `found`: what `violationsOf` takes, for each campaign; `kills` that hit a process; `problems`: what must not
 *   happen on the way; `failed` notices and counts of `troubles`
 */
export async function playNights(folder, { place, nights, campaigns, kills, chance }, tell) {
  const plan = planOf(nights, place.restart ? SERVER : FILE);
  let isOver = false;
  const receiver = await startReceiver(() => (isOver ? 0 : FAILING), chance(1));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { machines } = place;
  const folders = [...new Set(machines.map((machine) => machine.folder))];
  const env = { SOAK_NOTICES: receiver.secret, ...place.env };
  const desk = { campaigns, service: url, receiver: receiver.url, plan: plan.calendar };
  const [phones] = folders.map((own) => writeDesk(own, desk));
  await begin(folder, plan, { place, names: Object.keys(phones), env, port });

  const timetable = { realAt: Date.now(), pieces: plan.pieces };
  const time = timetableOf(timetable);
  await place.begin(timetable);
  const how = { env: { ...env, SOAK_TIMETABLE: JSON.stringify(timetable) }, program: FAST };
  const start = (key) => startService(folder, SERVICE, { ...how, port, key });
  const service = serviceOf(await start(), start);
  const trouble = makeTrouble({ folder, plan, time, place, service }, tell);
  const { explains } = trouble;
  const problems = [];
  const servers = machines.map((machine, i) =>
    keptRunning(machine, how, { random: chance(4 + i), problems, explains }),
  );
  const pick = chance(3);
  let hits = 0;
  for (const at of killTimes(plan, time, kills, chance(2))) {
    await sleep(Math.max(0, at - Date.now()));
    hits += await killOne(servers, pick);
    if (hits % 10 === 0) tell(`${hits} kills, ${new Date(time.at(Date.now())).toISOString()}`);
  }
  await trouble.done;
  await sleep(Math.max(0, time.realOf(plan.endsAt) - Date.now()));
  isOver = true;
  const until = Date.now() + ENDS_IN_MS;
  while ((await undelivered(place)) > 0 && Date.now() < until) await sleep(200);
  if (place.restart) problems.push(...(await differences(machines, servers, how)));
  await Promise.all(servers.map((server) => server.stop()));

  const ledger = await service.ledger();
  const { forged, failed, got } = receiver;
  const commanded = folders.flatMap(toldByCommand);
  const found = [];
  for (const { name, stop } of campaigns) {
    const exported = await command(
      machines[0],
      ['export', name, '-o', '-', '--format', 'jsonl'],
      how,
    );
    const own = new Set(phones[name]);
    const isTold = ({ campaign }) => campaign === name || campaign === null;
    found.push({
      ...{ name, stop, plan, forged, phones: phones[name], firings: await firingsOf(place, name) },
      ledger: { numbers: ledger.numbers.filter(({ phone_number: phone }) => own.has(phone)) },
      rows: exported.trim().split('\n').map(JSON.parse),
      told: { webhook: got.filter(isTold), command: commanded.filter(isTold) },
      dated: datedResults(folders, name, plan),
    });
  }
  await service.stop();
  receiver.stop();
  return { found, failed, kills: hits, problems, troubles: trouble.counts };
}

/** The lists are in and the campaigns are started, some minutes before the first window and without hurry. */
async function begin(folder, plan, { place, names, env, port }) {
  const timetable = { realAt: Date.now(), pieces: [{ at: plan.beginsAt - 60_000, speed: 1 }] };
  const how = { env: { ...env, SOAK_TIMETABLE: JSON.stringify(timetable) }, program: FAST };
  const [first] = place.machines;
  if (place.restart) await command(first, ['migrate'], how);
  await place.begin(timetable);
  const service = await startService(folder, SERVICE, { ...how, port });
  for (const name of names) {
    await command(first, ['import', name, `campaigns/${name}.yaml`], how);
    await command(first, ['resume', name, '--yes'], how);
  }
  await service.stop();
}

/** Real times, the earliest first: anywhere from the first opening to the morning after the last night. */
function killTimes(plan, time, kills, random) {
  const first = time.realOf(plan.beginsAt);
  const last = time.realOf(plan.endsAt);
  const times = Array.from({ length: kills }, () => {
    if (random() >= AT_OPENINGS) return first + random() * (last - first);
    const { opensAt } = plan.nights[Math.floor(random() * plan.nights.length)];
    return time.realOf(opensAt) + (random() - 0.5) * 2 * NEAR_MS;
  });
  return times.sort((one, other) => one - other);
}

/** A `serve` that is started again, soon after it was killed. */
function keptRunning(machine, how, { random, problems, explains }) {
  const { name } = machine;
  let isStopped = false;
  let running = null;
  const life = (async () => {
    while (!isStopped) {
      running = serve(machine, how);
      const { pid } = running;
      const { code, signal } = await running.ended;
      running = null;
      // systemd starts it again after exit 5.
      const isAllowed = code === 5 && explains(Date.now());
      if (signal !== 'SIGKILL' && !(isStopped && code === 0) && !isAllowed) {
        problems.push(
          `${name} (pid ${pid}) ended with ${signal ?? `exit ${code}`}, see ${name}.log`,
        );
        return;
      }
      const share = random();
      const isAway = machine.proxy !== undefined && share < 1 / 8;
      if (!isStopped) await sleep(isAway ? AWAY_MS : DEAD_MS * share);
    }
  })();
  return {
    said: () => running?.said.err ?? '',
    /** @returns whether there was a process to kill */
    kill: async () => {
      const victim = running;
      if (victim === null) return false;
      victim.kill('SIGKILL');
      return (await victim.ended).signal === 'SIGKILL';
    },
    stop: async () => {
      isStopped = true;
      // Before it serves, a signal simply ends it.
      await running?.says('Notices: ');
      running?.kill('SIGTERM');
      await life;
    },
  };
}

/** Whichever it hits; where none runs just now, the next one that does. @returns 1, or 0 when none runs any more */
async function killOne(servers, random) {
  const until = Date.now() + 2 * AWAY_MS;
  while (Date.now() < until) {
    if (await servers[Math.floor(random() * servers.length)].kill()) return 1;
    await sleep(20);
  }
  return 0;
}

/** Each machine writes where the campaign file says. */
function datedResults(folders, name, { nights }) {
  const read = (date) => {
    const paths = folders.map((folder) => join(folder, resultsOf(name, date)));
    const path = paths.find((one) => existsSync(one));
    if (path === undefined) return null;
    return parse(readFileSync(path), { columns: true });
  };
  return Object.fromEntries(nights.map(({ date }) => [date, read(date)]));
}
